/** For tests only: the page as a whole, its server a FakeSocket. */
import { FakeSocket, SESSION, snapshotOf } from "../link/fake";
import type { View } from "../link/messages";
import { DEFAULTS } from "../settings/preferences";
import { App } from "./app";
import { Memory } from "./memory";

export const lobbyApp = (): App =>
  new App({ settings: DEFAULTS, unfinished: [] }, () => new FakeSocket(), new Memory(null));

/** A page in a game that stands like this. */
export function gameApp(view: View): App {
  const app = lobbyApp();
  app.game.start();
  FakeSocket.last.open();
  app.open(SESSION);
  FakeSocket.last.say({ t: "snapshot", ...snapshotOf(view, 3) });
  return app;
}
