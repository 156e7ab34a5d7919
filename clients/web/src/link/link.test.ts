import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { TIMES } from "./connection";
import { commitId, diffOf, FakeSocket, ROLLED, SESSION, START, snapshotOf } from "./fake";
import { bytes, hex } from "./ids";
import { Link, type LinkEvents } from "./link";
import type { View } from "./messages";

function events() {
  const told = {
    together: vi.fn((tell: () => void) => tell()),
    state: vi.fn(),
    snapshot: vi.fn(),
    diff: vi.fn(),
    waiting: vi.fn(),
    refused: vi.fn(),
    hint: vi.fn(),
    watching: vi.fn(),
    failed: vi.fn(),
  } satisfies LinkEvents;
  return told;
}

let on: ReturnType<typeof events>;
let link: Link;

/** A link that follows SESSION at this version. */
function following(version = 3, view: View = ROLLED): FakeSocket {
  link.start();
  FakeSocket.last.open();
  link.watch(SESSION);
  FakeSocket.last.say({ t: "snapshot", ...snapshotOf(view, version) });
  pong(version);
  return FakeSocket.last;
}

function pong(version: number): void {
  const ping = FakeSocket.last.of("ping").at(-1)!;
  FakeSocket.last.say({ t: "pong", n: ping.n, version });
}

const idsOf = (commands: Record<string, unknown>[]) => commands.map(({ id }) => hex(id as Uint8Array));
const baseOf = (command: Record<string, unknown> | undefined) => {
  const [version, last] = command!.base as [number, Uint8Array];
  return [version, hex(last)];
};

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(1);
  FakeSocket.all = [];
  on = events();
  link = new Link(() => new FakeSocket(), on);
});

