import { describe, expect, it } from "vitest";
import {
  board,
  dieSpots,
  fit,
  growth,
  type Layout,
  neighbour,
  placeAt,
  plan,
  rimSpot,
  slabThickness,
  slot,
  strip,
  well,
  wellLength,
} from "./geometry";
import { BAR, OFF, PLACES, placeName, THEIR_BAR, THEIR_OFF } from "./places";

const LAYOUTS: readonly Layout[] = ["desktop", "portrait", "landscape"];

describe("the measures of a board", () => {
  it.each([
    ["desktop", 60, 1028, 716],
    ["portrait", 32, 360, 528],
    ["landscape", 32, 532, 352],
  ] as const)("%s at d = %i is %i by %i", (layout, d, width, height) => {
    expect(board(layout, d)).toMatchObject({ width, height });
  });

  it("keeps the proportion of strips and checkers on the desktop: 17 to 15", () => {
    expect(board("desktop", 60).w).toBe(68);
  });
});

describe("fitting", () => {
  it.each([
    [1440, 900, "desktop", "full", 60],
    [360, 740, "portrait", "full", 32],
    [390, 844, "portrait", "full", 35],
    [360, 640, "portrait", "bare", 32],
    [320, 568, "portrait", "bare", 28],
    [740, 360, "landscape", "full", 32],
    [844, 390, "landscape", "full", 35],
    [1920, 1080, "desktop", "full", 76],
  ] as const)("a window of %i by %i: %s, chrome %s, checkers of %i", (width, height, layout, chrome, d) => {
    const chosen = plan(width, height);
    expect(chosen).toMatchObject({ layout, chrome });
    expect(chosen.geometry.d).toBe(d);
  });

  it("turns the board on a tablet held upright, where checkers are a third larger than unturned", () => {
    const turned = plan(768, 1024);
    expect(turned.layout).toBe("portrait");
    expect(turned.geometry.d).toBeGreaterThanOrEqual(53);
    // biome-ignore lint/suspicious/noFocusedTests: it fits a board, it focuses no test
    expect(fit("desktop", 768 - 48, 1024 - 184).d).toBe(40);
  });

  it("prefers rails where a low window would make small checkers", () => {
    expect(plan(1366, 650)).toMatchObject({ layout: "landscape" });
    expect(plan(1366, 650).geometry.d).toBeGreaterThan(50);
  });

  it("grows beyond the usual size on very large screens", () => {
    expect(plan(3840, 2160).geometry.d).toBeGreaterThan(110);
  });

  it("never needs more than there is, from 320 px to 4K", () => {
    const tooLarge: string[] = [];
    for (let width = 320; width <= 3840; width += 160) {
      for (let height = 320; height <= 2160; height += 154) {
        for (const large of [false, true]) {
          const { geometry } = plan(width, height, { large });
          if (geometry.width > width || geometry.height > height) tooLarge.push(`${width} x ${height}`);
        }
      }
    }
    expect(tooLarge).toEqual([]);
  });

  it("gives larger checkers to those who want them", () => {
    expect(plan(1440, 900, { large: true }).geometry.d).toBeGreaterThan(60);
    expect(plan(360, 740, { large: true }).geometry.d).toBeGreaterThan(32);
  });
});

