import { render } from "preact";
import "./board/themes.css";
import "./board/board.css";
import "./app/app.css";
import { App } from "./app/app";
import { followBack } from "./app/back";
import { Root } from "./app/Root";
import { watchViewport } from "./app/viewport";
import { onWaking } from "./link/connection";
import type { LobbyData } from "./link/http";

const LOBBY_AT_MOST_EVERY = 2_000;

/** The server puts the player's lobby into the page, so that it can be used before any further request. */
function lobbyOfPage(): LobbyData | null {
  const text = document.getElementById("lobby")?.textContent ?? "";
  return text.trim() === "" ? null : (JSON.parse(text) as LobbyData);
}

const address = `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}/ws`;
const app = new App(lobbyOfPage(), () => new WebSocket(address));
app.preferences.applyTo(document.documentElement, () => app.words.value.title);
render(<Root app={app} viewport={watchViewport()} />, document.getElementById("app")!);
// The socket is open before the first game starts, so that a start costs no handshake; the lobby is seen before that.
requestAnimationFrame(() => setTimeout(() => app.game.start()));
let seen = Date.now();
onWaking(() => {
  app.game.probe();
  // Another device may have played on, or changed a setting.
  if (app.screen.value !== "lobby" || Date.now() - seen < LOBBY_AT_MOST_EVERY) return;
  seen = Date.now();
  void app.refreshLobby();
});
followBack(app);

// `/#join=CODE`, as the picture to scan says it. The code stays in the address no longer than need be.
function joinAsTheAddressSays(): void {
  const code = /^#join=(.+)/.exec(location.hash)?.[1];
  if (code === undefined) return;
  history.replaceState(null, "", "/");
  app.joinCode.value = code;
  app.panel.value = "devices";
}
joinAsTheAddressSays();
addEventListener("hashchange", joinAsTheAddressSays);

// `/?position=XGID=...` starts a practice game from there, once.
const position = new URLSearchParams(location.search).get("position");
if (position !== null) {
  history.replaceState(null, "", "/");
  void app.start(position);
}
