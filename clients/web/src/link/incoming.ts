import { hex } from "./ids";
import type { Diff, Frame, Hint, Id, Incoming, RecordEntry, Side, Snapshot, View } from "./messages";
import { decode, NotMessagePack } from "./msgpack";

/** A frame that this page can't read: the message says what was wrong with it. */
export class UnreadableFrame extends Error {}

type Raw = Record<string, unknown>;

/** One frame of the websocket; null for a kind that a newer server may send. Throws UnreadableFrame. */
export function decodeFrame(frame: ArrayBuffer | Uint8Array): Incoming | null {
  let raw: unknown;
  try {
    raw = decode(frame);
  } catch (cause) {
    if (!(cause instanceof NotMessagePack)) throw cause;
    throw new UnreadableFrame(`not MessagePack: ${cause.message}`, { cause });
  }
  if (!isMap(raw)) throw new UnreadableFrame("not a map");
  switch (raw.t) {
    case "snapshot":
      return { t: "snapshot", ...snapshot(raw) };
    case "diff":
      return diff(raw);
    case "hint":
      return hint(raw);
    case "done":
      return { t: "done", id: id(raw, "id"), version: whole(raw, "version") };
    case "refused":
      return {
        t: "refused",
        id: id(raw, "id"),
        code: text(raw, "code"),
        text: text(raw, "text"),
        snapshot: isMap(raw.snapshot) ? snapshot(raw.snapshot) : null,
      };
    case "error":
      return { t: "error", code: text(raw, "code"), text: text(raw, "text") };
    case "pong":
      return { t: "pong", n: whole(raw, "n"), version: whole(raw, "version") };
    case "watching":
      return { t: "watching", pages: whole(raw, "pages") };
    default:
      if (typeof raw.t !== "string") throw new UnreadableFrame("no kind");
      return null;
  }
}

function snapshot(raw: Raw): Snapshot {
  return {
    session: id(raw, "session"),
    version: whole(raw, "version"),
    last: idOrNull(raw, "last"),
    view: view(map(raw, "view")) as View,
  };
}

function diff(raw: Raw): Diff {
  return {
    t: "diff",
    from: whole(raw, "from"),
    version: whole(raw, "version"),
    last: id(raw, "last"),
    by: whole(raw, "by") as Side,
    frames: list(raw, "frames") as Frame[],
    set: view(map(raw, "set")),
    board: (raw.board === undefined ? [] : list(raw, "board")) as [number, number][],
    record: (raw.record === undefined ? [] : list(raw, "record")) as RecordEntry[],
  };
}

function hint(raw: Raw): Hint {
  return {
    t: "hint",
    id: id(raw, "id"),
    version: whole(raw, "version"),
    plays: list(raw, "plays") as Hint["plays"],
    undo_better: typeof raw.undo_better === "number" ? raw.undo_better : null,
  };
}

/** The fields of a view, its one session id as text; the rest is taken as the protocol says. */
function view(raw: Raw): Partial<View> {
  if ("successor" in raw) return { ...raw, successor: idOrNull(raw, "successor") };
  return raw as Partial<View>;
}

function isMap(value: unknown): value is Raw {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)
  );
}

function wrong(field: string, wanted: string): UnreadableFrame {
  return new UnreadableFrame(`${field} is not ${wanted}`);
}

function map(raw: Raw, field: string): Raw {
  const value = raw[field];
  if (!isMap(value)) throw wrong(field, "a map");
  return value;
}

function list(raw: Raw, field: string): unknown[] {
  const value = raw[field];
  if (!Array.isArray(value)) throw wrong(field, "an array");
  return value;
}

function whole(raw: Raw, field: string): number {
  const value = raw[field];
  if (!Number.isSafeInteger(value)) throw wrong(field, "an integer");
  return value as number;
}

function text(raw: Raw, field: string): string {
  const value = raw[field];
  if (typeof value !== "string") throw wrong(field, "text");
  return value;
}

function id(raw: Raw, field: string): Id {
  const value = raw[field];
  if (!(value instanceof Uint8Array) || value.length !== 16) throw wrong(field, "16 bytes");
  return hex(value);
}

function idOrNull(raw: Raw, field: string): Id | null {
  return raw[field] === null || raw[field] === undefined ? null : id(raw, field);
}
