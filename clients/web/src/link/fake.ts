/** For tests only: the server's end of a websocket, and views in the shape of docs/protocol.md. */
import { decode, encode } from "@msgpack/msgpack";
import type { Socket } from "./connection";
import { bytes } from "./ids";
import type { View } from "./messages";

export const SESSION = "5e".repeat(16);
export const commitId = (n: number): string => n.toString(16).padStart(32, "0");

export class FakeSocket implements Socket {
  static all: FakeSocket[] = [];
  binaryType: BinaryType = "blob";
  onopen: WebSocket["onopen"] = null;
  onmessage: WebSocket["onmessage"] = null;
  onclose: WebSocket["onclose"] = null;
  closed = false;
  /** What the page has sent, decoded. */
  readonly sent: Record<string, unknown>[] = [];

  constructor() {
    FakeSocket.all.push(this);
  }

  static get last(): FakeSocket {
    return FakeSocket.all.at(-1)!;
  }

  send(data: Parameters<WebSocket["send"]>[0]): void {
    this.sent.push(decode(data as Uint8Array) as Record<string, unknown>);
  }

  close(): void {
    this.closed = true;
  }

  get #asWebSocket(): WebSocket {
    return this as unknown as WebSocket;
  }

  open(): void {
    this.onopen?.call(this.#asWebSocket, new Event("open"));
  }

  /** The link breaks, or the server closes it. */
  drop(code = 1006): void {
    this.onclose?.call(this.#asWebSocket, { code } as CloseEvent);
  }

  say(message: Record<string, unknown>): void {
    const frame = encode(message);
    const data = frame.buffer.slice(frame.byteOffset, frame.byteOffset + frame.byteLength);
    this.onmessage?.call(this.#asWebSocket, { data } as MessageEvent);
  }

  /** Frames of this kind that the page has sent. */
  of(kind: string): Record<string, unknown>[] {
    return this.sent.filter(({ t }) => t === kind);
  }
}

/** The standard start seen by the player, to roll. */
export const START: View = {
  level: "normal",
  format: 1,
  practice: false,
  game: 1,
  score: [0, 0],
  phase: "to-roll",
  board: [0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0],
  off: [0, 0],
  pips: [167, 167],
  race: false,
  dice: null,
  opening: [[2, 5]],
  moves: [],
  options: [],
  may: ["roll", "leave", "restart", "options"],
  last: null,
  record: [],
  result: null,
  fairness: { commitment: new Uint8Array(32), seed: new Uint8Array(32), secret: null },
  options_set: { pace: "real", auto_end: true, auto_forced: false, auto_bear_off: false },
  successor: null,
};

/** 3-1 at the start: 8/5 or 6/5, each with the other after it (and what the protocol leaves out left out). */
export const ROLLED: View = {
  ...START,
  phase: "moving",
  dice: { side: 0, values: [3, 1], unused: [3, 1] },
  options: [
    [8, [3, 5], [[6, [1, 5]]]],
    [6, [1, 5], [[8, [3, 5]]]],
    [24, [1, 23], [[24, [3, 21]]]],
    [24, [3, 21, 1, 20], []],
  ],
  may: ["move", "play", "hint", "leave", "restart", "options"],
};

export const snapshotOf = (view: View, version: number, session = SESSION) => ({
  session: bytes(session),
  version,
  last: bytes(commitId(version)),
  view,
});

/** Commit `version` with this id, by the player unless said otherwise. */
export const diffOf = (version: number, id: string, more: Record<string, unknown> = {}) => ({
  t: "diff",
  from: version - 1,
  version,
  last: bytes(id),
  by: 0,
  frames: [],
  set: {},
  ...more,
});
