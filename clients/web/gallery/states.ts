import { START } from "../src/board/position";
import type { HintPath, Move, Option, Place, Position, Step, Table } from "../src/board/types";

export interface State {
  readonly table: Table;
  readonly options: readonly Option[];
  readonly moves?: readonly Move[];
  readonly hint?: HintPath;
  readonly selected?: Place;
  readonly swapped?: boolean;
  readonly focus?: string;
}

const step = (die: number, to: number, hit = false): Step => ({ die, to, hit });
const option = (from: number, path: Step[], next: Option[] = []): Option => ({ from, path, next });

function position(
  points: Readonly<Record<number, number>>,
  off: readonly [number, number] = [0, 0],
): Position {
  return { points: Array.from({ length: 26 }, (_, i) => points[i] ?? 0), off };
}

const middle = position({
  13: 3,
  17: -3,
  19: -4,
  20: -2,
  24: 1,
  12: -4,
  8: 3,
  6: 6,
  5: -1,
  4: 2,
  1: -1,
});

const table: Table = {
  position: middle,
  dice: { side: 0, values: [5, 3], unused: [5, 3] },
  opening: null,
  last: { side: 1, dice: [4, 1], moves: [{ from: 6, die: 1, to: 5, hit: false }] },
};

const options: Option[] = [
  option(24, [step(5, 19)]),
  option(
    13,
    [step(5, 8)],
    [option(8, [step(3, 5, true)]), option(6, [step(3, 3)]), option(13, [step(3, 10)])],
  ),
  option(13, [step(3, 10)], [option(13, [step(5, 8)]), option(10, [step(5, 5, true)])]),
  option(13, [step(5, 8), step(3, 5, true)]),
  option(8, [step(3, 5, true)], [option(13, [step(5, 8)])]),
  option(8, [step(5, 3)], [option(13, [step(3, 10)])]),
  option(6, [step(3, 3)]),
  option(6, [step(5, 1, true)]),
  option(4, [step(3, 1, true)]),
];
const playable = options.slice(1);

const hint: HintPath = [
  { from: 13, die: 5, to: 8, hit: false },
  { from: 8, die: 3, to: 5, hit: true },
];

const bearing = position({ 6: 2, 5: 3, 4: 2, 3: 1, 1: 1, 24: -2, 23: -3, 22: -3, 21: -2, 20: -1 }, [6, 4]);

export const STATES: Readonly<Record<string, State>> = {
  start: {
    table: { position: START, dice: null, opening: null, last: null },
    options: [],
  },
  opening: {
    table: { position: START, dice: null, opening: [5, 2], last: null },
    options: [],
  },
  movable: { table, options: playable },
  selected: { table, options: playable, selected: 13, hint },
  target: { table, options: playable, selected: 13 },
  focus: { table, options: playable, focus: "8" },
  used: {
    table: {
      ...table,
      position: position({ 13: 2, 17: -3, 19: -4, 20: -2, 24: 1, 12: -4, 8: 4, 6: 6, 5: -1, 4: 2, 1: -1 }),
      dice: { side: 0, values: [5, 3], unused: [3] },
    },
    options: [option(8, [step(3, 5, true)]), option(13, [step(3, 10)]), option(6, [step(3, 3)])],
    moves: [{ from: 13, die: 5, to: 8, hit: false }],
  },
  doubles: {
    table: { ...table, dice: { side: 0, values: [4, 4], unused: [4, 4, 4] } },
    options: [
      option(24, [step(4, 20)]),
      option(13, [step(4, 9)]),
      option(13, [step(4, 9), step(4, 5, true)]),
      option(13, [step(4, 9), step(4, 5, true), step(4, 1, true)]),
      option(8, [step(4, 4)]),
      option(6, [step(4, 2)]),
    ].slice(1),
    selected: 13,
  },
  computer: {
    table: { ...table, dice: { side: 1, values: [6, 1], unused: [6, 1] } },
    options: [],
  },
  spent: {
    table: {
      position: middle,
      dice: null,
      opening: null,
      last: { side: 1, dice: [4, 1], moves: [{ from: 6, die: 1, to: 5, hit: false }] },
    },
    options: [],
  },
  "bear-off": {
    table: {
      position: bearing,
      dice: { side: 0, values: [6, 2], unused: [6, 2] },
      opening: null,
      last: null,
    },
    options: [
      option(6, [step(6, 0)]),
      option(6, [step(2, 4)]),
      option(5, [step(2, 3)]),
      option(4, [step(2, 2)]),
    ],
    selected: 6,
  },
  bar: {
    table: {
      position: position({ 25: 2, 0: -4, 13: 3, 8: 3, 6: 5, 24: -1, 19: -4, 17: -3, 12: -3, 5: 2 }),
      dice: { side: 0, values: [6, 1], unused: [6, 1] },
      opening: null,
      last: null,
    },
    options: [option(25, [step(1, 24, true)]), option(25, [step(6, 19)])].slice(0, 1),
    selected: 25,
  },
  stress: {
    table: {
      position: position(
        { 0: -4, 13: -5, 18: -5, 19: 5, 24: -2, 12: 5, 7: 12, 6: -5, 1: 2, 25: 2 },
        [15, 15],
      ),
      dice: { side: 0, values: [6, 6], unused: [6, 6, 6, 6] },
      opening: null,
      last: null,
    },
    options: [],
  },
};
