import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Board } from "./Board";
import { movesOf } from "./choices";
import { board, slot, strip } from "./geometry";
import { BAR, OFF, PLACES, placeName } from "./places";
import { advance, START } from "./position";
import { EMPTY_TABLE, Stage } from "./stage";
import type { BoardProps, Move, Option, Place, Step, Table } from "./types";
import { zh } from "./words";

const g = board("desktop", 60);
const step = (die: number, to: number, hit = false): Step => ({ die, to, hit });
const option = (from: number, path: Step[], next: Option[] = []): Option => ({ from, path, next });

const table: Table = { ...EMPTY_TABLE, dice: { side: 0, values: [3, 5], unused: [3, 5] } };
const by5 = option(13, [step(5, 8)]);
const by3 = option(13, [step(3, 10)]);
const both = option(13, [step(3, 10), step(5, 5)]);
const bothOtherwise = option(13, [step(5, 8), step(3, 5)]);
const options = [by5, by3, option(8, [step(5, 3)]), option(8, [step(3, 5)]), both, bothOtherwise];

let root: HTMLElement;
let stage: Stage;
let props: BoardProps;
const onMove = vi.fn<(option: Option) => void>();
const onUndo = vi.fn<(count: number) => void>();
const onRefused = vi.fn<(place: Place, why: string) => void>();

async function draw(changes: Partial<BoardProps> = {}): Promise<void> {
  props = { ...props, ...changes };
  await act(() => render(<Board {...props} />, root));
}

beforeEach(async () => {
  // Checkers are at their places at once: motion is tried in a real browser.
  vi.stubGlobal("matchMedia", () => ({ matches: true }));
  root = document.body.appendChild(document.createElement("div"));
  stage = new Stage();
  stage.show(table);
  props = {
    stage,
    geometry: g,
    theme: "wood",
    numbers: true,
    options,
    moves: [],
    hint: null,
    words: zh,
    onMove,
    onUndo,
    onRefused,
  };
  await draw();
});

afterEach(() => {
  render(null, root);
  root.remove();
  vi.unstubAllGlobals();
  vi.clearAllMocks();
});

const at = (place: Place): SVGElement =>
  root.querySelector<SVGElement>(`[data-point="${placeName(place)}"]`)!;
const named = (attribute: string): string[] =>
  [...root.querySelectorAll(`[${attribute}]`)].map((element) => element.getAttribute("data-point")!).sort();

const middle = (place: Place) => {
  const { x, y, width, height } = strip(g, place);
  return { clientX: x + width / 2, clientY: y + height / 2 };
};

async function pointer(
  type: string,
  target: Element,
  where: { clientX: number; clientY: number },
): Promise<void> {
  await act(() => {
    const event = new PointerEvent(type, {
      bubbles: true,
      isPrimary: true,
      pointerId: 1,
      button: 0,
      ...where,
    });
    target.dispatchEvent(event);
  });
}

async function tap(place: Place): Promise<void> {
  await pointer("pointerdown", at(place), middle(place));
  await pointer("pointerup", at(place), middle(place));
}

async function drag(from: Place, to: Place): Promise<void> {
  await pointer("pointerdown", at(from), middle(from));
  await pointer("pointermove", at(from), middle(to));
  await pointer("pointerup", at(from), middle(to));
}

async function press(place: Place, key: string): Promise<KeyboardEvent> {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
  await act(() => {
    at(place).dispatchEvent(event);
  });
  return event;
}

