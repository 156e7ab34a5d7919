import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SESSION, START } from "../link/fake";
import type { App } from "./app";
import { gameApp } from "./fake";

let app: App;

beforeEach(() => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no network")));
  app = gameApp(START);
  app.toLobby();
});

afterEach(() => {
  app.game.stop();
  vi.unstubAllGlobals();
});

test.each(["start", "position", "session", "lobby"])(
  "%s, said in the lobby, is over with the next game",
  (code) => {
    app.trouble.value = code;
    app.open(SESSION);
    expect(app.screen.value).toBe("game");
    expect(app.trouble.value).toBe(null);
  },
);

test.each(["player", "protocol"])("%s stays said until the page is loaded anew", (code) => {
  app.trouble.value = code;
  app.open(SESSION);
  expect(app.trouble.value).toBe(code);
});
