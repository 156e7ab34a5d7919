import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useApp } from "./context";
import { Close } from "./icons";

/** A press beside a dialog that has only just opened was meant for what it hides: the second of a double click. */
const NOT_MEANT_FOR_MS = 350;

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
  const opened = useRef(0);
  /** The press that is on began beside the dialog. One that begins or ends in it selects text, or missed. */
  const began = useRef(false);
  const isBeside = ({ target, clientX: x, clientY: y }: MouseEvent) => {
    const { left, right, top, bottom } = box.current!.getBoundingClientRect();
    return target === box.current && (x < left || x > right || y < top || y > bottom);
  };
  useLayoutEffect(() => {
    const dialog = box.current!;
    const before = document.activeElement;
    dialog.showModal();
    opened.current = performance.now();
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
      onPointerDown={(event) => {
        began.current = isBeside(event);
      }}
      onClick={(event) => {
        const meant = performance.now() - opened.current > NOT_MEANT_FOR_MS;
        if (meant && began.current && isBeside(event)) onClose();
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
