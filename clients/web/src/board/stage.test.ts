import { describe, expect, it } from "vitest";
import { advance, START } from "./position";
import { type Clock, EMPTY_TABLE, Stage, schedule } from "./stage";
import type { Cue, Frame, Table } from "./types";

/** A clock that stands still until it is wound on. */
class Wound implements Clock {
  time = 1000;
  #due: { at: number; then: () => void }[] = [];
  now(): number {
    return this.time;
  }
  after(ms: number, then: () => void): () => void {
    const entry = { at: this.time + ms, then };
    this.#due.push(entry);
    return () => {
      this.#due = this.#due.filter((other) => other !== entry);
    };
  }
  wind(ms: number): void {
    const end = this.time + ms;
    for (;;) {
      const first = this.#due.sort((a, b) => a.at - b.at)[0];
      if (!first || first.at > end) break;
      this.#due.shift();
      this.time = Math.max(this.time, first.at);
      first.then();
    }
    this.time = Math.max(this.time, end);
  }
  /** The machine slept: time went on, nothing ran. */
  sleep(ms: number): void {
    this.time += ms;
  }
}

function setUp() {
  const clock = new Wound();
  const seen: string[] = [];
  const cues: [Cue, number][] = [];
  const stage = new Stage(
    {
      onFrame: (frame) => seen.push(`${clock.time - 1000} ${frame.slice(1).join(" ")}`),
      onCue: (cue, delay) => cues.push([cue, delay]),
    },
    clock,
  );
  stage.show(EMPTY_TABLE);
  return { clock, stage, seen, cues };
}

const turn: readonly Frame[] = [
  [600, "dice", 1, 3, 1],
  [1600, "move", 1, 8, 3, 5, 0],
  [2200, "move", 1, 6, 1, 5, 0],
  [2600, "end", 1],
];
const played = advance(advance(START, 1, { from: 8, die: 3, to: 5, hit: false }), 1, {
  from: 6,
  die: 1,
  to: 5,
  hit: false,
});
const after: Table = {
  position: played,
  dice: null,
  opening: null,
  last: { side: 1, dice: [3, 1], moves: [] },
};

describe("the computer's turn", () => {
  it("is seen at the frames' own times and ends on the truth", () => {
    const { clock, stage, seen, cues } = setUp();
    stage.play(turn, after);
    expect(stage.busy.value).toBe(true);
    clock.wind(599);
    expect(stage.table.value.dice).toBeNull();
    clock.wind(1);
    expect(stage.table.value.dice).toEqual({ side: 1, values: [3, 1], unused: [3, 1] });
    expect(stage.throws.value).toBe(1);
    clock.wind(1000);
    expect(stage.table.value.position.points[20]).toBe(-1);
    expect(stage.table.value.dice?.unused).toEqual([1]);
    expect(stage.glide).toBe("move");
    clock.wind(1000);
    expect(seen).toEqual(["600 dice 1 3 1", "1600 move 1 8 3 5 0", "2200 move 1 6 1 5 0", "2600 end 1"]);
    expect(stage.table.value).toBe(after);
    expect(stage.busy.value).toBe(false);
    expect(cues.map(([cue]) => cue)).toEqual(["dice", "place", "stack"]);
  });

  it("marks the landing points as they come about", () => {
    const { clock, stage } = setUp();
    stage.play(turn, after);
    clock.wind(1700);
    expect(stage.table.value.last).toEqual({
      side: 1,
      dice: [3, 1],
      moves: [{ from: 8, die: 3, to: 5, hit: false }],
    });
  });

  it("is all there at once when hurried, and nothing comes after", () => {
    const { clock, stage, seen } = setUp();
    stage.play(turn, after);
    clock.wind(700);
    stage.hurry();
    expect(stage.table.value).toBe(after);
    expect(stage.busy.value).toBe(false);
    expect(seen).toHaveLength(4);
    clock.wind(5000);
    expect(seen).toHaveLength(4);
    expect(stage.table.value).toBe(after);
  });

  it("is dropped by a new truth in its midst", () => {
    const { clock, stage } = setUp();
    stage.play(turn, after);
    clock.wind(1700);
    const truth: Table = { ...EMPTY_TABLE };
    stage.show(truth, "undo");
    clock.wind(5000);
    expect(stage.table.value).toBe(truth);
    expect(stage.glide).toBe("undo");
    expect(stage.busy.value).toBe(false);
  });

  it("has ended when the machine wakes from sleep, without a noise", () => {
    const { clock, stage, cues } = setUp();
    stage.play(turn, after);
    clock.sleep(3_600_000);
    clock.wind(1);
    expect(stage.table.value).toBe(after);
    expect(cues).toEqual([]);
    expect(stage.throws.value).toBe(0);
  });

  it("keeps checkers at least 140 ms apart, however close the frames are", () => {
    const close: Frame[] = [
      [100, "dice", 1, 2, 2],
      [200, "move", 1, 13, 2, 11, 0],
      [210, "move", 1, 13, 2, 11, 0],
      [220, "move", 1, 6, 2, 4, 0],
    ];
    expect(schedule(close, 0).times).toEqual([100, 580, 720, 860]);
  });

  it("is there at once at the pace 即时", () => {
    const { stage, seen } = setUp();
    stage.play(
      turn.map((frame) => [0, ...frame.slice(1)] as unknown as Frame),
      after,
    );
    expect(stage.table.value).toBe(after);
    expect(stage.busy.value).toBe(false);
    expect(seen).toHaveLength(4);
  });
});

