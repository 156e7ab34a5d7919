/**
 * What the board is told and what it tells: plain values, no rule of the game.
 *
 * Numbers are those of docs/protocol.md. A side's moves are counted along its own way (25 the bar, 0 off);
 * positions are always in the player's numbers.
 */

import type { Geometry } from "./geometry";
import type { Stage } from "./stage";

export type Side = 0 | 1;
export const PLAYER: Side = 0;
export const COMPUTER: Side = 1;

/** One die's step of one checker: where it lands (0 = off) and whether it hits there. */
export interface Step {
  readonly die: number;
  readonly to: number;
  readonly hit: boolean;
}

/** One checker moved by one die, in its mover's numbers. */
export interface Move extends Step {
  readonly from: number;
}

/** What may be done with one checker: one or more dice. `next` holds what may be done after it (and has no `next` of its own). */
export interface Option {
  readonly from: number;
  readonly path: readonly Step[];
  readonly next: readonly Option[];
}

/** Counts in the player's numbers: `points[1..24]` > 0 the player's, < 0 the computer's; [25] the player's bar, [0] minus the computer's. */
export interface Position {
  readonly points: readonly number[];
  readonly off: readonly [player: number, computer: number];
}

export interface Dice {
  readonly side: Side;
  readonly values: readonly [number, number];
  readonly unused: readonly number[];
}

/** What is to be seen, in order; `at` in ms after the first sight. The tuples are those of the wire. */
export type Frame =
  | readonly [at: number, kind: "opening", player: number, computer: number]
  | readonly [at: number, kind: "dice", side: Side, a: number, b: number]
  | readonly [at: number, kind: "move", side: Side, from: number, die: number, to: number, hit: 0 | 1]
  | readonly [at: number, kind: "undo", side: Side, from: number, die: number, to: number, hit: 0 | 1]
  | readonly [at: number, kind: "pass", side: Side]
  | readonly [at: number, kind: "end", side: Side]
  | readonly [at: number, kind: "win", side: Side, points: number];

/** The last finished turn: its landing points are marked; its dice lie spent on the board until the next roll. */
export interface LastTurn {
  readonly side: Side;
  readonly dice?: readonly [number, number];
  readonly moves: readonly Move[];
}

/** What lies on the table now. */
export interface Table {
  readonly position: Position;
  readonly dice: Dice | null;
  /** The opening's dice where nobody has begun to play them: the player's, the computer's. */
  readonly opening: readonly [number, number] | null;
  readonly last: LastTurn | null;
}

/** A play drawn as dotted lines: the player's moves, in order. */
export type HintPath = readonly Move[];

/** A place of the board: 1..24 in the player's numbers, 0 off, 25 bar, 26 the computer's bar, 27 its tray. */
export type Place = number;

export type Theme = "wood" | "ink" | "contrast";

/** Why a tap did nothing: nothing may be moved now; not the player's checker; it cannot move; it cannot go there. */
export type Refused = "not-now" | "not-yours" | "cannot-move" | "cannot-land";

/** Sounds to be made; see sound.ts. */
export type Cue = "dice" | "place" | "stack" | "hit" | "off" | "win" | "loss";

export interface BoardProps {
  /** What is shown, and how it gets there. */
  readonly stage: Stage;
  /** Sizes and places: `plan(width, height)` or `fit(...)` of geometry.ts. */
  readonly geometry: Geometry;
  readonly theme: Theme;
  /** Show the points' numbers on the rim. */
  readonly numbers: boolean;
  /** What the player may do now, in order of preference; empty where it is not the player's move. */
  readonly options: readonly Option[];
  /** The moves of the player's unfinished turn, in order. Dragging a checker back along them takes them back. */
  readonly moves: readonly Move[];
  readonly hint: HintPath | null;
  readonly words: BoardWords;
  /** The player has made a permitted move. Called in the event itself: show the outcome before returning. */
  onMove(option: Option): void;
  /** The last `count` moves are to be taken back. */
  onUndo(count: number): void;
  /** A tap that did nothing, so that the prompt can say why. */
  onRefused?(place: Place, why: Refused): void;
}

/** All that the board says, in one language (words.ts has Chinese and English). */
export interface BoardWords {
  /** The name of the whole board. */
  readonly board: string;
  /** "13 点", "bar", ... */
  place(place: Place): string;
  /** "你的棋子五枚"; count 0: empty. */
  checkers(side: Side, count: number): string;
  readonly canMove: string;
  readonly selected: string;
  readonly canLand: string;
  readonly canHit: string;
  /** Between the parts of a label, and at the end of a sentence. */
  readonly comma: string;
  readonly stop: string;
  /** The dice's button: which die is played first. */
  dice(side: Side, first: number, second: number): string;
  readonly swap: string;
  opening(player: number, computer: number): string;
  rolled(side: Side, a: number, b: number): string;
  /** `from` and `to` in the mover's numbers. */
  moved(side: Side, from: number, to: number, hit: boolean): string;
  undone(side: Side, from: number, to: number): string;
  passed(side: Side): string;
  won(side: Side, points: number): string;
}
