import type { App } from "../app/app";

/**
 * The keys of the game screen. Keys on a focused control or on what they scroll, and those that the board has used, are
 * left to them.
 */
export function gameKeys(app: App): () => void {
  const { game } = app;
  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (app.panel.value !== null) return;
    const target = event.target as Element;
    if (event.key === "Escape") {
      game.stage.selected.value = null;
      app.putAway();
      return;
    }
    if (target.closest("input, textarea, select, [contenteditable]")) return;
    const onControl = target.closest("button, a, summary, [role=radio], .record-list, .help") !== null;
    const done = act(app, event, onControl);
    if (done) event.preventDefault();
  };
  const act = ({ game: { playing } }: App, event: KeyboardEvent, onControl: boolean): boolean => {
    const { key, repeat } = event;
    if (playing.value === "computer" && (!onControl || (key !== "Enter" && key !== " ")) && isOurs(key)) {
      game.hurry();
      return true;
    }
    switch (key) {
      case "Enter":
      case " ":
        if (onControl || repeat) return false;
        advance(app);
        return true;
      case "u":
      case "U":
      case "Backspace":
        if (game.may("undo")) game.undo();
        else game.say({ kind: "why", code: "undo" });
        return true;
      case "h":
      case "H":
        if (repeat) return true;
        if (game.hint.value !== null || game.may("hint")) game.toggleHint();
        else game.say({ kind: "why", code: "hint" });
        return true;
      case "/":
        app.recordOpen.value = true;
        // By then the box is drawn, and the next key not yet read.
        queueMicrotask(() => document.querySelector<HTMLElement>("[data-action=type-play]")?.focus());
        return true;
      case "?":
        app.helpOpen.value = !app.helpOpen.value;
        return true;
      default:
        return false;
    }
  };
  document.addEventListener("keydown", onKey);
  return () => document.removeEventListener("keydown", onKey);
}

const isOurs = (key: string): boolean => ["Enter", " ", "u", "U", "Backspace", "h", "H"].includes(key);

/** Enter and Space do what the game waits for: roll, end the turn, the next game. */
function advance(app: App): void {
  const { game } = app;
  if (game.may("roll")) game.roll();
  else if (game.may("end")) game.end();
  else if (game.may("next")) game.next();
  else if (game.phase.value === "match-over" || game.phase.value === "game-over") app.restart();
}