describe("the board", () => {
  it("names every place, tells which may move, and has one tab stop among them", () => {
    expect(root.querySelectorAll("[data-point]")).toHaveLength(PLACES.length);
    expect(named("data-can-move")).toEqual(["13", "8"]);
    expect(named("data-can-land")).toEqual([]);
    expect(at(13).getAttribute("role")).toBe("button");
    expect(at(13).getAttribute("aria-label")).toBe("13 点，你的棋子五枚，可走");
    expect(root.querySelectorAll('[data-point][tabindex="0"]')).toHaveLength(1);
  });

  it("draws thirty checkers where they stand", () => {
    const stood = [...root.querySelectorAll<SVGElement>(".piece")].map((piece) => piece.style.transform);
    expect(stood).toHaveLength(30);
    const { x, y } = slot(g, 24, 1);
    expect(stood).toContain(`translate(${x}px,${y}px)`);
  });

  it("hides what may be done while frames are still to come", async () => {
    await act(() => stage.play([[500, "dice", 0, 3, 5]], table));
    expect(named("data-can-move")).toEqual([]);
    await act(() => stage.hurry());
    expect(named("data-can-move")).toEqual(["13", "8"]);
  });
});

describe("clicking", () => {
  it("selects, shows the targets, and plays the first option that matches", async () => {
    await tap(13);
    expect(stage.selected.value).toBe(13);
    expect(named("data-can-land")).toEqual(["10", "5", "8"]);
    await tap(5);
    expect(onMove).toHaveBeenCalledExactlyOnceWith(both);
    expect(stage.selected.value).toBeNull();
  });

  it("lands on a place whose own checkers might move too", async () => {
    await tap(13);
    await tap(8);
    expect(onMove).toHaveBeenCalledExactlyOnceWith(by5);
  });

  it("the same checker again plays the larger die, or the smaller where they are swapped", async () => {
    await tap(13);
    await tap(13);
    expect(onMove).toHaveBeenLastCalledWith(by5);
    await act(() => {
      root.querySelector("svg")!.dispatchEvent(new MouseEvent("contextmenu", { button: 2, bubbles: true }));
    });
    await tap(13);
    await tap(13);
    expect(onMove).toHaveBeenLastCalledWith(by3);
  });

  it("an empty or an opposing point cancels and says why", async () => {
    await tap(13);
    await tap(20);
    expect(stage.selected.value).toBeNull();
    expect(onRefused).toHaveBeenLastCalledWith(20, "cannot-land");
    await tap(12);
    expect(onRefused).toHaveBeenLastCalledWith(12, "not-yours");
    await tap(24);
    expect(onRefused).toHaveBeenLastCalledWith(24, "cannot-move");
    await draw({ options: [] });
    await tap(13);
    expect(onRefused).toHaveBeenLastCalledWith(13, "not-now");
    expect(onMove).not.toHaveBeenCalled();
  });

  it("works for assistive technology, which sends clicks without pointers", async () => {
    for (const place of [13, 10]) {
      await act(() => {
        at(place).dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 0 }));
      });
    }
    expect(onMove).toHaveBeenCalledExactlyOnceWith(by3);
  });

  it("swaps the dice by a click on them", async () => {
    await act(() => {
      root
        .querySelector<SVGElement>('[data-action="swap-dice"]')!
        .dispatchEvent(new MouseEvent("click", { bubbles: true }));
    });
    expect(stage.swapped.value).toBe(true);
  });
});

