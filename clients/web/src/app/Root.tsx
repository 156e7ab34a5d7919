import type { Signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { GameScreen } from "../game/GameScreen";
import { HelpPanel } from "../help/HelpPanel";
import { LobbyScreen } from "../lobby/LobbyScreen";
import { SettingsPanel } from "../settings/SettingsPanel";
import type { App } from "./app";
import { AppContext } from "./context";
import { LoadedPanel } from "./LoadedPanel";
import { Question } from "./Question";
import type { Viewport } from "./viewport";

/** Beside a game this wide the help has a column of its own, and the board makes room for it. */
const HELP_WIDTH = 400;
const HELP_BESIDE_FROM = 1100;
/** So long the second press of a double click may come after the screen or a panel has changed under it. */
const DOUBLE_CLICK_MS = 500;

export function Root({ app, viewport }: { app: App; viewport: Signal<Viewport> }) {
  const inGame = app.screen.value === "game";
  const panel = app.panel.value;
  const words = app.words.value;
  const changed = useRef(0);
  useLayoutEffect(() => {
    changed.current = performance.now();
  }, [inGame, panel]);
  const before = useRef(inGame);
  useLayoutEffect(() => {
    // Whoever reads by ear is told where they are now.
    if (before.current !== inGame && panel === null)
      document.querySelector("h1")?.focus({ preventScroll: true });
    before.current = inGame;
  }, [inGame]);
  const close = () => {
    app.panel.value = null;
  };
  const window = viewport.value;
  const beside = app.helpOpen.value && window.width >= HELP_BESIDE_FROM;
  const room = beside ? { ...window, width: window.width - HELP_WIDTH } : window;
  return (
    <AppContext.Provider value={app}>
      <div
        class={beside ? "page help-beside" : "page"}
        data-phase={inGame ? app.game.phase.value : "lobby"}
        onClickCapture={(event) => {
          if (event.detail < 2 || performance.now() - changed.current > DOUBLE_CLICK_MS) return;
          event.stopPropagation();
          event.preventDefault();
        }}
        data-version={inGame ? String(app.game.version.value) : ""}
      >
        {inGame ? <GameScreen viewport={room} /> : <LobbyScreen viewport={room} />}
        {app.helpOpen.value && <HelpPanel beside={beside} />}
        {panel === "settings" && <SettingsPanel onClose={close} />}
        {panel === "fairness" && (
          <LoadedPanel
            title={words.settings.fairness}
            load={() => import("../settings/Fairness")}
            onClose={close}
          />
        )}
        {panel === "devices" && (
          <LoadedPanel
            title={words.lobby.devices}
            load={() => import("../devices/Devices")}
            onClose={close}
          />
        )}
        {(panel === "leave" || panel === "restart") && <Question about={panel} />}
        <div class="unseen" role="log" aria-live="polite">
          {app.announcer.text.value}
        </div>
      </div>
    </AppContext.Provider>
  );
}
