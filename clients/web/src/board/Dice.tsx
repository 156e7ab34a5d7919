import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { shownDice } from "./choices";
import { dieSpots, type Geometry, type Spot } from "./geometry";
import { stillness } from "./glide";
import type { Side, Table } from "./types";

/** Where the pips of a face are, in thirds of the die from its middle. */
const FACES: readonly (readonly (readonly [number, number])[])[] = [
  [],
  [[0, 0]],
  [
    [-1, -1],
    [1, 1],
  ],
  [
    [-1, -1],
    [0, 0],
    [1, 1],
  ],
  [
    [-1, -1],
    [1, -1],
    [-1, 1],
    [1, 1],
  ],
  [
    [-1, -1],
    [1, -1],
    [0, 0],
    [-1, 1],
    [1, 1],
  ],
  [
    [-1, -1],
    [1, -1],
    [-1, 0],
    [1, 0],
    [-1, 1],
    [1, 1],
  ],
];

const circle = (x: number, y: number, r: number): string =>
  `M${+(x - r).toFixed(2)} ${+y.toFixed(2)}a${r} ${r} 0 1 1 ${2 * r} 0a${r} ${r} 0 1 1 ${-2 * r} 0`;

interface DieProps {
  side: Side;
  value: number;
  size: number;
  at: Spot;
  used?: boolean;
  /** The number of the throw that is to be seen, 0 for none. */
  thrown?: number;
  /** Which way it turns. */
  turn?: 1 | -1;
}

export function Die({ side, value, size, at, used = false, thrown = 0, turn = 1 }: DieProps): VNode {
  const face = useTumbling(value, thrown);
  const half = size / 2;
  const third = size * 0.27;
  const r = +(size * 0.092).toFixed(2);
  const pips = (FACES[face] ?? []).map(([x, y]) => circle(x * third, y * third, r)).join("");
  const round = size * 0.2;
  return (
    <g transform={`translate(${at.x} ${at.y})`}>
      <g
        key={thrown}
        class={`die ${side === 0 ? "ivory" : "ink"}${used ? " used" : ""}${thrown ? " thrown" : ""}`}
        style={thrown ? { "--turn": `${18 * turn}deg` } : undefined}
      >
        {!used && (
          <rect class="shadow" x={-half} y={-half + size * 0.07} width={size} height={size} rx={round} />
        )}
        <rect class="edge" x={-half} y={-half} width={size} height={size} rx={round} />
        {!used && (
          <rect
            class="face"
            x={-half + 1}
            y={-half + 1}
            width={size - 2}
            height={size - 2 - size * 0.06}
            rx={round - 1}
          />
        )}
        <path class="pips" d={pips} />
      </g>
    </g>
  );
}

/** The face that is seen: three others for a moment after a throw, then the value (fixed before the motion begins). */
function useTumbling(value: number, thrown: number): number {
  const [face, setFace] = useState<{ of: number; value: number } | null>(null);
  useEffect(() => {
    if (!thrown || stillness()) return;
    const other = (step: number): void => {
      const shown = 1 + Math.floor(Math.random() * 5);
      setFace(step < 3 ? { of: thrown, value: shown >= value ? shown + 1 : shown } : null);
    };
    const timers = [0, 110, 220, 340].map((ms, step) => setTimeout(() => other(step), ms));
    return () => {
      for (const timer of timers) clearTimeout(timer);
      setFace(null);
    };
  }, [thrown, value]);
  return thrown && face?.of === thrown ? face.value : value;
}

interface DiceProps {
  g: Geometry;
  table: Table;
  swapped: boolean;
  /** The number of the throw while it is to be seen, else 0. */
  thrown: number;
}

/** The dice of the turn, of the opening, or (spent) of the turn that just ended. */
export function Dice({ g, table, swapped, thrown }: DiceProps): VNode | null {
  const { dice, opening, last } = table;
  const [first, second] = dieSpots(g);
  const size = g.die;
  if (opening && !dice) {
    return (
      <g class="dice" data-dice={opening.join(" ")} aria-hidden="true">
        <Die side={0} value={opening[0]} size={size} at={first} thrown={thrown} />
        <Die side={1} value={opening[1]} size={size} at={second} thrown={thrown} turn={-1} />
      </g>
    );
  }
  const shown = dice ?? (last?.dice ? { side: last.side, values: last.dice, unused: [] } : null);
  if (!shown) return null;
  const [a, b] = shownDice(shown.values, dice !== null && swapped);
  const { side, unused } = shown;
  if (a === b) {
    const drawn = unused.length;
    const shift =
      g.layout === "desktop"
        ? { x: 0, y: 0 }
        : { x: g.layout === "landscape" ? -4 : 0, y: g.layout === "landscape" ? 0 : -4 };
    const at = (spot: Spot): Spot => ({ x: spot.x + shift.x, y: spot.y + shift.y });
    return (
      <g class="dice" data-dice={`${a} ${b}`} aria-hidden="true">
        <Die side={side} value={a} size={size} at={at(first)} used={drawn < 3} thrown={thrown} />
        <Die side={side} value={b} size={size} at={at(second)} used={drawn < 1} thrown={thrown} turn={-1} />
        <Doubles g={g} side={side} left={drawn} />
      </g>
    );
  }
  return (
    <g class="dice" data-dice={`${a} ${b}`} aria-hidden="true">
      <Die side={side} value={a} size={size} at={first} used={!unused.includes(a)} thrown={thrown} />
      <Die
        side={side}
        value={b}
        size={size}
        at={second}
        used={!unused.includes(b)}
        thrown={thrown}
        turn={-1}
      />
    </g>
  );
}

/** Four small dots beside a double's two dice: one for each move, hollow when played. */
function Doubles({ g, side, left }: { g: Geometry; side: Side; left: number }): VNode {
  const [first, second] = dieSpots(g);
  const desktop = g.layout === "desktop";
  const r = desktop ? 4 : 2.75;
  const apart = desktop ? 15 : 9;
  const middle = { x: (first.x + second.x) / 2, y: (first.y + second.y) / 2 };
  const beside = g.die / 2 + (desktop ? 13 : 2);
  return (
    <g class={`doubles ${side === 0 ? "ivory" : "ink"}`}>
      {[0, 1, 2, 3].map((i) => {
        const along = (i - 1.5) * apart;
        const at =
          g.layout === "landscape"
            ? { x: middle.x + beside, y: middle.y + along }
            : { x: middle.x + along, y: middle.y + beside };
        return <circle key={i} class={i < 4 - left ? "spent" : "left"} cx={at.x} cy={at.y} r={r} />;
      })}
    </g>
  );
}
