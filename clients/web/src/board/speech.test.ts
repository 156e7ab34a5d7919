import { describe, expect, it } from "vitest";
import { OFF, THEIR_BAR } from "./places";
import { START } from "./position";
import { describe as describePosition, label, speak } from "./speech";
import type { Frame } from "./types";
import { en, zh } from "./words";

const still = { canMove: false, selected: false, canLand: "no" } as const;

describe("the label of a place", () => {
  it("says number, whose, how many, and what may be done", () => {
    expect(label(START, 13, { ...still, canMove: true }, zh)).toBe("13 点，你的棋子五枚，可走");
    expect(label(START, 13, { ...still, canMove: true }, en)).toBe("13 point, 5 of yours, may move");
    expect(label(START, 1, { ...still, canLand: "hit" }, zh)).toBe("1 点，电脑的棋子两枚，可打子");
    expect(label(START, 20, { ...still, canLand: "land" }, en)).toBe("20 point, empty, may land here");
    expect(label(START, 13, { ...still, canMove: true, selected: true }, en)).toBe(
      "13 point, 5 of yours, selected",
    );
  });

  it("names bar and tray", () => {
    expect(label(START, OFF, still, zh)).toBe("你的离盘槽，空");
    expect(label(START, THEIR_BAR, still, en)).toBe("bar, the computer's side, empty");
  });
});

describe("what happened", () => {
  const frames: readonly Frame[] = [
    [0, "dice", 1, 6, 4],
    [900, "move", 1, 24, 6, 18, 0],
    [1300, "move", 1, 18, 4, 14, 1],
    [1500, "end", 1],
  ];

  it("is told in order, and the end of a turn is silent", () => {
    expect(speak(frames, zh)).toBe(
      "电脑掷出 6 和 4。电脑：从 24 点到 18 点。电脑：从 18 点到 14 点，打中你一枚棋子。",
    );
    expect(speak(frames, en)).toBe(
      "The computer rolled 6 and 4. The computer moved from 24 to 18. The computer moved from 18 to 14, hitting your checker.",
    );
  });

  it("is nothing where there is nothing to tell", () => {
    expect(speak([[0, "end", 0]], zh)).toBe("");
    expect(speak([], en)).toBe("");
  });

  it("tells ties, passes and wins", () => {
    expect(speak([[0, "opening", 3, 3]], en)).toBe(
      "Opening: you rolled 3, the computer 3: a tie, rolled again.",
    );
    expect(speak([[0, "pass", 0]], zh)).toBe("你无子可走，轮到电脑。");
    expect(speak([[0, "win", 0, 2]], en)).toBe("You won 2 points.");
  });

  it("describes a whole position place by place", () => {
    const text = describePosition(START, [24, 13, 12, 5], en);
    expect(text).toBe("24 point, 2 of yours. 13 point, 5 of yours. 12 point, 5 of the computer's.");
  });
});