describe("the player's own", () => {
  const own: readonly Frame[] = [[0, "move", 0, 13, 5, 8, 0]];
  const moved: Table = {
    ...EMPTY_TABLE,
    position: advance(START, 0, { from: 13, die: 5, to: 8, hit: false }),
  };

  it("move is there before play returns", () => {
    const { stage, cues } = setUp();
    stage.play(own, moved);
    expect(stage.table.value).toBe(moved);
    expect(stage.busy.value).toBe(false);
    expect(cues).toEqual([["stack", 280]]);
  });

  it("second move does not wait for the first one's travel", () => {
    const { stage } = setUp();
    stage.play(own, moved);
    const twice: Table = {
      ...moved,
      position: advance(moved.position, 0, { from: 8, die: 3, to: 5, hit: false }),
    };
    stage.play([[0, "move", 0, 8, 3, 5, 0]], twice);
    expect(stage.table.value).toBe(twice);
  });

  it("roll is seen rolling before the marks come", () => {
    const { clock, stage } = setUp();
    const rolled: Table = { ...EMPTY_TABLE, dice: { side: 0, values: [6, 2], unused: [6, 2] } };
    stage.play([[0, "dice", 0, 6, 2]], rolled);
    expect(stage.table.value.dice?.values).toEqual([6, 2]);
    expect(stage.busy.value).toBe(true);
    clock.wind(480);
    expect(stage.busy.value).toBe(false);
  });

  it("dance is seen: dice, then the notice, then the computer's turn", () => {
    const { clock, stage, seen } = setUp();
    const dance: Frame[] = [
      [0, "dice", 0, 6, 6],
      [0, "pass", 0],
      [0, "end", 0],
    ];
    stage.play(dance, EMPTY_TABLE);
    stage.play(turn, after);
    clock.wind(10_000);
    expect(seen.slice(0, 4)).toEqual(["0 dice 0 6 6", "480 pass 0", "1180 end 0", "1780 dice 1 3 1"]);
    expect(stage.table.value).toBe(after);
  });

  it("forced turn is played checker by checker", () => {
    const frames: Frame[] = [
      [0, "dice", 0, 2, 1],
      [0, "move", 0, 8, 2, 6, 0],
      [0, "move", 0, 6, 1, 5, 0],
      [0, "end", 0],
    ];
    expect(schedule(frames, 0).times).toEqual([0, 480, 800, 1120]);
  });

  it("undo gives the die back and brings the checker home", () => {
    const { stage } = setUp();
    stage.show({ ...moved, dice: { side: 0, values: [5, 3], unused: [3] } });
    const before: Table = { ...EMPTY_TABLE, dice: { side: 0, values: [5, 3], unused: [3, 5] } };
    stage.play([[0, "undo", 0, 13, 5, 8, 0]], before);
    expect(stage.glide).toBe("undo");
    expect(stage.table.value).toBe(before);
  });
});

describe("the opening", () => {
  it("shows every tie, and takes up the opening's dice without throwing them again", () => {
    const { clock, stage, seen } = setUp();
    const frames: Frame[] = [
      [0, "opening", 4, 4],
      [0, "opening", 3, 5],
      [0, "dice", 1, 3, 5],
    ];
    stage.play(frames, { ...EMPTY_TABLE, dice: { side: 1, values: [3, 5], unused: [3, 5] } });
    expect(stage.table.value.opening).toEqual([4, 4]);
    clock.wind(900);
    expect(stage.table.value.opening).toEqual([3, 5]);
    clock.wind(2000);
    expect(seen).toEqual(["0 opening 4 4", "900 opening 3 5", "1800 dice 1 3 5"]);
    expect(stage.throws.value).toBe(2);
  });
});

describe("the dice's order", () => {
  it("is the player's for one roll only", () => {
    const { stage } = setUp();
    stage.show({ ...EMPTY_TABLE, dice: { side: 0, values: [5, 3], unused: [5, 3] } });
    stage.swapped.value = true;
    stage.show({ ...EMPTY_TABLE, dice: { side: 0, values: [5, 3], unused: [3] } });
    expect(stage.swapped.value).toBe(true);
    stage.show({ ...EMPTY_TABLE, dice: { side: 0, values: [6, 1], unused: [6, 1] } });
    expect(stage.swapped.value).toBe(false);
  });
});
