import { afterEach, beforeEach, expect, test } from "vitest";
import type { App } from "../app/app";
import { gameApp } from "../app/fake";
import { FakeSocket, START } from "../link/fake";
import { gameKeys } from "./keys";

let app: App;
let stop: () => void;

beforeEach(() => {
  app = gameApp(START);
  stop = gameKeys(app);
  document.body.innerHTML = `<h1 tabindex="-1"></h1><div class="record-list"></div>
    <aside class="help"><p></p></aside><button></button>`;
});

afterEach(() => {
  stop();
  app.game.stop();
  document.body.innerHTML = "";
});

/** Whether the game has used the key. */
function press(selector: string, key: string): boolean {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
  document.querySelector(selector)!.dispatchEvent(event);
  return event.defaultPrevented;
}

test.each([".record-list", ".help", ".help p", "button"])("Space and Enter in %s are left to it", (place) => {
  expect([press(place, " "), press(place, "Enter")]).toEqual([false, false]);
  expect(FakeSocket.last.of("roll")).toEqual([]);
});

test.each(["body", "h1"])("Space in %s does what the game waits for", (place) => {
  expect(press(place, " ")).toBe(true);
  expect(FakeSocket.last.of("roll")).toHaveLength(1);
});

test("other keys are the game's there too", () => {
  expect(press(".help p", "u")).toBe(true);
  expect(app.game.notice.value).toEqual({ kind: "why", code: "undo" });
});
