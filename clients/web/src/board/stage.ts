/**
 * What is shown, and when. The truth is a `Table`; frames are only the way there. Whatever interrupts them, the stage ends
 * on the last truth that it was given.
 */

import { type Signal, signal } from "@preact/signals";
import { glideTime } from "./glide";
import { checkersAt, OFF, placeOf } from "./places";
import { advance, START, takeBack } from "./position";
import type { Cue, Frame, LastTurn, Move, Place, Side, Table } from "./types";

/** How checkers get to their new places: set down there, moved, or taken back. */
export type Glide = "none" | "move" | "undo";

export interface Clock {
  /** Milliseconds, never going back. */
  now(): number;
  /** Calls `then` after `ms`; the answer cancels it. */
  after(ms: number, then: () => void): () => void;
}

export interface StageHooks {
  /** A sound is due in `delay` ms. */
  onCue?(cue: Cue, delay: number): void;
  /** A frame has come into sight. */
  onFrame?(frame: Frame): void;
}

const browserClock: Clock = {
  now: () => performance.now(),
  after: (ms, then) => {
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  },
};

/** Least times in ms that one sees something before the next thing happens; the frames' own times may be longer. */
const SEEN = { opening: 900, dice: 480, checker: 140, forced: 320, pass: 700 };
/** Sounds that come later than this (the page was asleep) are left out. */
const LATE = 400;

interface Scheduled {
  readonly frames: readonly Frame[];
  readonly times: readonly number[];
  readonly table: Table;
  /** When the truth of this play is reached. */
  readonly end: number;
  done: number;
}

export const EMPTY_TABLE: Table = { position: START, dice: null, opening: null, last: null };

export class Stage {
  readonly table: Signal<Table> = signal(EMPTY_TABLE);
  /** Frames are still to come. */
  readonly busy = signal(false);
  /** Counts the throws of dice: each new number is one that is to be seen rolling. */
  readonly throws = signal(0);
  /** The place whose checker the player has selected. */
  readonly selected: Signal<Place | null> = signal<Place | null>(null);
  /** The smaller die is the first. */
  readonly swapped = signal(false);
  /** How the last change of `table` gets to its place; the board reads it with the change. */
  glide: Glide = "none";

  readonly #hooks: StageHooks;
  readonly #clock: Clock;
  #queue: Scheduled[] = [];
  #cancel: (() => void) | null = null;

  constructor(hooks: StageHooks = {}, clock: Clock = browserClock) {
    this.#hooks = hooks;
    this.#clock = clock;
  }

  /** This is the truth, now: what was still to be played is dropped. */
  show(table: Table, glide: Glide = "none"): void {
    this.#stop();
    this.#set(table, glide);
    this.busy.value = false;
  }

  /**
   * Plays `frames` and ends on `table`. While something is still playing this waits its turn. Frames that are all due at
   * once (the player's own moves, the pace 即时) are shown before this returns.
   */
  play(frames: readonly Frame[], table: Table): void {
    const start = Math.max(this.#clock.now(), this.#queue.at(-1)?.end ?? 0);
    const { times, end } = schedule(frames, start);
    this.#queue.push({ frames, times, table, end, done: 0 });
    this.busy.value = true;
    this.#run();
  }

  /** Everything that is still to come is here at once. */
  hurry(): void {
    const last = this.#queue.at(-1);
    if (!last) return;
    for (const play of this.#queue) {
      for (const frame of play.frames.slice(play.done)) this.#hooks.onFrame?.(frame);
    }
    this.show(last.table);
  }

  #stop(): void {
    this.#cancel?.();
    this.#cancel = null;
    this.#queue = [];
  }

  #run(): void {
    this.#cancel?.();
    this.#cancel = null;
    for (let play = this.#queue[0]; play; play = this.#queue[0]) {
      const now = this.#clock.now();
      while (play.done < play.frames.length && play.times[play.done]! <= now) {
        const at = play.times[play.done]!;
        this.#beat(play.frames[play.done++]!, now - at > LATE);
      }
      const due = play.done < play.frames.length ? play.times[play.done]! : play.end;
      if (due > now) {
        this.#cancel = this.#clock.after(due - now, () => this.#run());
        return;
      }
      this.#queue.shift();
      this.#set(play.table, this.glide);
    }
    this.busy.value = false;
  }

  #beat(frame: Frame, late: boolean): void {
    const before = this.table.value;
    const { table, glide, thrown } = next(before, frame);
    if (thrown && !late) this.throws.value++;
    this.#set(table, glide ?? this.glide);
    this.#hooks.onFrame?.(frame);
    const cue = late ? null : cueOf(before, frame);
    if (cue) this.#hooks.onCue?.(cue.cue, cue.delay);
  }

  #set(table: Table, glide: Glide): void {
    this.glide = glide;
    if (turnOf(table) !== turnOf(this.table.value)) this.swapped.value = false;
    this.table.value = table;
  }
}

