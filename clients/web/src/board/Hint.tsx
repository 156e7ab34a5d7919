import type { VNode } from "preact";
import { seenAtMost } from "./Checkers";
import { type Geometry, type Spot, slot } from "./geometry";
import { checkersAt } from "./places";
import { advance, landingSlot } from "./position";
import type { HintPath, Place, Position } from "./types";

interface Leg {
  readonly die: number;
  readonly from: Spot;
  readonly to: Spot;
  /** Where the line bends. */
  readonly bend: Spot;
}

/** From slot to slot, in playing order, each leg starting where the ones before have left the checkers. */
export function legs(g: Geometry, position: Position, hint: HintPath): Leg[] {
  let now = position;
  return hint.map((move) => {
    const count = checkersAt(now, move.from);
    const from = slot(g, move.from, Math.max(0, Math.min(count, seenAtMost(move.from)) - 1));
    const to = slot(g, move.to, landingSlot(now, 0, move.to));
    now = advance(now, 0, move);
    return { die: move.die, from, to, bend: bend(g, move.from, from, to) };
  });
}

/** Lines along one row bend towards the middle, so that they don't run through the stacks; the others hardly bend. */
function bend(g: Geometry, place: Place, from: Spot, to: Spot): Spot {
  const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const portrait = g.layout === "portrait";
  const inward = portrait ? g.width / 2 - middle.x : g.height / 2 - middle.y;
  const across = portrait ? Math.abs(to.x - from.x) : Math.abs(to.y - from.y);
  const sameRow = across < (portrait ? g.width : g.height) * 0.3;
  const amount = sameRow ? Math.sign(inward || (place % 2) - 0.5) * Math.min(length * 0.4, g.d * 1.9) : 0;
  return portrait ? { x: middle.x + amount, y: middle.y } : { x: middle.x, y: middle.y + amount };
}

/** A point of the quadratic curve at t. */
function along({ from, bend: via, to }: Leg, t: number): Spot {
  const s = 1 - t;
  return {
    x: s * s * from.x + 2 * s * t * via.x + t * t * to.x,
    y: s * s * from.y + 2 * s * t * via.y + t * t * to.y,
  };
}

/** The part of a leg between two distances from its ends, as an SVG path. */
function trimmed(leg: Leg, start: number, end: number): { path: string; tip: Spot; angle: number } {
  const length = Math.max(1, Math.hypot(leg.to.x - leg.from.x, leg.to.y - leg.from.y) * 1.06);
  const [a, b] = start + end < length * 0.8 ? [start / length, 1 - end / length] : [0.3, 0.7];
  const p = along(leg, a);
  const q = along(leg, b);
  // The control point of the part from a to b of a quadratic curve.
  const s = 1 - a;
  const k = {
    x: s * ((1 - b) * leg.from.x + b * leg.bend.x) + a * ((1 - b) * leg.bend.x + b * leg.to.x),
    y: s * ((1 - b) * leg.from.y + b * leg.bend.y) + a * ((1 - b) * leg.bend.y + b * leg.to.y),
  };
  const f = (value: number): string => value.toFixed(1);
  return {
    path: `M${f(p.x)} ${f(p.y)}Q${f(k.x)} ${f(k.y)} ${f(q.x)} ${f(q.y)}`,
    tip: q,
    angle: Math.atan2(q.y - k.y, q.x - k.x),
  };
}

function arrow({ x, y }: Spot, angle: number, size: number): string {
  const corner = (turn: number, r: number): string =>
    `${(x + r * Math.cos(angle + turn)).toFixed(1)} ${(y + r * Math.sin(angle + turn)).toFixed(1)}`;
  return `M${corner(0, size)}L${corner(2.3, size * 0.8)}L${corner(-2.3, size * 0.8)}Z`;
}

/** A play as dotted lines with arrow heads and the dice at their middles: advice, in no accent. */
export function Hint({ g, position, hint }: { g: Geometry; position: Position; hint: HintPath }): VNode {
  const dot = Math.max(3.2, g.d * 0.075);
  const size = Math.max(6, g.d * 0.13);
  const badge = Math.max(9, g.d * 0.2);
  const drawn = legs(g, position, hint).map((leg) => ({
    leg,
    ...trimmed(leg, g.d * 0.62, g.d * 0.42 + size),
    middle: along(leg, 0.5),
  }));
  const gap = `0 ${(dot * 2.6).toFixed(1)}`;
  return (
    <g class="hint" aria-hidden="true">
      {drawn.map(({ leg, path, tip, angle, middle }, i) => (
        <g key={i} style={{ animationDelay: `${i * 80}ms` }}>
          <path class="hint-line hint-case" d={path} stroke-width={dot + 2.5} stroke-dasharray={gap} />
          <path class="hint-line" d={path} stroke-width={dot} stroke-dasharray={gap} />
          <path class="hint-head" d={arrow(tip, angle, size)} />
          <g transform={`translate(${middle.x.toFixed(1)} ${middle.y.toFixed(1)})`}>
            <circle class="hint-badge" r={badge} />
            <text class="hint-number" font-size={badge * 1.3} dy=".36em">
              {leg.die}
            </text>
          </g>
        </g>
      ))}
    </g>
  );
}
