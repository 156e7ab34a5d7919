import { describe, expect, it } from "vitest";
import { type Voice, voices } from "./sound";
import type { Cue } from "./types";

const CUES: readonly Cue[] = ["dice", "place", "stack", "hit", "off", "win", "loss"];
const clicks = (cue: Cue): Voice[] =>
  voices(cue).filter(({ kind, length }) => kind === "noise" && length < 0.05);

describe("sounds", () => {
  it("are quiet and short: none louder than half, all but the end of a game within half a second", () => {
    for (const cue of CUES) {
      for (const { at, length, gain } of voices(cue)) {
        expect(gain, cue).toBeLessThanOrEqual(0.5);
        if (cue !== "win" && cue !== "loss") expect(at + length, cue).toBeLessThanOrEqual(0.5);
      }
    }
  });

  it("put ivory's click on top of wood's thump on a stack", () => {
    expect(clicks("place")).toHaveLength(0);
    expect(clicks("stack")).toMatchObject([{ frequency: 2400, length: 0.025 }]);
  });

  it("slow the dice down over 400 ms", () => {
    const times = clicks("dice").map(({ at }) => at);
    expect(times).toHaveLength(5);
    expect(times.at(-1)).toBeCloseTo(0.4);
    const gaps = times.slice(1).map((time, i) => time - times[i]!);
    expect([...gaps].sort((a, b) => a - b)).toEqual(gaps);
  });

  it("end a hit with a lower knock", () => {
    expect(clicks("hit")).toHaveLength(2);
    const tones = voices("hit").filter(({ kind }) => kind === "tone");
    expect(tones.at(-1)!.frequency).toBeLessThan(tones[0]!.frequency);
  });

  it("end a won game with a fifth, a lost one with its lower note alone", () => {
    const [low, high] = voices("win");
    expect(high!.frequency / low!.frequency).toBeCloseTo(1.5);
    expect(voices("loss").map(({ frequency }) => frequency)).toEqual([low!.frequency]);
  });

  it("vary in pitch by a factor", () => {
    expect(voices("place", 1.04)[0]!.frequency).toBeCloseTo(900 * 1.04);
  });
});
