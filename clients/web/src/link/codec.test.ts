import { decode, encode } from "@msgpack/msgpack";
import { describe, expect, test } from "vitest";
import { commitId, diffOf, ROLLED, SESSION, START, snapshotOf } from "./fake";
import { bytes, hex, newId } from "./ids";
import { decodeFrame, UnreadableFrame } from "./incoming";
import { encodeFrame } from "./outgoing";

const base = { version: 7, last: commitId(7) };

describe("ids", () => {
  test("are 16 bytes either way and never the same twice", () => {
    expect(bytes(newId())).toHaveLength(16);
    expect(hex(bytes(SESSION))).toBe(SESSION);
    expect(newId()).not.toBe(newId());
    expect(() => bytes("5g")).toThrow(RangeError);
  });
});

describe("what the page sends", () => {
  test("hello names its protocol and the last commit seen", () => {
    expect(decode(encodeFrame({ t: "hello", session: SESSION, base }))).toEqual({
      t: "hello",
      protocol: 1,
      session: bytes(SESSION),
      version: 7,
      last: bytes(commitId(7)),
    });
    expect(
      decode(encodeFrame({ t: "hello", session: SESSION, base: { version: 0, last: null } })),
    ).toMatchObject({
      version: 0,
      last: null,
    });
  });

  test("a command carries its id, its base and its own fields only", () => {
    const id = newId();
    const frame = encodeFrame({ t: "command", id, base, command: { t: "move", from: 8, dice: [3, 1] } });
    expect(decode(frame)).toEqual({
      t: "move",
      id: bytes(id),
      base: [7, bytes(commitId(7))],
      from: 8,
      dice: [3, 1],
    });
    expect(decode(encodeFrame({ t: "command", id, base, command: { t: "roll" } }))).toEqual({
      t: "roll",
      id: bytes(id),
      base: [7, bytes(commitId(7))],
    });
  });
});

describe("what the page hears", () => {
  test("a snapshot", () => {
    const message = decodeFrame(encode({ t: "snapshot", ...snapshotOf(ROLLED, 3) }));
    expect(message).toMatchObject({ t: "snapshot", session: SESSION, version: 3, last: commitId(3) });
    expect(message).toHaveProperty("view.options.0", [8, [3, 5], [[6, [1, 5]]]]);
  });

  test("a diff, with what is left out as nothing", () => {
    const message = decodeFrame(encode(diffOf(4, commitId(9), { frames: [[0, "move", 0, 8, 3, 5, 0]] })));
    expect(message).toMatchObject({
      t: "diff",
      from: 3,
      version: 4,
      last: commitId(9),
      board: [],
      record: [],
      frames: [[0, "move", 0, 8, 3, 5, 0]],
    });
  });

  test("the successor of a dropped session as text", () => {
    const message = decodeFrame(encode(diffOf(4, commitId(9), { set: { successor: bytes(SESSION) } })));
    expect(message).toHaveProperty("set.successor", SESSION);
  });

  test("a refusal with and without the truth", () => {
    const refused = { t: "refused", id: bytes(commitId(1)), code: "stale", text: "another was first" };
    expect(decodeFrame(encode(refused))).toMatchObject({ code: "stale", snapshot: null });
    expect(decodeFrame(encode({ ...refused, snapshot: snapshotOf(START, 2) }))).toHaveProperty(
      "snapshot.version",
      2,
    );
  });

  test("kinds of a newer server are passed over", () => {
    expect(decodeFrame(encode({ t: "weather" }))).toBeNull();
  });

  test.each([
    ["nothing", new Uint8Array()],
    ["noise", new Uint8Array([0xc1])],
    ["no map", encode([1, 2])],
    ["no kind", encode({ version: 1 })],
    ["a diff without frames", encode({ ...diffOf(4, commitId(9)), frames: undefined })],
    ["a version that is no number", encode({ t: "pong", n: 1, version: "2" })],
    ["an id of the wrong length", encode({ t: "done", id: new Uint8Array(3), version: 2 })],
  ])("%s is refused with a reason", (_, frame) => {
    expect(() => decodeFrame(frame)).toThrow(UnreadableFrame);
  });
});
