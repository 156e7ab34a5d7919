import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { App } from "../app/app";
import { AppContext } from "../app/context";
import { gameApp } from "../app/fake";
import { zh } from "../i18n/zh";
import { ROLLED, START } from "../link/fake";
import type { View } from "../link/messages";
import { usePrompt } from "./GameScreen";

let app: App;
let said: string[];

const Line = () => <p>{usePrompt().text}</p>;

async function look(view: View): Promise<void> {
  app = gameApp(view);
  app.setPreference({ language: "zh" });
  said = [];
  vi.spyOn(app.announcer, "prompt").mockImplementation((text) => void said.push(text));
  await act(() =>
    render(
      <AppContext.Provider value={app}>
        <Line />
      </AppContext.Provider>,
      document.body,
    ),
  );
}

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  render(null, document.body);
  app.game.stop();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("the prompt is said", () => {
  test("once, whatever else changes beside it", async () => {
    await look(ROLLED);
    await act(() => app.game.move(app.game.options.value[0]!));
    expect(document.body.textContent).toBe(zh.prompt.move);
    expect(said).toEqual([zh.prompt.move]);
  });

  test("again after something that is not said aloud", async () => {
    await look(ROLLED);
    for (const selected of [24, null]) {
      await act(() => {
        app.game.stage.selected.value = selected;
      });
    }
    expect(said).toEqual([zh.prompt.move, "", zh.prompt.move]);
  });

  test("as often as the same is asked in vain", async () => {
    await look(START);
    for (let n = 0; n < 2; n++) await act(() => app.game.say({ kind: "why", code: "undo" }));
    expect(said).toEqual([zh.prompt.toRoll, zh.why.undo, zh.why.undo]);
  });
});