afterEach(() => {
  link.stop();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("keeping the link", () => {
  test("pings 15 s after the last pong", () => {
    const socket = following();
    const before = socket.of("ping").length;
    vi.advanceTimersByTime(TIMES.pingAfter - TIMES.tick);
    expect(socket.of("ping")).toHaveLength(before);
    vi.advanceTimersByTime(2 * TIMES.tick);
    expect(socket.of("ping")).toHaveLength(before + 1);
  });

  test("gives up a socket that answers nothing and opens another", () => {
    const socket = following();
    vi.advanceTimersByTime(TIMES.pingAfter + TIMES.answerWithin + 3 * TIMES.tick);
    expect(socket.closed).toBe(true);
    expect(FakeSocket.all.length).toBeGreaterThan(1);
  });

  test("finds a dead link within 8 s of waking, though the socket looks open", () => {
    const socket = following();
    vi.setSystemTime(Date.now() + 3_600_000);
    vi.advanceTimersByTime(TIMES.tick);
    expect(socket.of("ping").length).toBeGreaterThan(1);
    vi.advanceTimersByTime(8_000 - TIMES.tick);
    expect(socket.closed).toBe(true);
  });

  test("finds a dead link within 8 s of `online`", () => {
    const socket = following();
    link.probe();
    vi.advanceTimersByTime(8_000);
    expect(socket.closed).toBe(true);
  });

  test("keeps a link that answers the probe", () => {
    const socket = following();
    link.probe();
    pong(3);
    vi.advanceTimersByTime(8_000);
    expect(socket.closed).toBe(false);
  });

  test("backs off: each wait is twice the last, up to a bound, and jittered down to half", () => {
    link.start();
    const waits: number[] = [];
    for (let n = 0; n < 9; n++) {
      const opened = FakeSocket.all.length;
      FakeSocket.last.drop();
      const from = Date.now();
      while (FakeSocket.all.length === opened) vi.advanceTimersByTime(50);
      waits.push(Date.now() - from);
    }
    expect(waits).toEqual([400, 800, 1600, 3200, 6400, 12_800, 15_000, 15_000, 15_000]);
    vi.mocked(Math.random).mockReturnValue(0);
    const opened = FakeSocket.all.length;
    FakeSocket.last.drop();
    vi.advanceTimersByTime(7_500);
    expect(FakeSocket.all.length).toBe(opened + 1);
  });

  test("backs off from a server that takes sockets and drops them again", () => {
    link.start();
    for (let n = 0; n < 5; n++) {
      FakeSocket.last.open();
      FakeSocket.last.drop();
      vi.advanceTimersByTime(400 * 2 ** n);
    }
    FakeSocket.last.open();
    FakeSocket.last.drop();
    const opened = FakeSocket.all.length;
    vi.advanceTimersByTime(10_000);
    expect(FakeSocket.all.length).toBe(opened);
  });

  test("a probe does not wait for the back-off", () => {
    link.start();
    for (let n = 0; n < 6; n++) {
      FakeSocket.last.drop();
      vi.advanceTimersByTime(15_000);
    }
    FakeSocket.last.drop();
    const opened = FakeSocket.all.length;
    link.probe();
    expect(FakeSocket.all.length).toBe(opened + 1);
  });

  test("a probe before the start opens nothing, and the start one socket", () => {
    link.probe();
    expect(FakeSocket.all).toHaveLength(0);
    link.start();
    link.probe();
    expect(FakeSocket.all).toHaveLength(1);
  });

  test("does not come back where the server forbids it", () => {
    link.start();
    FakeSocket.last.drop(1008);
    expect(on.state).toHaveBeenLastCalledWith("refused");
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.all).toHaveLength(1);
    link.probe();
    expect(FakeSocket.all).toHaveLength(1);
  });
});

describe("following a session", () => {
  test("applies the next diff and tells whether it happened now", () => {
    const socket = following();
    socket.say(diffOf(4, commitId(4), { by: 1 }));
    expect(on.diff).toHaveBeenCalledWith(expect.objectContaining({ version: 4 }), true);
    expect(link.head).toEqual({ version: 4, last: commitId(4) });
  });

  test("a gap is never patched over: it says hello again, once", () => {
    const socket = following();
    const hellos = socket.of("hello").length;
    socket.say(diffOf(6, commitId(6)));
    socket.say(diffOf(7, commitId(7)));
    expect(on.diff).not.toHaveBeenCalled();
    expect(socket.of("hello")).toHaveLength(hellos + 1);
    expect(socket.of("hello").at(-1)).toMatchObject({ version: 3, last: bytes(commitId(3)) });
    for (const version of [4, 5, 6, 7]) socket.say(diffOf(version, commitId(version)));
    expect(on.diff).toHaveBeenCalledTimes(4);
    expect(on.diff.mock.calls.every(([, live]) => live === false)).toBe(true);
  });

  test("a message told twice counts once", () => {
    const socket = following();
    socket.say(diffOf(4, commitId(4)));
    socket.say(diffOf(4, commitId(4)));
    expect(on.diff).toHaveBeenCalledTimes(1);
  });

  test("a pong that knows more than the page means a lost message", () => {
    const socket = following();
    const hellos = socket.of("hello").length;
    link.probe();
    pong(5);
    expect(socket.of("hello")).toHaveLength(hellos + 1);
  });

  test("a store that lost entries ends in a snapshot, not in a circle", () => {
    const socket = following(9);
    link.probe();
    pong(7);
    pong(7);
    expect(socket.of("hello").at(-1)).toMatchObject({ version: 0, last: null });
    socket.say({ t: "snapshot", ...snapshotOf(START, 7) });
    expect(link.head.version).toBe(7);
  });

  test("after a reconnect it says what it has seen", () => {
    following(5);
    FakeSocket.last.drop(1012);
    vi.advanceTimersByTime(1_000);
    FakeSocket.last.open();
    expect(FakeSocket.last.of("hello")).toEqual([
      expect.objectContaining({ version: 5, last: bytes(commitId(5)) }),
    ]);
  });

  test("is told when there is no such session", () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    following().say({ t: "error", code: "no-session", text: "none" });
    expect(on.failed).toHaveBeenCalledWith({ code: "no-session", text: "none" });
  });
});

