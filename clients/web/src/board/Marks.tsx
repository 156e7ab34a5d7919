import type { VNode } from "preact";
import { pointShape } from "./Backdrop";
import { seenAtMost } from "./Checkers";
import { hitsAtEnd } from "./choices";
import { discRadius } from "./Disc";
import { type Geometry, growth, isPoint, rimSpot, type Spot, slot, strip, well } from "./geometry";
import { BAR, checkersAt, OFF, THEIR_BAR } from "./places";
import { landingSlot } from "./position";
import type { Option, Place, Position, Theme } from "./types";

const n = (value: number): number => +value.toFixed(2);

/** The spot of the outermost checker that is seen of a place. */
function topSpot(g: Geometry, position: Position, place: Place): Spot {
  const count = Math.abs(checkersAt(position, place));
  return slot(g, place, Math.max(0, Math.min(count, seenAtMost(place)) - 1));
}

/** Where a checker would land: in the tray the ring keeps clear of the well's edges. */
function landingSpot(g: Geometry, position: Position, place: Place): Spot {
  const spot = slot(g, place, landingSlot(position, 0, place));
  if (place !== OFF) return spot;
  const box = well(g, OFF);
  const keep = g.d * 0.3 + 6;
  const within = (value: number, from: number, size: number): number =>
    size < 2 * keep ? from + size / 2 : Math.max(from + keep, Math.min(from + size - keep, value));
  return { x: within(spot.x, box.x, box.width), y: within(spot.y, box.y, box.height) };
}

/** Under the checkers: points that may be reached, and their numbers as pills. */
export function Lit({
  g,
  theme,
  numbers,
  targets,
}: {
  g: Geometry;
  theme: Theme;
  numbers: boolean;
  targets: readonly Place[];
}): VNode | null {
  const points = targets.filter(isPoint);
  if (points.length === 0) return null;
  const wide = g.layout === "desktop";
  return (
    <g class="lit" aria-hidden="true">
      <path class="lit-point" d={points.map((point) => pointShape(g, point, theme)).join("")} />
      {numbers &&
        points.map((point) => {
          const { x, y } = rimSpot(g, point);
          const width = wide ? 28 : g.layout === "portrait" ? g.rimV : 22;
          const height = wide ? 20 : g.layout === "portrait" ? 19 : 14;
          return (
            <g key={point}>
              <rect
                class="pill"
                x={x - width / 2}
                y={y - height / 2}
                width={width}
                height={height}
                rx={wide ? 10 : 4}
              />
              <text class="number on" x={x} y={y} dy=".36em">
                {point}
              </text>
            </g>
          );
        })}
    </g>
  );
}

/** One dot for each die that is used, one to four. */
function dots(count: number, at: Spot, d: number): string {
  const r = n(Math.max(1.7, d * 0.05));
  const a = Math.max(3.4, d * 0.095);
  const places: readonly Spot[] =
    count <= 1
      ? [{ x: 0, y: 0 }]
      : count === 2
        ? [
            { x: -a, y: 0 },
            { x: a, y: 0 },
          ]
        : count === 3
          ? [
              { x: 0, y: -a },
              { x: -a, y: a * 0.8 },
              { x: a, y: a * 0.8 },
            ]
          : [
              { x: -a, y: -a },
              { x: a, y: -a },
              { x: -a, y: a },
              { x: a, y: a },
            ];
  return places
    .map(
      ({ x, y }) =>
        `M${n(at.x + x - r)} ${n(at.y + y)}a${r} ${r} 0 1 1 ${2 * r} 0a${r} ${r} 0 1 1 ${-2 * r} 0`,
    )
    .join("");
}

/** Four wedges that strike inward on the diagonals. */
function wedges({ x, y }: Spot, d: number): string {
  const point = (angle: number, r: number): string =>
    `${n(x + r * Math.cos(angle))} ${n(y + r * Math.sin(angle))}`;
  return [1, 3, 5, 7]
    .map((k) => {
      const angle = (k * Math.PI) / 4;
      return `M${point(angle, d * 0.3)}L${point(angle - 0.26, d * 0.61)}L${point(angle + 0.26, d * 0.61)}Z`;
    })
    .join("");
}

/** A small triangle on the checker's inner rim, pointing into the board. */
function nib(spot: Spot, way: Spot, d: number): string {
  const height = Math.max(7, d * 0.15);
  const half = Math.max(4.5, d * 0.105);
  const base = d * 0.41;
  const side = { x: -way.y, y: way.x };
  const corner = (along: number, across: number): string =>
    `${n(spot.x + way.x * along + side.x * across)} ${n(spot.y + way.y * along + side.y * across)}`;
  return `M${corner(base, -half)}L${corner(base + height, 0)}L${corner(base, half)}Z`;
}

