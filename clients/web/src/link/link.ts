/**
 * One session followed over one connection: its confirmed head, the commands on their way, and how both are
 * brought together again after a gap, a lost link or a refusal.
 */
import { Connection, type LinkState, type Socket } from "./connection";
import { newId } from "./ids";
import type { Base, Command, Diff, Hint, Id, Incoming, Refusal, Snapshot } from "./messages";
import { acknowledged, asksAgain, nextBase, overtaken, sameBase, type Waiting } from "./outbox";

export interface LinkEvents {
  /** Everything that one message brings is told within one call of this, so that it can be shown as one change. */
  together(tell: () => void): void;
  state(state: LinkState): void;
  /** The whole truth; replaces everything. */
  snapshot(snapshot: Snapshot): void;
  /** One commit on top of the last; `live` where it happened just now, not while the link was down. */
  diff(diff: Diff, live: boolean): void;
  /** The unanswered commands changed (called after `snapshot` or `diff` where one of these was the reason). */
  waiting(commands: readonly Waiting[]): void;
  /** These were not applied and won't be. */
  refused(commands: readonly Waiting[], refusal: Refusal): void;
  hint(hint: Hint | null): void;
  watching(pages: number): void;
  /** The session does not exist (any more), or this page is too old for the server. */
  failed(refusal: Refusal): void;
}

const NOTHING: Base = { version: 0, last: null };
/** Refusals that say nothing about the command itself. */
const TRY_LATER = new Set(["too-fast", "overloaded", "unavailable", "not-open"]);
const TRY_AGAIN_AFTER = 700;
/** So often a command is asked again on a new head before it is given up. */
const MOST_REBASES = 8;

const soon = (): number => TRY_AGAIN_AFTER * (0.5 + Math.random() / 2);

export class Link {
  readonly #connection: Connection;
  #session: Id | null = null;
  #head: Base = NOTHING;
  #waiting: readonly Waiting[] = [];
  #hint: Id | null = null;
  /** A hello is on its way: what comes now was missed before. */
  #catchingUp = false;
  #mismatches = 0;
  #rebases = 0;
  #later: ReturnType<typeof setTimeout> | undefined;
  #helloAgain: ReturnType<typeof setTimeout> | undefined;

  readonly #on: LinkEvents;

  constructor(openSocket: () => Socket, on: LinkEvents) {
    this.#on = on;
    this.#connection = new Connection(openSocket, {
      state: (state) => on.together(() => this.#stateChanged(state)),
      message: (message) => on.together(() => this.#heard(message)),
    });
  }

  get session(): Id | null {
    return this.#session;
  }

  get head(): Base {
    return this.#head;
  }

  start(): void {
    this.#connection.start();
  }

