/**
 * The words of the protocol (docs/protocol.md, version 1), as TypeScript sees them.
 *
 * Field names are those of the wire. Ids and sessions are hex text here and 16 bytes on the wire; the two codecs
 * (`incoming.ts`, `outgoing.ts`) turn them. Nothing in this folder knows a rule of the game.
 */

import type { Frame } from "../board/types";

/** `[at, kind, ...]`: the board takes them as they come. */
export type { Frame };

export const PROTOCOL = 1;

/** A 16-byte id as 32 hex digits. */
export type Id = string;

/** 0 the player, 1 the computer. */
export type Side = 0 | 1;

/** `[from, die, to, hit]`, counted along the mover's own way; 25 is the bar, 0 is off. */
export type Move = readonly [from: number, die: number, to: number, hit: number];

/** One checker along `path` = `[die, to, die, to, ...]` (a negative `to` hits); `next` is missing one step ahead. */
export type Option = readonly [from: number, path: readonly number[], next?: readonly Option[]];

export type Phase =
  | "seed"
  | "to-roll"
  | "moving"
  | "confirm"
  | "computer"
  | "game-over"
  | "match-over"
  | "dropped";

export type Level = "beginner" | "normal" | "expert";
export type Format = 1 | 5 | 7;
export type Pace = "real" | "fast" | "instant";

export interface Dice {
  readonly side: Side;
  readonly values: readonly [number, number];
  readonly unused: readonly number[];
}

export interface Turn {
  readonly side: Side;
  readonly dice: readonly [number, number];
  readonly moves: readonly Move[];
}

/** How a session is played. */
export interface PlayOptions {
  readonly pace: Pace;
  readonly auto_end: boolean;
  readonly auto_forced: boolean;
  readonly auto_bear_off: boolean;
}

export interface Fairness {
  readonly commitment: Uint8Array;
  readonly seed: Uint8Array | null;
  readonly secret: Uint8Array | null;
}

/** `[side, a, b, text]`: one finished turn. */
export type RecordEntry = readonly [side: Side, a: number, b: number, text: string];

export interface View {
  readonly level: Level;
  readonly format: Format;
  readonly practice: boolean;
  readonly game: number;
  readonly score: readonly [number, number];
  readonly phase: Phase;
  readonly board: readonly number[];
  readonly off: readonly [number, number];
  readonly pips: readonly [number, number];
  readonly race: boolean;
  readonly dice: Dice | null;
  readonly opening: readonly (readonly [number, number])[];
  readonly moves: readonly Move[];
  readonly options: readonly Option[];
  readonly may: readonly string[];
  readonly last: Turn | null;
  readonly record: readonly RecordEntry[];
  readonly result: { readonly winner: Side; readonly points: number } | null;
  readonly fairness: Fairness;
  readonly options_set: PlayOptions;
  readonly successor: Id | null;
}

/** The version and the id of a commit; `last` is null before the first. */
export interface Base {
  readonly version: number;
  readonly last: Id | null;
}

export type Command =
  | { readonly t: "seed"; readonly seed: Uint8Array }
  | { readonly t: "move"; readonly from: number; readonly dice: readonly number[] }
  | { readonly t: "play"; readonly text: string }
  | ({ readonly t: "options" } & PlayOptions)
  | { readonly t: "roll" | "undo" | "end" | "next" | "leave" | "restart" };

export type Outgoing =
  | { readonly t: "hello"; readonly session: Id; readonly base: Base }
  | { readonly t: "ping"; readonly n: number }
  | { readonly t: "hint"; readonly id: Id; readonly base: Base }
  | { readonly t: "command"; readonly id: Id; readonly base: Base; readonly command: Command };

export interface Snapshot {
  readonly session: Id;
  readonly version: number;
  readonly last: Id | null;
  readonly view: View;
}

export interface Diff {
  readonly t: "diff";
  readonly from: number;
  readonly version: number;
  readonly last: Id;
  readonly by: Side;
  readonly frames: readonly Frame[];
  readonly set: Partial<View>;
  readonly board: readonly (readonly [index: number, count: number])[];
  readonly record: readonly RecordEntry[];
}

export interface HintPlay {
  readonly moves: readonly Move[];
  readonly text: string;
  readonly equity: number;
  readonly loss: number;
  readonly win: number;
  readonly gammon: number;
  readonly backgammon: number;
  readonly lose_gammon: number;
  readonly reasons: readonly (readonly [code: string, ...numbers: readonly number[]])[];
}

export interface Hint {
  readonly t: "hint";
  readonly id: Id;
  readonly version: number;
  readonly plays: readonly HintPlay[];
  readonly undo_better: number | null;
}

export interface Refusal {
  readonly code: string;
  readonly text: string;
}

export type Incoming =
  | ({ readonly t: "snapshot" } & Snapshot)
  | Diff
  | Hint
  | { readonly t: "done"; readonly id: Id; readonly version: number }
  | ({ readonly t: "refused"; readonly id: Id; readonly snapshot: Snapshot | null } & Refusal)
  | ({ readonly t: "error" } & Refusal)
  | { readonly t: "pong"; readonly n: number; readonly version: number }
  | { readonly t: "watching"; readonly pages: number };