/** Three sides of the well, open where the stack grows. */
function wellEdge(g: Geometry): string {
  const { x, y, width, height } = well(g, OFF);
  const way = growth(g, OFF);
  const [l, t, r, b] = [x, y, x + width, y + height];
  if (way.y < 0) return `M${l} ${t}V${b}H${r}V${t}`;
  if (way.y > 0) return `M${l} ${b}V${t}H${r}V${b}`;
  return way.x > 0 ? `M${r} ${t}H${l}V${b}H${r}` : `M${l} ${t}H${r}V${b}H${l}`;
}

/** A stroke drawn twice, its casing first, so that it reads on every ground. */
function Twice({ d, class: name = "" }: { d: string; class?: string }): VNode {
  return (
    <>
      <path class={`case ${name}`} d={d} />
      <path class={`mark ${name}`} d={d} />
    </>
  );
}

const ring = ({ x, y }: Spot, r: number): string =>
  `M${n(x - r)} ${n(y)}a${n(r)} ${n(r)} 0 1 1 ${n(2 * r)} 0a${n(r)} ${n(r)} 0 1 1 ${n(-2 * r)} 0`;

interface MarksProps {
  g: Geometry;
  position: Position;
  movable: ReadonlySet<Place>;
  selected: Place | null;
  landings: ReadonlyMap<Place, Option>;
  /** The target under the dragged checker. */
  over: Place | null;
  focused: Place | null;
}

/** What may be done now. Rings, wedges and nibs differ in shape; colour only repeats it. */
export function Marks({ g, position, movable, selected, landings, over, focused }: MarksProps): VNode {
  const nibs = [...movable]
    .filter((place) => place !== selected)
    .map((place) => nib(topSpot(g, position, place), growth(g, place), g.d));
  const targets = [...landings].map(([place, option]) => ({
    place,
    option,
    hit: hitsAtEnd(option),
    spot: landingSpot(g, position, place),
  }));
  const open = targets.filter(({ hit }) => !hit);
  const hits = targets.filter(({ hit }) => hit);
  return (
    <g class="marks" aria-hidden="true">
      {nibs.length > 0 && <path class="solid" d={nibs.join("")} />}
      {selected !== null && <Selected g={g} position={position} place={selected} />}
      {landings.has(OFF) && <Twice d={wellEdge(g)} />}
      {open.length > 0 && (
        <g key={selected} class="appear">
          {open.map(({ spot, place }) => (
            <path key={place} class={place === over ? "wash over" : "wash"} d={ring(spot, g.d * 0.3)} />
          ))}
          <Twice d={open.map(({ spot }) => ring(spot, g.d * 0.3)).join("")} />
        </g>
      )}
      {hits.some(({ place }) => place === over) && (
        <path
          class="wash over"
          d={hits.map(({ place, spot }) => (place === over ? ring(spot, g.d * 0.3) : "")).join("")}
        />
      )}
      {hits.length > 0 && (
        <path class="solid strike" d={hits.map(({ spot }) => wedges(spot, g.d)).join("")} />
      )}
      {targets.length > 0 && (
        <path
          class="solid fine"
          d={targets.map(({ option, spot }) => dots(option.path.length, spot, g.d)).join("")}
        />
      )}
      {focused !== null && <Focus g={g} position={position} place={focused} />}
    </g>
  );
}

function Selected({ g, position, place }: { g: Geometry; position: Position; place: Place }): VNode {
  const { x, y } = topSpot(g, position, place);
  return (
    <g key={place} class="appear">
      <Twice d={ring({ x, y: y - g.d * 0.05 }, discRadius(g.d) + 2)} class="around" />
    </g>
  );
}

/** The keyboard's place: a dashed square outside everything. */
function Focus({ g, position, place }: { g: Geometry; position: Position; place: Place }): VNode {
  const boxed = place === BAR || place === THEIR_BAR || isPoint(place);
  const side = g.d * 1.24;
  const { x, y } = topSpot(g, position, place);
  const area = strip(g, place);
  const box = boxed
    ? { x: x - side / 2, y: y - side / 2, width: side, height: side }
    : { x: area.x + 3, y: area.y + 3, width: area.width - 6, height: area.height - 6 };
  return (
    <>
      <rect class="focus case" {...box} rx={g.d * 0.2} />
      <rect class="focus mark" {...box} rx={g.d * 0.2} />
    </>
  );
}
