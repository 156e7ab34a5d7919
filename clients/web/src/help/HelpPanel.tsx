import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useApp } from "../app/context";
import { Close } from "../app/icons";

type Pages = ComponentType;

/** The help opens beside the game and leaves it as it is; what it says is loaded when it is first opened. */
export function HelpPanel() {
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
    <aside class="help" aria-label={words.help.title}>
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
