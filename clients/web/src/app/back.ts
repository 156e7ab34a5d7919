import { effect } from "@preact/signals";
import type { App } from "./app";

const IN_GAME = "game";

/** The browser's Back leads from the game to the lobby, not off the site: it closes what lies topmost, then asks. */
export function followBack(app: App): void {
  // Of a page that was loaded anew in the game, which begins in the lobby.
  if (history.state === IN_GAME) history.replaceState(null, "");
  /** This page itself has asked for a step back, which takes a moment. */
  let steppingBack = false;
  const keepUp = () => {
    const inGame = app.screen.value === "game";
    if (steppingBack || inGame === (history.state === IN_GAME)) return;
    steppingBack = !inGame;
    if (inGame) history.pushState(IN_GAME, "");
    else history.back();
  };
  effect(keepUp);
  addEventListener("popstate", () => {
    const pressed = !steppingBack && app.screen.peek() === "game" && history.state !== IN_GAME;
    steppingBack = false;
    keepUp();
    if (pressed && !app.putAway()) app.ask("leave");
  });
}