  stop(): void {
    clearTimeout(this.#later);
    clearTimeout(this.#helloAgain);
    this.#connection.stop();
  }

  /** Find out at once whether the link still lives. */
  probe(): void {
    this.#connection.probe();
  }

  /** Follows `session` from nothing; whatever was on its way for another session is let go. */
  watch(session: Id): void {
    this.#session = session;
    this.#head = NOTHING;
    this.#mismatches = 0;
    this.#rebases = 0;
    this.#hint = null;
    this.#keep([]);
    this.#hello();
  }

  /** Asks where the session stands, in case that something was lost on the way here. */
  askAnew(): void {
    this.#hello();
  }

  /** Stops following: nothing that arrives for the old session is told any more. */
  unwatch(): void {
    this.#session = null;
    this.#head = NOTHING;
    this.#keep([]);
  }

  /**
   * Puts a command on its way, now or when the link is back, and answers its id. `base`: what it stands on where that
   * is known before the session has been heard of.
   */
  send(command: Command, base: Base = nextBase(this.#head, this.#waiting)): Id {
    const entry = { id: newId(), command, base, sent: false };
    this.#keep([...this.#waiting, entry]);
    // A held predecessor goes first, or this one would be refused for want of it.
    if (this.#waiting.slice(0, -1).every(({ sent }) => sent)) this.#flush();
    return entry.id;
  }

  /** Asks for the best play; false where the link is down (a hint is worth nothing later). */
  askHint(): boolean {
    const id = newId();
    const asked = this.#connection.send({ t: "hint", id, base: nextBase(this.#head, this.#waiting) });
    this.#hint = asked ? id : null;
    return asked;
  }

  #stateChanged(state: LinkState): void {
    if (state === "open") {
      this.#waiting = this.#waiting.map((entry) => ({ ...entry, sent: false }));
      this.#hello();
      this.#flush();
    } else if (this.#hint !== null) {
      this.#hint = null;
      this.#on.hint(null);
    }
    this.#on.state(state);
  }

  #hello(from: Base = this.#head): void {
    if (this.#session === null) return;
    if (!this.#connection.send({ t: "hello", session: this.#session, base: from })) return;
    this.#catchingUp = from.version > 0;
    // Nothing may be missing, and then hello has no answer; the pong closes the question.
    this.#connection.ping();
  }

  #flush(): void {
    const waiting = this.#waiting.map((entry) => {
      if (entry.sent) return entry;
      const { id, base, command } = entry;
      return { ...entry, sent: this.#connection.send({ t: "command", id, base, command }) };
    });
    this.#waiting = waiting;
  }

  #keep(waiting: readonly Waiting[]): void {
    if (waiting.length === 0 && this.#waiting.length === 0) return;
    this.#waiting = waiting;
    this.#on.waiting(waiting);
  }

  #heard(message: Incoming): void {
    if (message.t === "watching") this.#on.watching(message.pages);
    else if (message.t === "error") this.#error(message);
    else if (this.#session === null) return;
    else if (message.t === "snapshot") this.#snapshot(message);
    else if (message.t === "diff") this.#diff(message);
    else if (message.t === "done") this.#done(message);
    else if (message.t === "refused") this.#refused(message);
    else if (message.t === "pong") this.#pong(message.version);
    else if (message.t === "hint" && message.id === this.#hint) {
      this.#hint = null;
      this.#on.hint(message);
    }
  }

  #snapshot(snapshot: Snapshot): void {
    if (snapshot.session !== this.#session) return;
    this.#catchingUp = false;
    this.#head = { version: snapshot.version, last: snapshot.last };
    this.#on.snapshot(snapshot);
    this.#keep(acknowledged(this.#waiting, snapshot.last));
  }

  #diff(diff: Diff): void {
    if (diff.version <= this.#head.version) return;
    if (diff.from !== this.#head.version) {
      if (!this.#catchingUp) this.#hello();
      return;
    }
    this.#head = { version: diff.version, last: diff.last };
    const mine = this.#waiting.some(({ id }) => id === diff.last);
    this.#on.diff(diff, mine || !this.#catchingUp);
    if (mine) {
      this.#rebases = 0;
      this.#keep(acknowledged(this.#waiting, diff.last));
    } else if (this.#waiting.length > 0) {
      // Somebody else was first: what is on its way will be refused, so it is taken back here already.
      const { again, dropped } = overtaken(this.#head, this.#waiting);
      this.#keep(again);
      if (dropped.length > 0) this.#on.refused(dropped, { code: "stale", text: "" });
    }
  }

  #done({ id, version }: { id: Id; version: number }): void {
    this.#keep(acknowledged(this.#waiting, id));
    if (version > this.#head.version && !this.#catchingUp) this.#hello();
  }

  #refused(refused: { id: Id; snapshot: Snapshot | null } & Refusal): void {
    const { id, code, text, snapshot } = refused;
    if (id === this.#hint) {
      this.#hint = null;
      this.#on.hint(null);
      return;
    }
    const place = this.#waiting.findIndex((entry) => entry.id === id);
    const entry = this.#waiting[place];
    if (entry === undefined) {
      this.#learn(snapshot);
      return;
    }
    // Turned away for now, or for want of the one before it: it goes again, and those after it too, in order.
    if (TRY_LATER.has(code) || (code === "stale" && place > 0)) {
      this.#waiting = this.#waiting.map((other, i) => (i < place ? other : { ...other, sent: false }));
      if (code === "not-open") this.#hello();
      this.#sendLater();
      return;
    }
    this.#learn(snapshot);
    if (code === "stale" && asksAgain(entry.command) && ++this.#rebases <= MOST_REBASES) {
      if (sameBase(entry.base, this.#head)) {
        // Put on the new head already, when the other's commit came; its followers were made since then.
        this.#waiting = this.#waiting.map((other) => ({ ...other, sent: false }));
        this.#flush();
        return;
      }
      // The refusal itself brought the new head. Those after it are refused, too, and go again then.
      const { again, dropped } = overtaken(this.#head, this.#waiting);
      this.#keep(again.map((other) => (other.id === id ? { ...other, sent: false } : other)));
      this.#flush();
      if (dropped.length > 0) this.#on.refused(dropped, { code, text });
      return;
    }
    this.#rebases = 0;
    const after = this.#waiting.slice(this.#waiting.findIndex((other) => other.id === id) + 1);
    const { again, dropped } = overtaken(this.#head, after);
    this.#keep(again);
    this.#flush();
    this.#on.refused([entry, ...dropped], { code, text });
  }

  /** A snapshot that came with a refusal: taken where it says more than is known here. */
  #learn(snapshot: Snapshot | null): void {
    if (snapshot === null || snapshot.session !== this.#session) return;
    if (sameBase(snapshot, this.#head) || snapshot.version < this.#head.version) return;
    this.#head = { version: snapshot.version, last: snapshot.last };
    this.#on.snapshot(snapshot);
  }

  #sendLater(): void {
    clearTimeout(this.#later);
    this.#later = setTimeout(() => this.#flush(), soon());
  }

  #helloLater(): void {
    clearTimeout(this.#helloAgain);
    this.#helloAgain = setTimeout(() => this.#hello(), soon());
  }

  #pong(version: number): void {
    this.#catchingUp = false;
    if (version === this.#head.version || version === 0) {
      this.#mismatches = 0;
      return;
    }
    this.#mismatches += 1;
    // Once may be a message still on its way. Twice: what is known here may not be in the store at all any more.
    if (this.#mismatches === 1) this.#hello();
    else if (this.#mismatches === 2) this.#hello(NOTHING);
    else this.#mismatches = 0;
  }

  #error({ code, text }: Refusal): void {
    console.error(`server: ${code}: ${text}`);
    // The hello itself was turned away: this page is still waiting to be told where the game stands.
    if (TRY_LATER.has(code)) this.#helloLater();
    if (code === "no-session" || code === "protocol") this.#on.failed({ code, text });
  }
}
