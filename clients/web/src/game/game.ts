/**
 * One game as the player sees and plays it: the confirmed view, what is laid over it, and what is being shown on the
 * board. Holds no rule: what may be done is what the server has said.
 */
import { batch, computed, effect, type Signal, signal } from "@preact/signals";
import { movesOf } from "../board/choices";
import { samePosition } from "../board/position";
import { EMPTY_TABLE, Stage, type StageHooks } from "../board/stage";
import { COMPUTER, type Option, PLAYER, type Table } from "../board/types";
import type { LinkState, Socket } from "../link/connection";
import { Link } from "../link/link";
import type {
  Command,
  Diff,
  Frame,
  Hint,
  Id,
  PlayOptions,
  Refusal,
  Side,
  Snapshot,
  View,
} from "../link/messages";
import type { Waiting } from "../link/outbox";
import { type Shown, shown } from "./overlay";
import { moveFrame, moveOf, patched, tableOf } from "./table";

/** What the player sees, as `data-phase` tells it. */
export type SeenPhase =
  | "opening"
  | "to-roll"
  | "moving"
  | "confirm"
  | "computer"
  | "game-over"
  | "match-over";

/** What is said on the prompt line for once, until something else happens. */
export type Notice =
  | { readonly kind: "refusal" | "why"; readonly code: string }
  | { readonly kind: "passed"; readonly side: Side }
  | { readonly kind: "first"; readonly side: Side; readonly dice: readonly [number, number] };

export interface GameHooks extends StageHooks {
  openSocket(): Socket;
  /** 32 bytes for the dice of the next game. */
  seed(): Promise<Uint8Array>;
  /** The session can't be shown: it is not there, or the page is too old. */
  failed(refusal: Refusal): void;
  /** How the session is played was changed, here or by another page. */
  played(options: PlayOptions): void;
}

/** A session that this page has just started: the id that started it, and the seed for its first game. */
export interface Begun {
  readonly by: Id;
  readonly seed: Uint8Array;
}

const ASK_SEED_AT_MOST = 4;
/** The computer's turn takes a few seconds at most. After so many ms without it something may have been lost. */
export const OVERDUE = 15_000;
/** Commands that the player does not miss where another page was quicker. */
const UNMISSED: ReadonlySet<Command["t"]> = new Set(["seed", "options", "leave"]);

export class Game {
  readonly stage: Stage;
  readonly confirmed: Signal<View | null> = signal(null);
  readonly version = signal(0);
  readonly waiting: Signal<readonly Waiting[]> = signal([]);
  readonly link: Signal<LinkState> = signal("connecting");
  readonly pages = signal(1);
  readonly notice: Signal<Notice | null> = signal(null);
  readonly hint: Signal<Hint | "asked" | null> = signal(null);
  /** Whose turn is being played out on the board, beyond a player's own move. */
  readonly playing: Signal<"opening" | "computer" | "own" | null> = signal(null);

  /** The computer's turn is due, and nothing of it has been seen yet. */
  readonly thinking = signal(false);

  readonly #link: Link;
  readonly #hooks: GameHooks;
  readonly #chosen = new Map<Id, Option>();
  /** What one message brought and the board has not been told. */
  #news: { frames: Frame[]; glide: "none" | "undo" | null } = { frames: [], glide: null };
  #seeds = { game: "", count: 0 };
  /** What the board has been given to play and has not ended yet, each with the table that it ends on. */
  #plays: { readonly kind: "opening" | "computer" | "own"; readonly table: Table }[] = [];

