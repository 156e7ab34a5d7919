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
