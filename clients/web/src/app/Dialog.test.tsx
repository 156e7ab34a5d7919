import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { AppContext } from "./context";
import { Dialog } from "./Dialog";
import { lobbyApp } from "./fake";

const onClose = vi.fn();
let dialog: HTMLDialogElement;

const INSIDE = { clientX: 150, clientY: 150 };
const BESIDE = { clientX: 50, clientY: 150 };

beforeEach(async () => {
  const app = lobbyApp();
  await act(() =>
    render(
      <AppContext.Provider value={app}>
        <Dialog kind="sheet" title="-" onClose={onClose}>
          <input />
        </Dialog>
      </AppContext.Provider>,
      document.body,
    ),
  );
  dialog = document.querySelector("dialog")!;
  vi.spyOn(dialog, "getBoundingClientRect").mockReturnValue(new DOMRect(100, 100, 200, 200));
  const now = performance.now();
  vi.spyOn(performance, "now").mockReturnValue(now + 1_000);
});

afterEach(() => {
  render(null, document.body);
  vi.restoreAllMocks();
  onClose.mockReset();
});

type Spot = typeof INSIDE;

/** Presses on one element and lets go on another, which the browser calls a click on what holds both. */
function press(down: [Element, Spot], click: [Element, Spot]): void {
  down[0].dispatchEvent(new PointerEvent("pointerdown", { bubbles: true, ...down[1] }));
  click[0].dispatchEvent(new MouseEvent("click", { bubbles: true, ...click[1] }));
}

test("a press beside the dialog closes it", () => {
  press([dialog, BESIDE], [dialog, BESIDE]);
  expect(onClose).toHaveBeenCalledTimes(1);
});

test("one on its own edge does not", () => {
  press([dialog, INSIDE], [dialog, INSIDE]);
  expect(onClose).not.toHaveBeenCalled();
});

test("one that begins inside and ends beside it does not, nor the other way round", () => {
  const input = dialog.querySelector("input")!;
  press([input, INSIDE], [dialog, BESIDE]);
  press([dialog, BESIDE], [dialog, INSIDE]);
  expect(onClose).not.toHaveBeenCalled();
});
