/** The positions in the help's pictures, drawn by the board itself. Counts in the player's numbers. */
import { START } from "../board/position";
import type { Dice, Move, Position } from "../board/types";

export interface Picture {
  readonly position: Position;
  readonly dice?: Dice;
  /** A play drawn as dotted lines. */
  readonly hint?: readonly Move[];
}

type Places = Readonly<Record<number, number>>;

/** `mine` and `theirs`: point -> checkers, both in the player's numbers; 25 and 0 the bars. */
function set(mine: Places, theirs: Places, off: readonly [number, number] = [0, 0]): Position {
  const points = Array.from({ length: 26 }, (_, i) => (mine[i] ?? 0) - (theirs[i] ?? 0));
  return { points, off };
}

const rolled = (a: number, b: number): Dice => ({
  side: 0,
  values: [a, b],
  unused: a === b ? [a, a, a, a] : [a, b],
});

const step = (from: number, die: number, hit = false): Move => ({
  from,
  die,
  to: Math.max(from - die, 0),
  hit,
});

const START_THEIRS: Places = { 1: 2, 12: 5, 17: 3, 19: 5 };

export const PICTURES = {
  start: { position: START },
  way: {
    position: START,
    dice: rolled(3, 1),
    hint: [step(8, 3), step(6, 1)],
  },
  blocked: {
    position: set({ 24: 2, 13: 5, 8: 3, 6: 5 }, { ...START_THEIRS, 19: 4, 18: 2, 17: 2 }),
    dice: rolled(6, 5),
  },
  hit: {
    position: set({ 24: 2, 13: 5, 8: 3, 6: 5 }, { 5: 1, 1: 1, 12: 5, 17: 3, 19: 5 }),
    dice: rolled(3, 1),
    hint: [step(8, 3, true), step(6, 1)],
  },
  enter: {
    position: set({ 25: 1, 24: 1, 13: 5, 8: 3, 6: 5 }, { 1: 2, 12: 4, 17: 3, 19: 4, 20: 2 }),
    dice: rolled(4, 2),
    hint: [step(25, 4)],
  },
  bearOff: {
    position: set({ 6: 3, 5: 3, 4: 3, 3: 2, 2: 2, 1: 2 }, { 19: 3, 20: 3, 21: 3, 22: 3, 23: 3 }),
    dice: rolled(6, 3),
    hint: [step(6, 6), step(3, 3)],
  },
  gammon: { position: set({}, { 19: 4, 20: 3, 21: 4, 22: 2, 18: 2 }, [15, 0]) },
  backgammon: { position: set({}, { 19: 4, 20: 3, 21: 4, 22: 3, 3: 1 }, [15, 0]) },
  blot: { position: set({ 24: 2, 13: 4, 9: 1, 8: 3, 6: 5 }, START_THEIRS) },
  made: { position: set({ 24: 2, 13: 5, 8: 2, 6: 4, 5: 2 }, START_THEIRS) },
  anchor: { position: set({ 20: 2, 13: 5, 8: 3, 6: 5 }, START_THEIRS) },
  prime: {
    position: set({ 24: 1, 13: 2, 8: 2, 7: 2, 6: 2, 5: 2, 4: 2, 3: 2 }, { 1: 2, 12: 4, 17: 4, 19: 5 }),
  },
  race: { position: set({ 6: 4, 5: 3, 4: 3, 8: 2, 3: 3 }, { 19: 4, 20: 4, 21: 3, 18: 2, 22: 2 }) },
  closed: {
    position: set({ 6: 3, 5: 3, 4: 3, 3: 2, 2: 2, 1: 2 }, { 0: 1, 12: 4, 17: 4, 19: 6 }),
  },
  builder: { position: set({ 24: 2, 13: 3, 10: 1, 9: 1, 8: 3, 6: 5 }, START_THEIRS) },
  slot: { position: set({ 24: 2, 13: 5, 8: 3, 6: 4, 5: 1 }, START_THEIRS) },
  split: { position: set({ 24: 1, 21: 1, 13: 5, 8: 3, 6: 5 }, START_THEIRS) },
  shot: { position: set({ 24: 2, 13: 4, 8: 3, 7: 1, 6: 5 }, START_THEIRS) },
} satisfies Record<string, Picture>;

export type PictureName = keyof typeof PICTURES;
