import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { commitId, diffOf, FakeSocket, ROLLED, SESSION, START, snapshotOf } from "../link/fake";
import { bytes, hex } from "../link/ids";
import type { View } from "../link/messages";
import { Game } from "./game";

const SEED = new Uint8Array(32).fill(9);

let game: Game;
const failed = vi.fn();
const seen = vi.fn();

function opened(view: View, version = 3): FakeSocket {
  game.start();
  FakeSocket.last.open();
  game.open(SESSION);
  FakeSocket.last.say({ t: "snapshot", ...snapshotOf(view, version) });
  return FakeSocket.last;
}

const lastId = (socket: FakeSocket, kind: string) => hex(socket.of(kind).at(-1)!.id as Uint8Array);
const at = (point: number) => game.stage.table.value.position.points[point];

beforeEach(() => {
  vi.useFakeTimers();
  FakeSocket.all = [];
  failed.mockReset();
  seen.mockReset();
  game = new Game({
    openSocket: () => new FakeSocket(),
    seed: async () => SEED,
    failed,
    played: () => undefined,
    onFrame: seen,
  });
});

afterEach(() => {
  game.stop();
  vi.useRealTimers();
});

describe("a move", () => {
  test("is on the board before anything is heard from the server, and a second one on top of it", () => {
    const socket = opened(ROLLED);
    game.move(game.options.value[0]!);
    expect([at(8), at(5)]).toEqual([2, 1]);
    game.move(game.options.value[0]!);
    expect([at(8), at(6), at(5)]).toEqual([2, 4, 2]);
    expect(socket.of("move").map(({ from, dice }) => [from, dice])).toEqual([
      [8, [3]],
      [6, [1]],
    ]);
    expect(game.version.value).toBe(3);
  });

  test("is not shown a second time when its diff comes; what else the diff brings is", () => {
    const socket = opened(ROLLED);
    game.move(game.options.value[0]!);
    seen.mockReset();
    socket.say(
      diffOf(4, lastId(socket, "move"), {
        frames: [
          [0, "move", 0, 8, 3, 5, 0],
          [0, "end", 0],
        ],
        board: [
          [8, 2],
          [5, 1],
        ],
        set: { phase: "computer", dice: null, options: [], moves: [], may: [] },
      }),
    );
    expect(seen.mock.calls.map(([frame]) => frame[1])).toEqual(["end"]);
    expect([at(8), at(5)]).toEqual([2, 1]);
    expect(game.phase.value).toBe("computer");
  });

  test("that is refused goes back, and a word says why", () => {
    const socket = opened(ROLLED);
    game.move(game.options.value[0]!);
    socket.say({
      t: "refused",
      id: bytes(lastId(socket, "move")),
      code: "illegal-move",
      text: "",
      snapshot: snapshotOf(ROLLED, 3),
    });
    expect([at(8), at(5)]).toEqual([3, 0]);
    expect(game.stage.glide).toBe("undo");
    expect(game.notice.value).toEqual({ kind: "refusal", code: "illegal-move" });
    expect(game.options.value).toHaveLength(4);
  });

  test("that is refused leaves its word only until the session goes on", () => {
    const socket = opened(ROLLED);
    game.say({ kind: "refusal", code: "hint" });
    socket.say(diffOf(4, commitId(4), { set: { phase: "computer" } }));
    expect(game.notice.value).toBeNull();
  });

  test("of another page is seen, and one's own that came too late is taken back", () => {
    const socket = opened(ROLLED);
    game.move(game.options.value[0]!);
    socket.say(
      diffOf(4, commitId(77), {
        frames: [[0, "move", 0, 6, 1, 5, 0]],
        board: [
          [6, 4],
          [5, 1],
        ],
        set: { moves: [[6, 1, 5, 0]] },
      }),
    );
    expect([at(8), at(6), at(5)]).toEqual([3, 4, 1]);
    expect(game.notice.value).toEqual({ kind: "refusal", code: "stale" });
  });
});

test("an undo is seen at once and brings the options back", () => {
  opened(ROLLED);
  game.move(game.options.value[0]!);
  game.undo();
  expect([at(8), at(5)]).toEqual([3, 0]);
  expect(game.options.value).toHaveLength(4);
});

test("what has been asked for is not asked for again", () => {
  opened(START);
  expect(game.phase.value).toBe("to-roll");
  game.roll();
  expect(game.phase.value).toBe("moving");
  expect(game.may("roll")).toBe(false);
});