describe("dragging", () => {
  it("plays where it drops, over several dice too", async () => {
    await drag(13, 5);
    expect(onMove).toHaveBeenCalledExactlyOnceWith(both);
  });

  it("lifts the checker off its stack and lets it follow the pointer in the same event", async () => {
    await pointer("pointerdown", at(13), middle(13));
    const where = { clientX: 300, clientY: 200 };
    at(13).dispatchEvent(
      new PointerEvent("pointermove", { bubbles: true, isPrimary: true, pointerId: 1, ...where }),
    );
    expect(root.querySelector<SVGElement>(".held")!.style.transform).toBe("translate(300px,200px)");
    expect(root.querySelectorAll("[data-held]")).toHaveLength(1);
    await pointer("pointercancel", at(13), where);
    expect(root.querySelectorAll("[data-held]")).toHaveLength(0);
    expect(onMove).not.toHaveBeenCalled();
  });

  it.each(["pointerdown of another finger", "pointercancel"])("ends with a %s, as nothing", async (kind) => {
    await pointer("pointerdown", at(13), middle(13));
    await pointer("pointermove", at(13), { clientX: 300, clientY: 200 });
    const other = { bubbles: true, isPrimary: false, pointerId: 2, pointerType: "touch" };
    await act(() => void at(8).dispatchEvent(new PointerEvent("pointercancel", other)));
    expect(root.querySelectorAll("[data-held]")).toHaveLength(1);
    if (kind === "pointercancel") await pointer(kind, at(13), { clientX: 300, clientY: 200 });
    else await act(() => void at(8).dispatchEvent(new PointerEvent("pointerdown", other)));
    expect(root.querySelectorAll("[data-held]")).toHaveLength(0);
    expect(stage.selected.value).toBe(null);
    await pointer("pointerup", at(13), middle(5));
    expect(onMove).not.toHaveBeenCalled();
  });

  it("that misses does nothing", async () => {
    await drag(13, 21);
    expect(onMove).not.toHaveBeenCalled();
    expect(onUndo).not.toHaveBeenCalled();
    expect(onRefused).toHaveBeenCalledExactlyOnceWith(21, "cannot-land");
    expect(root.querySelectorAll("[data-held]")).toHaveLength(0);
  });

  it("back to where it came from takes the move back, over both dice too", async () => {
    const moves: Move[] = movesOf(both);
    const position = moves.reduce((now, move) => advance(now, 0, move), START);
    await act(() => stage.show({ ...table, position, dice: { side: 0, values: [3, 5], unused: [] } }));
    await draw({ options: [], moves });
    await drag(5, 10);
    expect(onUndo).toHaveBeenLastCalledWith(1);
    await drag(5, 13);
    expect(onUndo).toHaveBeenLastCalledWith(2);
  });

  it("ends where a new truth takes the checker away", async () => {
    await pointer("pointerdown", at(8), middle(8));
    await pointer("pointermove", at(8), middle(20));
    const points = [...START.points];
    points[8] = 0;
    points[7] = 3;
    await act(() => stage.show({ ...table, position: { points, off: [0, 0] } }));
    expect(root.querySelectorAll("[data-held]")).toHaveLength(0);
    await pointer("pointerup", at(8), middle(5));
    expect(onMove).not.toHaveBeenCalled();
  });
});

describe("keys", () => {
  it("walk, select and land", async () => {
    at(13).focus();
    const arrow = await press(13, "ArrowDown");
    expect(arrow.defaultPrevented).toBe(true);
    expect(document.activeElement).toBe(at(12));
    await press(13, "Enter");
    expect(stage.selected.value).toBe(13);
    await press(10, " ");
    expect(onMove).toHaveBeenCalledExactlyOnceWith(by3);
  });

  it("Enter again plays the larger die, Escape cancels", async () => {
    await press(13, "Enter");
    const cancel = await press(13, "Escape");
    expect(cancel.defaultPrevented).toBe(true);
    expect(stage.selected.value).toBeNull();
    await press(13, "Enter");
    await press(13, "Enter");
    expect(onMove).toHaveBeenCalledExactlyOnceWith(by5);
  });

  it("Enter and Space are the page's where nothing may be moved", async () => {
    await draw({ options: [] });
    expect((await press(13, "Enter")).defaultPrevented).toBe(false);
    expect((await press(13, " ")).defaultPrevented).toBe(false);
  });
});

describe("bar and tray", () => {
  it("are places like the others", async () => {
    const points = [...START.points];
    points[24] = 1;
    points[BAR] = 1;
    const enter = option(BAR, [step(3, 22)]);
    const off = option(6, [step(6, OFF)]);
    await act(() => stage.show({ ...table, position: { points, off: [0, 0] } }));
    await draw({ options: [enter, off] });
    expect(named("data-can-move")).toEqual(["6", "bar"]);
    await drag(BAR, 22);
    expect(onMove).toHaveBeenLastCalledWith(enter);
    await tap(6);
    expect(named("data-can-land")).toEqual(["off"]);
    await tap(OFF);
    expect(onMove).toHaveBeenLastCalledWith(off);
  });
});
