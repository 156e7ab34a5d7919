import { describe, expect, test } from "vitest";
import { en } from "../i18n/en";
import { zh } from "../i18n/zh";
import { ROLLED, START } from "../link/fake";
import type { Hint, View } from "../link/messages";
import { promptOf, type Situation } from "./prompt";
import { optionOf } from "./table";

function situation(view: View, more: Partial<Situation> = {}): Situation {
  return {
    phase: "moving",
    view,
    options: view.options.map(optionOf),
    selected: null,
    notice: null,
    hint: null,
    playing: null,
    thinking: false,
    link: "open",
    sending: false,
    ...more,
  };
}

describe("the prompt", () => {
  test("says where the selected checker may go, the furthest last", () => {
    expect(promptOf(situation(ROLLED, { selected: 24 }), zh).text).toBe("已选 24 点，可到 23、20");
    expect(promptOf(situation(ROLLED, { selected: 24 }), en).text).toBe("From 24: to 23, 20");
  });

  test("says where a hit is possible", () => {
    const view: View = { ...ROLLED, options: [[8, [3, -5], []]] };
    expect(promptOf(situation(view, { selected: 8 }), zh).text).toBe("已选 8 点，可在 5 打子");
  });

  test("tells dice used up from dice that cannot be played", () => {
    const used: View = { ...ROLLED, options: [], dice: { side: 0, values: [3, 1], unused: [] } };
    const stuck: View = { ...ROLLED, options: [], moves: [[8, 3, 5, 0]] };
    expect(promptOf(situation(used, { phase: "confirm" }), zh).text).toBe(zh.prompt.done);
    expect(promptOf(situation(stuck, { phase: "confirm" }), zh).text).toBe(zh.prompt.stuck);
    expect(promptOf(situation({ ...stuck, moves: [] }, { phase: "confirm" }), zh).text).toBe(zh.prompt.dance);
  });

  test("a broken link comes before everything, and says that moves are kept", () => {
    const broken = { link: "waiting", notice: { kind: "why", code: "undo" } } as const;
    expect(promptOf(situation(ROLLED, broken), zh).text).toBe(zh.link.waiting);
    expect(promptOf(situation(ROLLED, { ...broken, sending: true }), zh).text).toBe(zh.link.kept);
  });

  test("a hint names its play, its chance and why, and passes over reasons without words", () => {
    const play = { moves: [], text: "8/5 6/5", equity: 0.1, loss: 0, win: 0.556 };
    const chances = { gammon: 0.1, backgammon: 0, lose_gammon: 0.1 };
    const reasons: [string, ...number[]][] = [["makes-point", 5], ["of-a-newer-server"]];
    const hint: Hint = {
      t: "hint",
      id: "",
      version: 3,
      undo_better: null,
      plays: [{ ...play, ...chances, reasons }],
    };
    expect(promptOf(situation(ROLLED, { hint }), zh).text).toBe("建议 8/5 6/5，胜率 56%，占住 5 点");
    expect(promptOf(situation(ROLLED, { hint: { ...hint, undo_better: 0.04 } }), en).text).toBe(
      "Try 8/5 6/5, wins 56%, makes point 5, though undoing first would be better",
    );
  });

  test("an unknown refusal still gets words", () => {
    const notice = { kind: "refusal", code: "of-a-newer-server" } as const;
    expect(promptOf(situation(START, { notice }), en).text).toBe(en.refusal.other);
  });

  test("a race is said before the roll", () => {
    const view: View = { ...START, race: true };
    expect(promptOf(situation(view, { phase: "to-roll" }), zh).text).toBe(zh.prompt.raceRoll);
  });
});
