import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useApp } from "./context";
import { Close } from "./icons";

/**
 * A modal panel: Esc and a press beside it close it, the focus stays inside and goes back where it came from.
 * `title` names it; where `quiet`, it is for screen readers only.
 */
export function Dialog({
  title,
  kind,
  onClose,
  children,
}: {
  title: string;
  kind: "sheet" | "question";
  onClose: () => void;
  children: ComponentChildren;
}) {
  const app = useApp();
  const box = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = box.current!;
    const before = document.activeElement;
    dialog.showModal();
    return () => {
      dialog.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the key for this is Esc, the dialog's own
    <dialog
      ref={box}
      class={kind}
      aria-labelledby="dialog-title"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === box.current) onClose();
      }}
    >
      <div class="dialog-body">
        <div class="dialog-head">
          <h2 id="dialog-title">{title}</h2>
          {kind === "sheet" && (
            <button
              type="button"
              class="plain square"
              data-action="close"
              aria-label={app.words.value.actions.close}
              onClick={onClose}
            >
              <Close />
            </button>
          )}
        </div>
        {children}
      </div>
    </dialog>
  );
}