/** Dice that are the same throw have the same text. */
function turnOf({ dice }: Table): string {
  return dice ? `${dice.side} ${dice.values}` : "";
}

/** When each frame is to be seen, from `start`, and when all has been seen. */
export function schedule(frames: readonly Frame[], start: number): { times: number[]; end: number } {
  // All at once, and not thrown by the player: its own move, an undo, or the computer at no pace.
  const paced = frames.some(
    ([at, kind, side]) => at > 0 || kind === "opening" || (kind === "dice" && side === 0),
  );
  const spread = frames.some(([at]) => at > 0);
  const times: number[] = [];
  let free = start;
  for (const [at, kind] of frames) {
    const time = Math.max(start + at, free);
    times.push(time);
    free = time + (paced ? least(kind, spread) : 0);
  }
  const last = frames.at(-1)?.[1];
  const lingers = last === "dice" || last === "opening" || last === "pass";
  return { times, end: lingers ? free : (times.at(-1) ?? start) };
}

function least(kind: Frame[1], spread: boolean): number {
  if (kind === "move") return spread ? SEEN.checker : SEEN.forced;
  if (kind === "opening" || kind === "dice" || kind === "pass") return SEEN[kind];
  return 0;
}

interface Beat {
  readonly table: Table;
  readonly glide?: Glide;
  readonly thrown?: boolean;
}

/** The table after a frame. */
export function next(table: Table, frame: Frame): Beat {
  switch (frame[1]) {
    case "opening":
      return { table: { ...table, dice: null, opening: [frame[2], frame[3]] }, thrown: true };
    case "dice": {
      const [, , side, a, b] = frame;
      const unused = a === b ? [a, a, a, a] : [a, b];
      const opened = table.opening;
      // The opening's dice are the first roll: they are taken up, not thrown again.
      const thrown = !(
        opened &&
        ((opened[0] === a && opened[1] === b) || (opened[0] === b && opened[1] === a))
      );
      const last: LastTurn | null = side === 1 ? { side, dice: [a, b], moves: [] } : table.last;
      return { table: { ...table, opening: null, last, dice: { side, values: [a, b], unused } }, thrown };
    }
    case "move": {
      const [, , side] = frame;
      const move = moveOf(frame);
      const position = advance(table.position, side, move);
      const dice = table.dice && { ...table.dice, unused: without(table.dice.unused, move.die) };
      const last =
        side === 1 ? { ...table.last, side, moves: [...(table.last?.moves ?? []), move] } : table.last;
      return { table: { ...table, position, dice, last }, glide: "move" };
    }
    case "undo": {
      const [, , side] = frame;
      const move = moveOf(frame);
      const dice = table.dice && { ...table.dice, unused: [...table.dice.unused, move.die] };
      return { table: { ...table, position: takeBack(table.position, side, move), dice }, glide: "undo" };
    }
    default:
      return { table };
  }
}

type Travel = Extract<Frame, readonly [number, "move" | "undo", ...unknown[]]>;

function moveOf([, , , from, die, to, hit]: Travel): Move {
  return { from, die, to, hit: hit === 1 };
}

function without(dice: readonly number[], die: number): readonly number[] {
  const at = dice.indexOf(die);
  return at < 0 ? dice : [...dice.slice(0, at), ...dice.slice(at + 1)];
}

function cueOf(before: Table, frame: Frame): { cue: Cue; delay: number } | null {
  switch (frame[1]) {
    case "opening":
    case "dice":
      return next(before, frame).thrown ? { cue: "dice", delay: 0 } : null;
    case "move":
      return { cue: landing(before, frame[2], moveOf(frame)), delay: glideTime("move", frame[3] - frame[5]) };
    case "undo":
      return { cue: "place", delay: glideTime("undo", frame[3] - frame[5]) };
    case "win":
      return { cue: frame[2] === 0 ? "win" : "loss", delay: 300 };
    default:
      return null;
  }
}

function landing(before: Table, side: Side, move: Move): Cue {
  if (move.to === OFF) return "off";
  if (move.hit) return "hit";
  return checkersAt(before.position, placeOf(side, move.to)) === 0 ? "place" : "stack";
}