describe("while the computer is to play", () => {
  const due: View = { ...START, phase: "computer", may: [] };
  const pong = (socket: FakeSocket, version: number) =>
    socket.say({ t: "pong", n: socket.of("ping").at(-1)!.n, version });

  /** The link is alive and says that nothing is new: what was lost was lost on its way here. */
  async function pass(socket: FakeSocket, seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second++) {
      const pings = socket.of("ping").length;
      await vi.advanceTimersByTimeAsync(1_000);
      if (socket.of("ping").length > pings) pong(socket, game.version.value);
    }
  }

  test("the page asks anew where nothing has come for 15 s, and every 15 s from then on", async () => {
    const socket = opened(due);
    pong(socket, 3);
    await pass(socket, 14);
    expect(socket.of("hello")).toHaveLength(1);
    await pass(socket, 2);
    expect(socket.of("hello")).toHaveLength(2);
    expect(socket.of("hello")[1]).toMatchObject({ version: 3, last: bytes(commitId(3)) });
    socket.say({ t: "snapshot", ...snapshotOf(due, 3) });
    expect(game.phase.value).toBe("computer");
    await pass(socket, 13);
    expect(socket.of("hello")).toHaveLength(2);
    await pass(socket, 3);
    expect(socket.of("hello")).toHaveLength(3);
    socket.say({ t: "snapshot", ...snapshotOf({ ...START, may: ["roll"] }, 4) });
    expect(game.phase.value).toBe("to-roll");
  });

  test("a turn that comes in time is waited for, and nothing is asked when the player is to act", async () => {
    const socket = opened(due);
    pong(socket, 3);
    await pass(socket, 10);
    socket.say(diffOf(4, commitId(4), { by: 1, set: { phase: "to-roll", may: ["roll"] } }));
    await pass(socket, 60);
    expect(socket.of("hello")).toHaveLength(1);
  });
});

test("the next game that another page has begun is no trouble", async () => {
  const over: View = {
    ...START,
    format: 5,
    phase: "game-over",
    may: ["next"],
    result: { winner: 0, points: 1 },
  };
  const socket = opened(over);
  game.next();
  socket.say(diffOf(4, commitId(4), { set: { phase: "to-roll", may: ["roll"], game: 2, result: null } }));
  const refused = { t: "refused", id: bytes(lastId(socket, "next")), text: "" };
  const snapshot = snapshotOf({ ...START, format: 5, game: 2 }, 4);
  socket.say({ ...refused, code: "stale", snapshot });
  socket.say({ ...refused, code: "wrong-phase", snapshot });
  expect(game.notice.value).toBeNull();
  expect(game.phase.value).toBe("to-roll");
});

