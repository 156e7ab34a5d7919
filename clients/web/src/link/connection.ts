/**
 * One websocket that is kept alive: ping after pong, dead links found, reconnecting with jittered back-off.
 *
 * A socket can look open long after its link died (a phone that slept, a lost network), so nothing here trusts it:
 * whatever was sent must be followed by some frame in time, or the socket is given up and opened anew.
 */
import { decodeFrame, UnreadableFrame } from "./incoming";
import type { Incoming, Outgoing } from "./messages";
import { encodeFrame } from "./outgoing";

/** Milliseconds. Woken links are found dead within WOKEN + TICK, under the 8 s that players are promised. */
export const TIMES = {
  pingAfter: 15_000,
  answerWithin: 7_000,
  wokenAnswerWithin: 4_000,
  openWithin: 8_000,
  tick: 1_000,
  /** A tick that comes this late means that the machine slept. */
  slept: 4_000,
  firstRetry: 400,
  longestRetry: 15_000,
} as const;

export type LinkState = "connecting" | "open" | "waiting" | "refused";

/** The part of WebSocket that is used. */
export type Socket = Pick<WebSocket, "binaryType" | "onopen" | "onmessage" | "onclose" | "send" | "close">;

export interface ConnectionEvents {
  state(state: LinkState): void;
  message(message: Incoming): void;
}

/** RFC 6455: the policy of the server forbids this socket. Here: the cookie is no longer valid, or too much nonsense. */
const POLICY = 1008;

export class Connection {
  #socket: Socket | null = null;
  #state: LinkState = "waiting";
  #retries = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #ticking: ReturnType<typeof setInterval> | undefined;
  #lastTick = 0;
  #since = 0;
  #pingAt = 0;
  #pings = 0;
  /** By then some frame must have come; Infinity when nothing is awaited. */
  #deadline = Number.POSITIVE_INFINITY;

  readonly #openSocket: () => Socket;
  readonly #on: ConnectionEvents;

  constructor(openSocket: () => Socket, on: ConnectionEvents) {
    this.#openSocket = openSocket;
    this.#on = on;
  }

  get state(): LinkState {
    return this.#state;
  }

  start(): void {
    if (this.#ticking !== undefined) return;
    this.#lastTick = Date.now();
    this.#ticking = setInterval(() => this.#tick(), TIMES.tick);
    this.#connect();
  }

  stop(): void {
    clearInterval(this.#ticking);
    this.#ticking = undefined;
    clearTimeout(this.#retry);
    this.#drop();
  }

  /** False, and nothing sent, while the link is down: the caller keeps what must not be lost. */
  send(message: Outgoing): boolean {
    if (this.#socket === null || this.#state !== "open") return false;
    this.#socket.send(encodeFrame(message));
    this.#expect(TIMES.answerWithin);
    return true;
  }

  ping(): void {
    if (this.send({ t: "ping", n: ++this.#pings })) this.#pingAt = Number.POSITIVE_INFINITY;
  }

  /** The page woke up, or the network came or went: find out at once whether the link still lives. */
  probe(): void {
    // `pageshow` comes before the page has started its link; and whom the server forbids need not ask again.
    if (this.#ticking === undefined || this.#state === "refused") return;
    if (this.#state === "open") {
      this.ping();
      this.#expect(TIMES.wokenAnswerWithin);
    } else if (this.#state === "waiting" || Date.now() - this.#since > TIMES.wokenAnswerWithin) {
      this.#retries = 0;
      this.#connect();
    }
  }

  #expect(within: number): void {
    this.#deadline = Math.min(this.#deadline, Date.now() + within);
  }

  #connect(): void {
    clearTimeout(this.#retry);
    this.#drop();
    const socket = this.#openSocket();
    socket.binaryType = "arraybuffer";
    this.#socket = socket;
    this.#since = Date.now();
    this.#deadline = this.#since + TIMES.openWithin;
    this.#enter("connecting");
    socket.onopen = () => {
      this.#deadline = Number.POSITIVE_INFINITY;
      this.#pingAt = Date.now() + TIMES.pingAfter;
      this.#enter("open");
    };
    socket.onmessage = ({ data }) => this.#heard(data);
    socket.onclose = ({ code }) => this.#lost(code);
  }

  #heard(data: unknown): void {
    // Not when it opens: a server that takes every socket and drops it again must not be stormed.
    this.#retries = 0;
    this.#deadline = Number.POSITIVE_INFINITY;
    if (!(data instanceof ArrayBuffer)) return;
    let message: Incoming | null;
    try {
      message = decodeFrame(data);
    } catch (error) {
      // Whatever this frame held is missing now; a new hello brings it.
      if (!(error instanceof UnreadableFrame)) throw error;
      console.error(error);
      this.#lost(0);
      return;
    }
    if (message === null) return;
    if (message.t === "pong") this.#pingAt = Date.now() + TIMES.pingAfter;
    this.#on.message(message);
  }

  #tick(): void {
    const now = Date.now();
    const slept = now - this.#lastTick > TIMES.slept;
    this.#lastTick = now;
    if (slept) this.probe();
    else if (now >= this.#deadline) this.#lost(0);
    else if (this.#state === "open" && now >= this.#pingAt) this.ping();
  }

  #lost(code: number): void {
    this.#drop();
    if (code === POLICY) {
      this.#enter("refused");
      return;
    }
    const longest = Math.min(TIMES.firstRetry * 2 ** this.#retries, TIMES.longestRetry);
    this.#retries += 1;
    this.#retry = setTimeout(() => this.#connect(), longest * (0.5 + Math.random() / 2));
    this.#enter("waiting");
  }

  #drop(): void {
    const socket = this.#socket;
    this.#socket = null;
    this.#deadline = Number.POSITIVE_INFINITY;
    this.#pingAt = Number.POSITIVE_INFINITY;
    if (socket === null) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  #enter(state: LinkState): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#on.state(state);
  }
}

/** Calls `wake` whenever the page may have been cut off without noticing; answers a function that stops it. */
export function onWaking(wake: () => void): () => void {
  const seen = () => {
    if (document.visibilityState === "visible") wake();
  };
  document.addEventListener("visibilitychange", seen);
  for (const kind of ["online", "offline", "pageshow", "focus"]) window.addEventListener(kind, wake);
  return () => {
    document.removeEventListener("visibilitychange", seen);
    for (const kind of ["online", "offline", "pageshow", "focus"]) window.removeEventListener(kind, wake);
  };
}