describe("places", () => {
  const desktop = board("desktop", 60);

  it.each([
    [13, 60, 56],
    [12, 60, 660],
    [24, 884, 56],
    [1, 884, 660],
    [6, 544, 660],
  ])("the first checker of point %i stands at (%i, %i) on the desktop", (point, x, y) => {
    expect(slot(desktop, point, 0)).toEqual({ x, y });
  });

  it("stacks five and puts the others on the fifth", () => {
    expect(slot(desktop, 6, 4)).toEqual({ x: 544, y: 420 });
    expect(slot(desktop, 6, 11)).toEqual(slot(desktop, 6, 4));
  });

  it("puts the player's checkers on the bar below the middle, the computer's above", () => {
    expect(slot(desktop, BAR, 0)).toEqual({ x: 472, y: 400 });
    expect(slot(desktop, THEIR_BAR, 0)).toEqual({ x: 472, y: 316 });
  });

  it("turns the board a quarter clockwise in portrait: home at the bottom left, point 24 at the bottom right", () => {
    const g = board("portrait", 32);
    expect(slot(g, 1, 0)).toEqual({ x: 32, y: 466 });
    expect(slot(g, 24, 0)).toEqual({ x: 328, y: 466 });
    expect(slot(g, 12, 0)).toEqual({ x: 32, y: 26 });
    expect(slot(g, BAR, 0).x).toBeLessThan(180);
    expect(well(g, OFF)).toMatchObject({ x: 16, y: 488, height: 32 });
  });

  it.each(LAYOUTS)("mirrors %s left to right and nothing else", (layout) => {
    const g = board(layout, 40);
    const m = board(layout, 40, { mirrored: true });
    for (const place of PLACES) {
      const { x, y } = slot(g, place, 0);
      const mirrored = slot(m, place, 0);
      expect(mirrored.x, placeName(place)).toBeCloseTo(g.width - x);
      expect(mirrored.y, placeName(place)).toBeCloseTo(y);
    }
  });

  it.each(LAYOUTS)("keeps every stack of %s inside its strip and the board", (layout) => {
    const g = board(layout, 40);
    for (const place of PLACES) {
      const box = strip(g, place);
      for (let i = 0; i < 15; i++) {
        const { x, y } = slot(g, place, i);
        expect(x, placeName(place)).toBeGreaterThanOrEqual(box.x);
        expect(x).toBeLessThanOrEqual(box.x + box.width);
        expect(y).toBeGreaterThanOrEqual(box.y);
        expect(y).toBeLessThanOrEqual(box.y + box.height);
      }
    }
  });

  it.each(LAYOUTS)("has room for fifteen slabs in the wells of %s", (layout) => {
    for (const d of [26, 32, 60]) {
      const g = board(layout, d);
      expect(slabThickness(g) * 15 + 8).toBeLessThanOrEqual(wellLength(g) + 1e-9);
    }
  });

  it.each(LAYOUTS)("keeps checkers on the bar of %s clear of the dice lying there", (layout) => {
    const g = board(layout, 40);
    if (layout === "desktop") return;
    for (const die of dieSpots(g)) {
      for (const bar of [BAR, THEIR_BAR]) {
        const checker = slot(g, bar, 0);
        expect(Math.hypot(checker.x - die.x, checker.y - die.y)).toBeGreaterThan((g.d + g.die) / 2);
      }
    }
  });

  it.each([
    ["desktop", 13, 0, 1],
    ["desktop", 6, 0, -1],
    ["portrait", 6, 1, 0],
    ["portrait", 13, -1, 0],
    ["desktop", OFF, 0, -1],
  ] as const)("in %s the stack of %i grows towards (%i, %i)", (layout, place, x, y) => {
    const way = growth(board(layout, 40), place);
    expect([way.x + 0, way.y + 0]).toEqual([x, y]);
  });

  it("writes the numbers on the rim", () => {
    expect(rimSpot(desktop, 13)).toEqual({ x: 60, y: 13 });
    expect(rimSpot(desktop, 12)).toEqual({ x: 60, y: 703 });
  });
});

describe("what lies under a pointer", () => {
  it.each(LAYOUTS)("is the place whose strip it is in %s, mirrored or not", (layout) => {
    for (const mirrored of [false, true]) {
      const g = board(layout, 32, { mirrored });
      for (const place of PLACES) {
        const { x, y, width, height } = strip(g, place);
        expect(placeName(placeAt(g, x + width / 2, y + height / 2))).toBe(placeName(place));
      }
    }
  });

  it("is as large as a finger needs: strips of at least 24 px on the smallest phone", () => {
    const g = plan(320, 568).geometry;
    for (const place of PLACES) {
      const { width, height } = strip(g, place);
      expect(Math.min(width, height), placeName(place)).toBeGreaterThanOrEqual(24);
    }
  });

  const g = board("desktop", 60);
  const edge = strip(g, 8).x; // between 9 (left) and 8 (right)

  it("prefers a place where something may be done to its neighbour, near their border", () => {
    expect(placeAt(g, edge - 3, 600)).toBe(9);
    expect(placeAt(g, edge - 3, 600, new Set([8]))).toBe(8);
  });

  it("does not prefer it from afar", () => {
    expect(placeAt(g, edge - 20, 600, new Set([8]))).toBe(9);
  });

  it("takes the place itself where both may do", () => {
    expect(placeAt(g, edge - 3, 600, new Set([8, 9]))).toBe(9);
  });
});

describe("walking with the arrow keys", () => {
  const desktop = board("desktop", 60);
  const portrait = board("portrait", 32);

  it.each([
    [desktop, 13, "right", "14"],
    [desktop, 13, "down", "12"],
    [desktop, 18, "right", "their-bar"],
    [desktop, THEIR_BAR, "right", "19"],
    [desktop, THEIR_BAR, "down", "bar"],
    [desktop, 24, "right", "their-off"],
    [desktop, 1, "right", "off"],
    [desktop, 6, "left", "bar"],
    [desktop, 12, "left", "12"],
    [desktop, 13, "up", "13"],
    [portrait, 6, "up", "bar"],
    [portrait, BAR, "up", "7"],
    [portrait, 6, "right", "19"],
    [portrait, 1, "down", "off"],
    [portrait, OFF, "right", "their-off"],
    [board("desktop", 60, { mirrored: true }), 13, "left", "14"],
  ] as const)("%#: from %s", (g, place, direction, there) => {
    expect(placeName(neighbour(g, place, direction))).toBe(there);
  });

  it("reaches every place from every place", () => {
    for (const g of [desktop, portrait, board("landscape", 32)]) {
      const seen = new Set([13]);
      for (const place of seen) {
        for (const way of ["up", "down", "left", "right"] as const) seen.add(neighbour(g, place, way));
      }
      expect([...seen].sort((a, b) => a - b)).toEqual([...PLACES].sort((a, b) => a - b));
    }
  });

  it("names the computer's tray", () => {
    expect(placeName(THEIR_OFF)).toBe("their-off");
  });
});
