import { expect, test } from "vitest";
import { pairs } from "./MoveRecord";

test("turns stand in rows of two; where the computer began, the first row lacks the player's", () => {
  const mine = [0, 3, 1, "8/5 6/5"] as const;
  const theirs = [1, 6, 1, "13/7 8/7"] as const;
  expect(pairs([mine, theirs, mine])).toEqual([
    [mine, theirs],
    [mine, undefined],
  ]);
  expect(pairs([theirs, mine, theirs])).toEqual([
    [undefined, theirs],
    [mine, theirs],
  ]);
  expect(pairs([])).toEqual([]);
});
