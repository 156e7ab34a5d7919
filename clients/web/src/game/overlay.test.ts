import { describe, expect, test } from "vitest";
import { movesOf } from "../board/choices";
import { commitId, ROLLED, START } from "../link/fake";
import type { Command, Diff, View, Option as WireOption } from "../link/messages";
import { nextBase, type Waiting } from "../link/outbox";
import { type Chosen, shown } from "./overlay";
import { optionOf, patched } from "./table";

/** The player's commands on top of version 3, and what each move was told to do. */
function made(...steps: [Command, (WireOption | undefined)?][]): {
  waiting: Waiting[];
  chosen: Chosen;
} {
  const waiting: Waiting[] = [];
  const chosen = new Map();
  for (const [command, option] of steps) {
    const id = commitId(100 + waiting.length);
    waiting.push({ id, command, base: nextBase({ version: 3, last: commitId(3) }, waiting), sent: true });
    if (option !== undefined) chosen.set(id, optionOf(option));
  }
  return { waiting, chosen };
}

const move = (from: number, ...dice: number[]): Command => ({ t: "move", from, dice });
const undo: Command = { t: "undo" };
const count = (view: View) =>
  view.board.reduce((sum, n) => sum + Math.max(n, 0), view.off[0]) +
  view.board.reduce((sum, n) => sum - Math.min(n, 0), view.off[1]);

describe("the player's own moves", () => {
  test("are shown at once, with what may follow", () => {
    const { waiting, chosen } = made([move(8, 3), ROLLED.options[0]]);
    const now = shown(ROLLED, waiting, chosen);
    expect([now.view.board[8], now.view.board[5]]).toEqual([2, 1]);
    expect(now.view.dice?.unused).toEqual([1]);
    expect(now.view.moves).toEqual([[8, 3, 5, 0]]);
    expect(now.options.map(({ from }) => from)).toEqual([6]);
    expect(now.view.may).toContain("undo");
  });

  test("two quick ones stand on each other", () => {
    const { waiting, chosen } = made([move(8, 3), ROLLED.options[0]], [move(6, 1), [6, [1, 5]]]);
    const now = shown(ROLLED, waiting, chosen);
    expect([now.view.board[8], now.view.board[6], now.view.board[5]]).toEqual([2, 4, 2]);
    expect(now.view.dice?.unused).toEqual([]);
    expect(now.options).toEqual([]);
    expect(count(now.view)).toBe(30);
  });

  test("that use up the dice wait for the end of the turn only where it is the player who ends it", () => {
    const { waiting, chosen } = made([move(8, 3), ROLLED.options[0]], [move(6, 1), [6, [1, 5]]]);
    expect(shown(ROLLED, waiting, chosen).view.phase).toBe("moving");
    const byHand: View = { ...ROLLED, options_set: { ...ROLLED.options_set, auto_end: false } };
    const now = shown(byHand, waiting, chosen).view;
    expect(now.phase).toBe("confirm");
    expect(now.may).toContain("end");
  });

  test("are the same before and after their diff", () => {
    const { waiting, chosen } = made([move(8, 3), ROLLED.options[0]], [move(6, 1), [6, [1, 5]]]);
    const before = shown(ROLLED, waiting, chosen);
    const diff: Diff = {
      t: "diff",
      from: 3,
      version: 4,
      last: waiting[0]!.id,
      by: 0,
      frames: [],
      set: {
        dice: { side: 0, values: [3, 1], unused: [1] },
        moves: [[8, 3, 5, 0]],
        options: [[6, [1, 5], []]],
        may: ["move", "undo"],
      },
      board: [
        [8, 2],
        [5, 1],
      ],
      record: [],
    };
    const after = shown(patched(ROLLED, diff), waiting.slice(1), chosen);
    expect(after.view.board).toEqual(before.view.board);
    expect(after.view.moves).toEqual(before.view.moves);
    expect(after.view.dice).toEqual(before.view.dice);
  });

  test("are gone when they are refused", () => {
    expect(shown(ROLLED, [], made([move(8, 3), ROLLED.options[0]]).chosen).view).toBe(ROLLED);
  });

  test("over several dice are one drag and several moves", () => {
    const { waiting, chosen } = made([move(24, 3, 1), ROLLED.options[3]]);
    const now = shown(ROLLED, waiting, chosen);
    expect(now.view.moves).toEqual([
      [24, 3, 21, 0],
      [21, 1, 20, 0],
    ]);
    expect([now.view.board[24], now.view.board[21], now.view.board[20]]).toEqual([1, 0, 1]);
  });
});

describe("undo", () => {
  test("of a move still on its way brings back the very same options", () => {
    const { waiting, chosen } = made([move(8, 3), ROLLED.options[0]], [undo]);
    const now = shown(ROLLED, waiting, chosen);
    expect(now.view).toEqual(ROLLED);
    expect(now.options).toEqual(ROLLED.options.map(optionOf));
    expect(now.waiting).toEqual(["move", "undo"]);
  });

  test("takes back one die of a drag over two, and awaits what may then be done", () => {
    const { waiting, chosen } = made([move(24, 3, 1), ROLLED.options[3]], [undo]);
    const now = shown(ROLLED, waiting, chosen);
    expect(now.view.moves).toEqual([[24, 3, 21, 0]]);
    expect([now.view.board[21], now.view.board[20]]).toEqual([1, 0]);
    expect(now.view.dice?.unused).toEqual([1]);
    expect(now.options).toEqual([]);
    expect(now.view.may).toContain("undo");
  });

  test("of a confirmed move returns the hit checker from the bar", () => {
    const board = [...START.board];
    board[8] = 2;
    board[5] = 1;
    board[0] = -1;
    const view: View = { ...ROLLED, board, moves: [[8, 3, 5, 1]], may: ["undo"], options: [] };
    const now = shown(view, ...(Object.values(made([undo])) as [Waiting[], Chosen]));
    expect([now.view.board[8], now.view.board[5], now.view.board[0]]).toEqual([3, -1, 0]);
    expect(now.view.may).not.toContain("undo");
  });
});

describe("anything else on its way", () => {
  test.each(["roll", "end", "next"] as const)("%s: nothing may be done until it is answered", (t) => {
    const { waiting, chosen } = made([{ t }]);
    const now = shown(ROLLED, waiting, chosen);
    expect(now.options).toEqual([]);
    expect(now.view.may).toEqual([]);
    expect(now.view.board).toEqual(ROLLED.board);
  });

  test("options of play change nothing on the table", () => {
    const { waiting, chosen } = made([{ t: "options", ...START.options_set }]);
    expect(shown(ROLLED, waiting, chosen).options).toHaveLength(4);
  });
});

test("an option's path is read as single moves, hits marked", () => {
  expect(movesOf(optionOf([13, [6, -7, 2, 5]]))).toEqual([
    { from: 13, die: 6, to: 7, hit: true },
    { from: 7, die: 2, to: 5, hit: false },
  ]);
});