describe("the seed", () => {
  const waiting: View = {
    ...START,
    phase: "seed",
    may: ["seed"],
    opening: [],
    fairness: { ...START.fairness, seed: null },
  };

  test("is given by the page itself, once", async () => {
    const socket = opened(waiting, 1);
    await vi.advanceTimersByTimeAsync(0);
    expect(socket.of("seed")).toHaveLength(1);
    expect(socket.of("seed")[0]!.seed).toEqual(SEED);
    expect(game.phase.value).toBe("opening");
  });

  test("of a session that this page has just begun goes with the first hello, on the commit that began it", async () => {
    game.start();
    FakeSocket.last.open();
    game.open(SESSION, { by: commitId(1), seed: SEED });
    const socket = FakeSocket.last;
    expect(socket.sent.map(({ t }) => t)).toEqual(["hello", "ping", "seed"]);
    expect(socket.of("seed")[0]).toMatchObject({ base: [1, bytes(commitId(1))], seed: SEED });
    socket.say({ t: "snapshot", ...snapshotOf(waiting, 1) });
    await vi.advanceTimersByTimeAsync(0);
    expect(socket.of("seed")).toHaveLength(1);
    socket.say(diffOf(2, lastId(socket, "seed"), { set: { phase: "to-roll", may: ["roll"] } }));
    expect(game.phase.value).toBe("to-roll");
    expect(game.waiting.value).toEqual([]);
  });

  test("that was given too early is given again on what the session has become", async () => {
    game.start();
    FakeSocket.last.open();
    game.open(SESSION, { by: commitId(1), seed: SEED });
    const socket = FakeSocket.last;
    socket.say({ t: "snapshot", ...snapshotOf(waiting, 2) });
    socket.say({
      t: "refused",
      id: bytes(lastId(socket, "seed")),
      code: "stale",
      text: "",
      snapshot: snapshotOf(waiting, 2),
    });
    await vi.advanceTimersByTimeAsync(0);
    expect(socket.of("seed").map(({ base }) => base)).toEqual([
      [1, bytes(commitId(1))],
      [2, bytes(commitId(2))],
    ]);
    expect(game.notice.value).toBeNull();
  });

  test("that is refused again and again is not given for ever", async () => {
    const socket = opened(waiting, 1);
    for (let version = 2; version < 12; version++) {
      await vi.advanceTimersByTimeAsync(0);
      socket.say({
        t: "refused",
        id: bytes(lastId(socket, "seed")),
        code: "stale",
        text: "",
        snapshot: snapshotOf(waiting, version),
      });
    }
    await vi.advanceTimersByTimeAsync(0);
    expect(socket.of("seed")).toHaveLength(4);
  });

  test("that another page has given already is no trouble", async () => {
    const socket = opened(waiting, 1);
    await vi.advanceTimersByTimeAsync(0);
    socket.say(diffOf(2, commitId(2), { set: { phase: "to-roll", may: ["roll"] } }));
    expect(game.notice.value).toBeNull();
    expect(game.phase.value).toBe("to-roll");
  });

  test("and the opening with its ties is seen to its end before the computer's turn", async () => {
    const socket = opened(waiting, 1);
    await vi.advanceTimersByTimeAsync(0);
    socket.say(
      diffOf(2, lastId(socket, "seed"), {
        frames: [
          [0, "opening", 4, 4],
          [0, "opening", 2, 5],
        ],
        set: { phase: "computer", may: [], dice: { side: 1, values: [5, 2], unused: [5, 2] } },
      }),
    );
    socket.say(
      diffOf(3, commitId(3), {
        by: 1,
        frames: [
          [500, "move", 1, 13, 5, 8, 0],
          [900, "end", 1],
        ],
        board: [
          [12, -4],
          [17, -4],
        ],
        set: { phase: "to-roll", may: ["roll"], dice: null },
      }),
    );
    expect(game.phase.value).toBe("opening");
    expect(game.stage.table.value.opening).toEqual([4, 4]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(game.phase.value).toBe("opening");
    expect(game.stage.table.value.opening).toEqual([2, 5]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(game.phase.value).toBe("computer");
    expect(game.told.value?.board[12]).toBe(-5);
    await vi.advanceTimersByTimeAsync(1_500);
    expect(game.phase.value).toBe("to-roll");
    expect(game.told.value?.board[12]).toBe(-4);
    expect(at(17)).toBe(-4);
  });
});

describe("the computer's turn", () => {
  const turn = diffOf(4, commitId(4), {
    by: 1,
    frames: [
      [800, "dice", 1, 6, 1],
      [1600, "move", 1, 13, 6, 7, 0],
      [2000, "end", 1],
    ],
    board: [
      [12, -4],
      [18, -1],
    ],
    set: { phase: "to-roll", may: ["roll"] },
  });

  test("is on from the moment it is known, though the player's own dice are still rolling", async () => {
    const socket = opened(START);
    game.roll();
    socket.say(
      diffOf(4, lastId(socket, "roll"), {
        frames: [
          [0, "dice", 0, 6, 6],
          [0, "pass", 0],
        ],
        set: { phase: "computer", may: [] },
      }),
    );
    socket.say({
      ...turn,
      from: 4,
      version: 5,
      last: bytes(commitId(5)),
      frames: [[0, "move", 1, 13, 6, 7, 0]],
    });
    expect(game.phase.value).toBe("computer");
    expect(game.notice.value).toBeNull();
    await vi.advanceTimersByTimeAsync(600);
    expect(game.notice.value).toEqual({ kind: "passed", side: 0 });
    expect(game.phase.value).toBe("computer");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(game.phase.value).toBe("to-roll");
    expect(game.notice.value).toBeNull();
  });

  test("is hurried by a tap", () => {
    const socket = opened({ ...START, phase: "computer", may: [] });
    socket.say(turn);
    expect(game.phase.value).toBe("computer");
    game.hurry();
    expect(game.phase.value).toBe("to-roll");
    expect(at(18)).toBe(-1);
  });

  test("is shown at its end to a page that was asleep", () => {
    const hidden = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
    const socket = opened({ ...START, phase: "computer", may: [] });
    socket.say(turn);
    expect(game.phase.value).toBe("to-roll");
    expect(at(18)).toBe(-1);
    hidden.mockRestore();
  });
});

test("the end of a single game is the end of the game, that of a match the end of the match", () => {
  const over = { ...START, phase: "match-over", may: [], result: { winner: 0, points: 1 } } as const;
  opened(over);
  expect(game.phase.value).toBe("game-over");
  FakeSocket.last.say({ t: "snapshot", ...snapshotOf({ ...over, format: 5 }, 4) });
  expect(game.phase.value).toBe("match-over");
});

test("a dropped session leads to its successor", async () => {
  const next = "ab".repeat(16);
  const socket = opened(START);
  game.restart();
  socket.say(
    diffOf(4, lastId(socket, "restart"), { set: { phase: "dropped", may: [], successor: bytes(next) } }),
  );
  await vi.advanceTimersByTimeAsync(0);
  expect(socket.of("hello").at(-1)).toMatchObject({ session: bytes(next), version: 0 });
});

test("a session that is not there is told once", () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  opened(START).say({ t: "error", code: "no-session", text: "" });
  expect(failed).toHaveBeenCalledTimes(1);
});
