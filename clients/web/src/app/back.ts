import { effect } from "@preact/signals";
import type { App } from "./app";

const IN_GAME = "game";

/** The browser's Back leads from the game to the lobby, not off the site: it closes what lies topmost, then asks. */
export function followBack(app: App): void {
  // Of a page that was loaded anew in the game, which begins in the lobby.
  if (history.state === IN_GAME) history.replaceState(null, "");
  effect(() => {
    const inGame = app.screen.value === "game";
    if (inGame && history.state !== IN_GAME) history.pushState(IN_GAME, "");
    else if (!inGame && history.state === IN_GAME) history.back();
  });
  addEventListener("popstate", () => {
    const inGame = app.screen.peek() === "game";
    if (inGame === (history.state === IN_GAME)) return;
    if (!inGame) {
      history.back(); // Forward, to a game that was left
      return;
    }
    history.pushState(IN_GAME, "");
    if (app.panel.peek() !== null) app.panel.value = null;
    else if (app.helpOpen.peek()) app.helpOpen.value = false;
    else if (app.recordOpen.peek()) app.recordOpen.value = false;
    else app.ask("leave");
  });
}
