import { describe, expect, it } from "vitest";
import { BAR, checkersAt, OFF, PLACES, THEIR_BAR } from "./places";
import { advance, landingPlaces, START, takeBack } from "./position";
import { outermost, settle } from "./settle";
import type { Move, Position, Side } from "./types";

const move = (from: number, die: number, to: number, hit = false): Move => ({ from, die, to, hit });
const setUp = settle([], START);

function standsAs(checkers: ReturnType<typeof settle>, position: Position): void {
  expect(new Set(checkers.map(({ id }) => id)).size).toBe(30);
  for (const place of PLACES) {
    const count = checkersAt(position, place);
    const side: Side = count < 0 ? 1 : 0;
    const here = checkers.filter((checker) => checker.place === place);
    expect(here.every((checker) => checker.side === side)).toBe(true);
    expect(here.map(({ index }) => index).sort((a, b) => a - b)).toEqual(
      Array.from({ length: Math.abs(count) }, (_, i) => i),
    );
  }
}

describe("checkers", () => {
  it("are thirty, stacked from zero", () => {
    expect(setUp).toHaveLength(30);
    standsAs(setUp, START);
  });

  it("stay the same ones but for the outermost of the stack that moved, which is drawn last", () => {
    const position = advance(START, 0, move(13, 5, 8));
    const after = settle(setUp, position);
    standsAs(after, position);
    const mover = outermost(setUp, 0, 13)!;
    expect(after.at(-1)).toEqual({ ...mover, place: 8, index: 3 });
    for (const before of setUp) {
      if (before.id !== mover.id) expect(after.find(({ id }) => id === before.id)).toBe(before);
    }
  });

  it("go to the bar when hit and come back when it is taken back", () => {
    const blot = advance(START, 1, move(24, 1, 23)); // the computer leaves a blot on the player's 2 point
    const before = settle(setUp, blot);
    const hit = advance(blot, 0, move(6, 4, 2, true));
    const after = settle(before, hit);
    standsAs(after, hit);
    expect(after.filter(({ place }) => place === THEIR_BAR)).toHaveLength(1);
    const undone = settle(after, takeBack(hit, 0, move(6, 4, 2, true)));
    standsAs(undone, blot);
    const victim = outermost(after, 1, THEIR_BAR)!.id;
    expect(undone.find(({ id }) => id === victim)!.place).toBe(2);
  });

  it("travel by one step where a drag uses several dice", () => {
    const position = advance(advance(START, 0, move(24, 6, 18)), 0, move(18, 5, 13));
    const after = settle(setUp, position);
    expect(after.filter((checker, i) => checker !== setUp[i] && checker.place === 13).length).toBeGreaterThan(
      0,
    );
    expect(after.at(-1)!.id).toBe(outermost(setUp, 0, 24)!.id);
  });

  it("stand rightly after any jump from one position to another", () => {
    const far: Position = {
      points: [-2, 0, 0, 0, 0, 0, 2, 0, 0, -3, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4],
      off: [8, 10],
    };
    const there = settle(setUp, far);
    standsAs(there, far);
    standsAs(settle(there, START), START);
  });
});

describe("a position", () => {
  it("has fifteen checkers a side at the start", () => {
    expect(START.points).toHaveLength(26);
    expect(START.points.filter((n) => n > 0).reduce((a, b) => a + b)).toBe(15);
    expect(START.points.filter((n) => n < 0).reduce((a, b) => a + b)).toBe(-15);
  });

  it.each([
    ["an own move", 0, move(8, 3, 5)],
    ["the computer's move", 1, move(8, 3, 5)],
    ["entering", 0, move(25, 4, 21)],
    ["the computer's entering", 1, move(25, 4, 21)],
    ["bearing off", 0, move(6, 6, 0)],
    ["the computer's bearing off", 1, move(6, 6, 0)],
    ["a hit", 0, move(6, 4, 2, true)],
    ["the computer's hit", 1, move(6, 4, 2, true)],
  ] as const)("comes back from %s exactly", (_, side, one) => {
    expect(takeBack(advance(START, side, one), side, one)).toEqual(START);
  });

  it("counts the computer's points from its own side", () => {
    const after = advance(START, 1, move(24, 1, 23));
    expect(after.points[1]).toBe(-1);
    expect(after.points[2]).toBe(-1);
  });

  it("puts a hit checker on its owner's bar", () => {
    expect(checkersAt(advance(START, 0, move(6, 5, 1, true)), THEIR_BAR)).toBe(-1);
    expect(checkersAt(advance(START, 1, move(6, 5, 1, true)), BAR)).toBe(1);
    expect(checkersAt(advance(START, 0, move(6, 6, 0)), OFF)).toBe(1);
  });

  it("knows where the checkers of a turn came to rest", () => {
    expect([...landingPlaces(0, [move(13, 5, 8), move(8, 3, 5), move(6, 1, 5)])]).toEqual([[5, 2]]);
    expect([...landingPlaces(1, [move(13, 5, 8)])]).toEqual([[17, 1]]);
  });
});