describe("commands", () => {
  test("in a row name each other, and each diff acknowledges its own", () => {
    const socket = following();
    const first = link.send({ t: "move", from: 8, dice: [3] });
    const second = link.send({ t: "move", from: 6, dice: [1] });
    const [a, b] = socket.of("move");
    expect(baseOf(a)).toEqual([3, commitId(3)]);
    expect(baseOf(b)).toEqual([4, first]);
    socket.say(diffOf(4, first));
    expect(on.waiting.mock.lastCall![0].map(({ id }: { id: string }) => id)).toEqual([second]);
    socket.say(diffOf(5, second));
    expect(on.waiting).toHaveBeenLastCalledWith([]);
    expect(on.refused).not.toHaveBeenCalled();
  });

  test("made while the link is down are kept and sent once, with the same ids and bases", () => {
    following();
    FakeSocket.last.drop();
    const first = link.send({ t: "move", from: 8, dice: [3] });
    const second = link.send({ t: "move", from: 6, dice: [1] });
    vi.advanceTimersByTime(1_000);
    const socket = FakeSocket.last;
    expect(socket.sent).toEqual([]);
    socket.open();
    expect(socket.sent.map(({ t }) => t)).toEqual(["hello", "ping", "move", "move"]);
    expect(idsOf(socket.of("move"))).toEqual([first, second]);
    expect(baseOf(socket.of("move")[1])).toEqual([4, first]);
    vi.advanceTimersByTime(2_000);
    expect(socket.of("move")).toHaveLength(2);
  });

  test("whose answer was lost are found among what was missed and not taken back", () => {
    following();
    const id = link.send({ t: "roll" });
    FakeSocket.last.drop();
    vi.advanceTimersByTime(1_000);
    FakeSocket.last.open();
    FakeSocket.last.say(diffOf(4, id));
    FakeSocket.last.say({ t: "done", id: bytes(id), version: 4 });
    expect(on.diff).toHaveBeenCalledWith(expect.objectContaining({ last: id }), true);
    expect(on.waiting).toHaveBeenLastCalledWith([]);
    expect(on.refused).not.toHaveBeenCalled();
  });

  test("are given up at once when somebody else was first", () => {
    const socket = following();
    const id = link.send({ t: "roll" });
    socket.say(diffOf(4, commitId(4)));
    expect(on.refused).toHaveBeenCalledWith([expect.objectContaining({ id })], { code: "stale", text: "" });
    expect(on.waiting).toHaveBeenLastCalledWith([]);
    socket.say({ t: "refused", id: bytes(id), code: "stale", text: "", snapshot: snapshotOf(START, 4) });
    expect(on.refused).toHaveBeenCalledTimes(1);
  });

  test("after a refused one are given up with it, and the truth comes along", () => {
    const socket = following();
    const first = link.send({ t: "move", from: 8, dice: [3] });
    const second = link.send({ t: "move", from: 6, dice: [1] });
    const snapshot = snapshotOf(START, 5);
    socket.say({ t: "refused", id: bytes(first), code: "illegal-move", text: "no", snapshot });
    expect(on.snapshot).toHaveBeenLastCalledWith(expect.objectContaining({ version: 5 }));
    expect(on.refused.mock.lastCall![0].map(({ id }: { id: string }) => id)).toEqual([first, second]);
    socket.say({ t: "refused", id: bytes(second), code: "stale", text: "", snapshot });
    expect(on.refused).toHaveBeenCalledTimes(1);
  });

  test("turned away for want of room are tried again with the same id, those after them too", () => {
    const socket = following();
    const first = link.send({ t: "move", from: 8, dice: [3] });
    const second = link.send({ t: "move", from: 6, dice: [1] });
    socket.say({ t: "refused", id: bytes(first), code: "overloaded", text: "" });
    socket.say({ t: "refused", id: bytes(second), code: "stale", text: "", snapshot: snapshotOf(ROLLED, 3) });
    vi.advanceTimersByTime(1_000);
    expect(idsOf(socket.of("move"))).toEqual([first, second, first, second]);
    expect(on.refused).not.toHaveBeenCalled();
  });

  test("that hold on any board are asked again on the new head", () => {
    const socket = following();
    const id = link.send({ t: "leave" });
    socket.say(diffOf(4, commitId(4), { by: 1 }));
    socket.say({ t: "refused", id: bytes(id), code: "stale", text: "", snapshot: snapshotOf(START, 4) });
    expect(idsOf(socket.of("leave"))).toEqual([id, id]);
    expect(baseOf(socket.of("leave")[1])).toEqual([4, commitId(4)]);
    socket.say(diffOf(5, id));
    expect(on.refused).not.toHaveBeenCalled();
    expect(on.waiting).toHaveBeenLastCalledWith([]);
  });

  test.each(["leave", "restart", "next", "options"] as const)(
    "that hold on any board (%s) are asked again where the refusal itself brings the new head",
    (t) => {
      const socket = following();
      const id = link.send(t === "options" ? { t, ...START.options_set } : { t });
      const refused = { t: "refused", id: bytes(id), code: "stale", text: "" };
      socket.say({ ...refused, snapshot: snapshotOf(START, 4) });
      expect(socket.of(t).map(baseOf)).toEqual([
        [3, commitId(3)],
        [4, commitId(4)],
      ]);
      socket.say({ ...refused, snapshot: snapshotOf(START, 5) });
      expect(idsOf(socket.of(t))).toEqual([id, id, id]);
      expect(baseOf(socket.of(t)[2])).toEqual([5, commitId(5)]);
      vi.advanceTimersByTime(5_000);
      expect(socket.of(t)).toHaveLength(3);
      socket.say(diffOf(6, id));
      expect(on.refused).not.toHaveBeenCalled();
      expect(on.waiting).toHaveBeenLastCalledWith([]);
    },
  );

  test("that hold on any board are given up in the end", () => {
    const socket = following();
    const id = link.send({ t: "leave" });
    for (let version = 4; version < 40; version++)
      socket.say({
        t: "refused",
        id: bytes(id),
        code: "stale",
        text: "",
        snapshot: snapshotOf(START, version),
      });
    expect(socket.of("leave").length).toBeLessThan(12);
    expect(on.refused).toHaveBeenCalledExactlyOnceWith([expect.objectContaining({ id })], {
      code: "stale",
      text: "",
    });
  });

  test.each([
    { t: "roll" },
    { t: "end" },
    { t: "undo" },
    { t: "move", from: 8, dice: [3] },
    { t: "play", text: "8/5" },
    { t: "seed", seed: new Uint8Array(32) },
  ] as const)(
    "that depend on the board ($t) are not put on one that their sender had not seen",
    (command) => {
      const socket = following();
      const id = link.send(command);
      socket.say({ t: "refused", id: bytes(id), code: "stale", text: "", snapshot: snapshotOf(START, 4) });
      vi.advanceTimersByTime(5_000);
      expect(idsOf(socket.of(command.t))).toEqual([id]);
      expect(on.refused).toHaveBeenCalledExactlyOnceWith([expect.objectContaining({ id })], {
        code: "stale",
        text: "",
      });
    },
  );

  test("in a row that hold on any board keep their order through a refusal of all of them", () => {
    const socket = following();
    const options = link.send({ t: "options", ...START.options_set });
    const leave = link.send({ t: "leave" });
    for (const id of [options, leave])
      socket.say({ t: "refused", id: bytes(id), code: "stale", text: "", snapshot: snapshotOf(START, 4) });
    vi.advanceTimersByTime(1_000);
    expect(baseOf(socket.of("options").at(-1))).toEqual([4, commitId(4)]);
    expect(baseOf(socket.of("leave").at(-1))).toEqual([5, options]);
    socket.say(diffOf(5, options));
    socket.say(diffOf(6, leave));
    expect(on.refused).not.toHaveBeenCalled();
    expect(on.waiting).toHaveBeenLastCalledWith([]);
  });

  test("made after the other's commit was seen survive one that is asked again", () => {
    const socket = following();
    const options = link.send({ t: "options", ...START.options_set });
    socket.say(diffOf(4, commitId(4), { by: 1 }));
    const roll = link.send({ t: "roll" });
    socket.say({ t: "refused", id: bytes(options), code: "stale", text: "", snapshot: snapshotOf(START, 4) });
    expect(idsOf(socket.of("roll"))).toEqual([roll, roll]);
    socket.say({ t: "refused", id: bytes(roll), code: "stale", text: "", snapshot: snapshotOf(START, 4) });
    socket.say(diffOf(5, options));
    socket.say(diffOf(6, roll));
    expect(on.refused).not.toHaveBeenCalled();
    expect(on.waiting).toHaveBeenLastCalledWith([]);
  });
});

describe("hints", () => {
  test("are asked with the head as base and answered once", () => {
    const socket = following();
    expect(link.askHint()).toBe(true);
    const [asked] = socket.of("hint");
    expect(baseOf(asked)).toEqual([3, commitId(3)]);
    socket.say({ t: "hint", id: asked!.id, version: 3, plays: [] });
    expect(on.hint).toHaveBeenCalledWith(expect.objectContaining({ plays: [], undo_better: null }));
  });

  test("are not kept for later", () => {
    following();
    FakeSocket.last.drop();
    expect(link.askHint()).toBe(false);
  });
});
