import { describe, expect, it } from "vitest";
import { firstDie, landings, mayBeSwapped, movable, movesOf, movesToTakeBack, shownDice } from "./choices";
import type { Dice, Move, Option, Step } from "./types";

const step = (die: number, to: number, hit = false): Step => ({ die, to, hit });
const option = (from: number, ...path: Step[]): Option => ({ from, path, next: [] });
const move = (from: number, die: number, to: number): Move => ({ from, die, to, hit: false });
const dice = (a: number, b: number, unused: readonly number[] = [a, b]): Dice => ({
  side: 0,
  values: [a, b],
  unused,
});

describe("what may be done", () => {
  const plain = option(13, step(5, 8), step(3, 5));
  const hitting = option(13, step(3, 10, true), step(5, 5));
  const options = [
    option(13, step(5, 8)),
    option(13, step(3, 10, true)),
    hitting,
    plain,
    option(6, step(3, 3)),
  ];

  it("is the first option that matches from and to", () => {
    expect(landings(options, 13).get(5)).toBe(hitting);
  });

  it("names the places whose checkers may move, and their targets", () => {
    expect([...movable(options)]).toEqual([13, 6]);
    expect([...landings(options, 13).keys()]).toEqual([8, 10, 5]);
    expect(landings(options, 24).size).toBe(0);
    expect(landings(options, null).size).toBe(0);
  });

  it("is played as single moves, each from where the one before ended", () => {
    expect(movesOf(hitting)).toEqual([
      { from: 13, die: 3, to: 10, hit: true },
      { from: 10, die: 5, to: 5, hit: false },
    ]);
  });
});

describe("the same checker again", () => {
  const options = [option(8, step(5, 3)), option(8, step(3, 5)), option(8, step(5, 3), step(3, 0))];

  it("plays the larger die", () => {
    expect(firstDie(options, 8, dice(3, 5), false)).toBe(options[0]);
  });

  it("plays the smaller die where the player swapped them", () => {
    expect(firstDie(options, 8, dice(3, 5), true)).toBe(options[1]);
  });

  it("plays the other die where the first cannot be played", () => {
    expect(firstDie([options[1]!], 8, dice(3, 5), false)).toBe(options[1]);
  });

  it("does nothing where the checker cannot move", () => {
    expect(firstDie(options, 6, dice(3, 5), false)).toBeUndefined();
  });
});

describe("the dice shown", () => {
  it.each([
    [3, 5, false, [5, 3]],
    [5, 3, false, [5, 3]],
    [3, 5, true, [3, 5]],
    [5, 3, true, [3, 5]],
    [4, 4, true, [4, 4]],
  ] as const)("%i and %i, swapped %s: %j", (a, b, swapped, shown) => {
    expect(shownDice([a, b], swapped)).toEqual(shown);
  });

  it("may be swapped only while both are to be played and differ", () => {
    expect(mayBeSwapped(dice(3, 5))).toBe(true);
    expect(mayBeSwapped(dice(3, 5, [3]))).toBe(false);
    expect(mayBeSwapped(dice(4, 4, [4, 4]))).toBe(false);
    expect(mayBeSwapped({ ...dice(3, 5), side: 1 })).toBe(false);
    expect(mayBeSwapped(null)).toBe(false);
  });
});

describe("dragging a moved checker back", () => {
  it.each([
    ["one move", [move(13, 5, 8)], 8, 13, 1],
    ["two moves of one checker", [move(13, 5, 8), move(8, 3, 5)], 5, 13, 2],
    ["the second of them", [move(13, 5, 8), move(8, 3, 5)], 5, 8, 1],
    ["an earlier move takes the later ones with it", [move(13, 5, 8), move(6, 3, 3)], 8, 13, 2],
    ["two that met on one point: the one that came from there", [move(8, 3, 5), move(6, 1, 5)], 5, 8, 2],
    ["back from the tray", [move(6, 6, 0)], 0, 6, 1],
    ["a place that no move came from", [move(13, 5, 8)], 8, 24, 0],
    ["a checker that did not move", [move(13, 5, 8)], 6, 8, 0],
    ["no moves", [], 8, 13, 0],
  ] as const)("%s", (_, moves, place, home, count) => {
    expect(movesToTakeBack(moves, place, home)).toBe(count);
  });
});