  constructor(hooks: GameHooks) {
    this.#hooks = hooks;
    this.stage = new Stage({
      onCue: (cue, delay) => hooks.onCue?.(cue, delay),
      onFrame: (frame) => this.#seen(frame),
    });
    this.#link = new Link(() => hooks.openSocket(), {
      together: (tell) => {
        batch(tell);
        this.#present();
      },
      state: (state) => {
        this.link.value = state;
      },
      snapshot: (snapshot) => this.#snapshot(snapshot),
      diff: (diff, live) => this.#diff(diff, live),
      waiting: (waiting) => {
        this.waiting.value = waiting;
      },
      refused: (commands, refusal) => this.#refused(commands, refusal),
      hint: (hint) => this.#hinted(hint),
      watching: (pages) => {
        this.pages.value = pages;
      },
      failed: (refusal) => hooks.failed(refusal),
    });
    effect(() => this.#watchPlays());
    effect(() => {
      const playing = this.playing.value;
      if (playing === null || playing === "own") this.told.value = this.confirmed.value;
    });
    effect(() => {
      const view = this.confirmed.value;
      if (view?.phase === "seed" && !this.waiting.value.some(({ command }) => command.t === "seed"))
        void this.#giveSeed(view);
    });
    effect(() => {
      // Every commit and every snapshot is a new view, and winds the clock up again.
      if (this.confirmed.value?.phase !== "computer") return;
      const overdue = setInterval(() => this.#link.askAnew(), OVERDUE);
      return () => clearInterval(overdue);
    });
  }

  /** The confirmed view with what is on its way laid over it; null before anything is known. */
  readonly shown = computed<Shown | null>(() => {
    const view = this.confirmed.value;
    if (view === null) return null;
    const waiting = this.waiting.value;
    // What does not stand on the confirmed head (its fate is being asked for) can't be drawn on it.
    const stands = waiting[0]?.base.version === this.version.value;
    return shown(view, stands ? waiting : [], this.#chosen);
  });

  /** What may be moved now. A roll of the player's own need not be watched to its end before it is played. */
  readonly options = computed<readonly Option[]>(() =>
    this.#watching ? [] : (this.shown.value?.options ?? []),
  );

  /** Something is being shown that the player's own acts wait for, unless they hurry it. */
  get #watching(): boolean {
    const playing = this.playing.value;
    return playing === "opening" || playing === "computer";
  }

  readonly phase = computed<SeenPhase>(() => {
    const now = this.shown.value;
    const playing = this.playing.value;
    if (now === null || playing === "opening") return "opening";
    if (playing === "computer") return "computer";
    const { phase, format } = now.view;
    if (phase === "seed" || phase === "dropped") return "opening";
    // What has just been asked for is not asked for again.
    if (now.waiting.includes("end")) return "computer";
    if (now.waiting.includes("roll")) return "moving";
    if (now.waiting.includes("next") || now.waiting.includes("restart")) return "opening";
    return phase === "match-over" && format === 1 ? "game-over" : phase;
  });

  /** The view as far as it has been seen happening: scores and pip counts run ahead of nothing. */
  readonly told: Signal<View | null> = signal(null);

  /** Whether a command of this kind would be taken now. */
  may(kind: Command["t"] | "hint"): boolean {
    return !this.#watching && (this.shown.value?.view.may.includes(kind) ?? false);
  }

  get session(): Id | null {
    return this.#link.session;
  }

  start(): void {
    this.#link.start();
  }

  stop(): void {
    this.#link.stop();
  }

  /** Find out at once whether the link still lives. */
  probe(): void {
    this.#link.probe();
  }

  /** Lets the session go and lays out a fresh board. */
  close(): void {
    batch(() => {
      this.#link.unwatch();
      this.#forget();
      this.stage.show(EMPTY_TABLE);
    });
  }

  #forget(): void {
    this.confirmed.value = null;
    this.version.value = 0;
    this.notice.value = null;
    this.hint.value = null;
    this.#chosen.clear();
  }

  /** Shows `session`. One that has just begun is given its seed with the first word, which spares a round trip. */
  open(session: Id, begun: Begun | null = null): void {
    if (this.#link.session === session && this.confirmed.value !== null) return;
    batch(() => this.#forget());
    this.#link.watch(session);
    if (begun === null) return;
    this.#seeds = { game: `${session} 1`, count: 1 };
    this.#link.send({ t: "seed", seed: begun.seed }, { version: 1, last: begun.by });
  }

  // What the player does

  /** A permitted move: seen in the same frame, then sent. */
  move(option: Option): void {
    this.#quiet();
    const dice = option.path.map(({ die }) => die);
    batch(() => {
      const id = this.#link.send({ t: "move", from: option.from, dice });
      this.#chosen.set(id, option);
      // The overlay is worked out anew now that the option is known.
      this.waiting.value = [...this.waiting.value];
    });
    this.#play(movesOf(option).map((move) => moveFrame(PLAYER, move)));
  }

  undo(count = 1): void {
    this.#quiet();
    for (let n = 0; n < count; n++) {
      const last = this.shown.value?.view.moves.at(-1);
      if (last === undefined) return;
      this.#link.send({ t: "undo" });
      this.#play([moveFrame(PLAYER, moveOf(last), "undo")]);
    }
  }

  roll(): void {
    this.#command({ t: "roll" });
  }

  end(): void {
    this.#command({ t: "end" });
  }

  next(): void {
    this.#command({ t: "next" });
  }

  /** The id under which the play waits for its answer. */
  play(text: string): Id {
    return this.#command({ t: "play", text });
  }

  leave(): void {
    if (this.confirmed.value?.may.includes("leave")) this.#command({ t: "leave" });
  }

  restart(): void {
    this.#command({ t: "restart" });
  }

  setOptions(options: PlayOptions): void {
    if (this.confirmed.value?.may.includes("options")) this.#link.send({ t: "options", ...options });
  }

  /** Shows the suggested play, or takes it off the board again. */
  toggleHint(): void {
    if (this.hint.value !== null) {
      this.hint.value = null;
      return;
    }
    this.#quiet();
    if (!this.#link.askHint()) this.notice.value = { kind: "refusal", code: "hint" };
    else this.hint.value = "asked";
  }

  /** Everything that is still being shown is here at once. */
  hurry(): void {
    this.stage.hurry();
  }

  say(notice: Notice | null): void {
    this.notice.value = notice;
  }

  #command(command: Command): Id {
    this.#quiet();
    return this.#link.send(command);
  }

  #quiet(): void {
    batch(() => {
      this.notice.value = null;
      this.hint.value = null;
      this.stage.selected.value = null;
    });
  }

  // What the server says

  #snapshot(snapshot: Snapshot): void {
    const first = this.confirmed.value === null;
    this.confirmed.value = snapshot.view;
    this.version.value = snapshot.version;
    this.hint.value = null;
    this.#news = { frames: [], glide: first ? "none" : "undo" };
    this.#hooks.played(snapshot.view.options_set);
    this.#follow(snapshot.view);
  }

  #diff(diff: Diff, live: boolean): void {
    const view = this.confirmed.value;
    if (view === null) return;
    const after = patched(view, diff);
    this.confirmed.value = after;
    this.version.value = diff.version;
    if (diff.frames.length > 0) this.hint.value = null;
    const mine = this.waiting.value.find(({ id }) => id === diff.last);
    // What was said of the position before is true no more. (The player's own acts have cleared it already.)
    const said = this.notice.value?.kind;
    if (mine === undefined && (said === "refusal" || said === "why")) this.notice.value = null;
    const seen = live && document.visibilityState === "visible";
    if (seen) this.#news.frames.push(...this.#unseen(diff, mine?.command));
    else this.#news = { frames: [], glide: "none" };
    this.#chosen.delete(diff.last);
    if (diff.set.options_set !== undefined) this.#hooks.played(diff.set.options_set);
    this.#follow(after);
  }

  /** The frames of a commit but for those that its sender has drawn already. */
  #unseen(diff: Diff, command: Command | undefined): readonly Frame[] {
    const kind = command?.t === "undo" || command?.t === "move" ? command.t : null;
    if (kind === null) return diff.frames;
    let drawn = command?.t === "move" ? command.dice.length : 1;
    return diff.frames.filter((frame) => frame[1] !== kind || drawn-- <= 0);
  }

  /** A dropped session leads to the one that took its place, whichever page asked for that. */
  #follow(view: View): void {
    const { phase, successor } = view;
    if (phase === "dropped" && successor !== null) queueMicrotask(() => this.open(successor));
  }

  #refused(commands: readonly Waiting[], { code }: Refusal): void {
    for (const { id } of commands) this.#chosen.delete(id);
    this.#news = { ...this.#news, glide: this.#news.glide ?? "undo" };
    // Where another page has begun the next game, what the player wanted has happened.
    const missed = commands.some(
      ({ command: { t } }) => !UNMISSED.has(t) && !(t === "next" && code === "wrong-phase"),
    );
    if (missed) this.notice.value = { kind: "refusal", code };
  }

  #hinted(hint: Hint | null): void {
    if (this.hint.value !== "asked") return;
    this.hint.value = hint;
    if (hint === null) this.notice.value = { kind: "refusal", code: "hint" };
  }

  async #giveSeed(view: View): Promise<void> {
    const game = `${this.session} ${view.game}`;
    if (this.#seeds.game !== game) this.#seeds = { game, count: 0 };
    if (++this.#seeds.count > ASK_SEED_AT_MOST) return;
    const seed = await this.#hooks.seed();
    if (this.confirmed.value?.phase === "seed" && `${this.session} ${this.confirmed.value.game}` === game)
      this.#link.send({ t: "seed", seed });
  }

  // What the board shows

  #present(): void {
    const { frames, glide } = this.#news;
    const now = this.shown.value;
    this.#news = { frames: [], glide: null };
    if (now === null) return;
    const table = tableOf(now.view);
    if (frames.length > 0) this.#play(frames);
    else if (glide === "none") this.stage.show(table);
    else if (glide === "undo") {
      const same = !this.stage.busy.value && samePosition(this.stage.table.value.position, table.position);
      this.stage.show(table, same ? "none" : "undo");
    } else if (!this.stage.busy.value) this.stage.play([], table);
  }

  /** Plays `frames` on the board, then leaves it as the player is to see it now. */
  #play(frames: readonly Frame[]): void {
    const now = this.shown.value;
    if (now === null) return;
    const opening = frames.some(([, kind]) => kind === "opening");
    const theirs = frames.some((frame) => frame[1] !== "opening" && frame[2] === COMPUTER);
    const kind = opening ? "opening" : theirs ? "computer" : "own";
    const table = tableOf(now.view);
    batch(() => {
      this.#plays.push({ kind, table });
      if (kind !== "own") this.stage.selected.value = null;
      if (kind === "computer") this.thinking.value = true;
      this.stage.play(frames, table);
      this.#watchPlays();
    });
  }

  /** Whose play is on: those that the board has come to the end of are done with. */
  #watchPlays(): void {
    const table = this.stage.table.value;
    const ended = this.#plays.findIndex((play) => play.table === table);
    this.#plays = this.stage.busy.value ? this.#plays.slice(ended + 1) : [];
    // After the player's own dice that play nothing the computer's turn is already waiting: it is on, then.
    const on = this.#plays.find(({ kind }) => kind !== "own") ?? this.#plays[0];
    this.playing.value = on?.kind ?? null;
  }

  #seen(frame: Frame): void {
    this.#hooks.onFrame?.(frame);
    if (frame[1] === "dice" || frame[1] === "move") {
      const kind = this.notice.value?.kind;
      if (frame[2] === COMPUTER || kind === "first" || kind === "passed") this.notice.value = null;
      if (frame[2] === COMPUTER) this.thinking.value = false;
    }
    if (frame[1] === "pass") this.notice.value = { kind: "passed", side: frame[2] };
    if (frame[1] === "opening" && frame[2] !== frame[3])
      this.notice.value = {
        kind: "first",
        side: frame[2] > frame[3] ? PLAYER : COMPUTER,
        dice: [frame[2], frame[3]],
      };
  }
}
