import type { ComponentType } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useApp } from "../app/context";
import { Close } from "../app/icons";

type Pages = ComponentType;

/** The help opens beside the game and leaves it as it is; what it says is loaded when it is first opened. */
export function HelpPanel({ beside }: { beside: boolean }) {
  const app = useApp();
  const words = app.words.value;
  const [pages, setPages] = useState<{ Pages: Pages } | "failed" | null>(null);
  useEffect(() => {
    let open = true;
    import("./HelpPages").then(
      ({ HelpPages }) => open && setPages({ Pages: HelpPages }),
      () => open && setPages("failed"),
    );
    return () => {
      open = false;
    };
  }, []);
  const box = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    // Over the game, it is what is read and scrolled; beside it, the game goes on.
    if (beside) return;
    const help = box.current!;
    const before = document.activeElement as HTMLElement | null;
    help.focus({ preventScroll: true });
    return () => {
      if (help.contains(document.activeElement)) before?.focus({ preventScroll: true });
    };
  }, []);
  useEffect(() => {
    // In a game Esc first puts away what lies on the board (game/keys.ts).
    const close = ({ key, defaultPrevented }: KeyboardEvent) => {
      if (key !== "Escape" || defaultPrevented) return;
      if (app.screen.value === "lobby" && app.panel.value === null) app.helpOpen.value = false;
    };
    addEventListener("keydown", close);
    return () => removeEventListener("keydown", close);
  }, [app]);
  return (
    <aside ref={box} tabIndex={-1} class="help" aria-label={words.help.title}>
      <div class="dialog-head">
        <h2>{words.help.title}</h2>
        <button
          type="button"
          class="plain square"
          data-action="close-help"
          aria-label={words.actions.close}
          onClick={() => {
            app.helpOpen.value = false;
          }}
        >
          <Close />
        </button>
      </div>
      {pages === null && <p class="note">{words.help.loading}</p>}
      {pages === "failed" && <p role="alert">{words.help.failed}</p>}
      {pages !== null && pages !== "failed" && <pages.Pages />}
    </aside>
  );
}
