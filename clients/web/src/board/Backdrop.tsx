import type { VNode } from "preact";
import { type Box, barU, boxOnScreen, type Geometry, rimSpot, type Spot, toScreen, well } from "./geometry";
import { memo } from "./memo";
import { OFF, THEIR_OFF } from "./places";
import type { Place, Theme } from "./types";

const POINTS: readonly Place[] = Array.from({ length: 24 }, (_, i) => i + 1);

const at = ({ x, y }: Spot): string => `${+x.toFixed(2)} ${+y.toFixed(2)}`;

/** The outline of a point: base, sides and tip. A blade, or in the ink theme the stroke of a brush. */
export function pointShape(g: Geometry, point: Place, theme: Theme): string {
  const { at: place, length, half } = pointFrame(g, point);
  if (theme === "ink") {
    const sway = swayOf(point) * half * 0.22;
    return [
      `M${place(-half, 0)}`,
      `C${place(-half * 0.98, length * 0.34)} ${place(-half * 0.3 + sway * 0.4, length * 0.8)} ${place(sway, length)}`,
      `C${place(half * 0.42 + sway, length * 0.8)} ${place(half * 0.9, length * 0.36)} ${place(half, 0)}`,
      "Z",
    ].join("");
  }
  const tip = Math.min(1.25, half / 8);
  const waist = half * 0.46 + tip * 0.5;
  return [
    `M${place(-half, 0)}`,
    `Q${place(-waist, length / 2)} ${place(-tip, length)}`,
    `L${place(tip, length)}`,
    `Q${place(waist, length / 2)} ${place(half, 0)}`,
    "Z",
  ].join("");
}

/** Two dry slits (飞白) where the brush ran out of ink. */
function slits(g: Geometry, point: Place): string {
  const { at: place, length, half } = pointFrame(g, point);
  const sway = swayOf(point) * half * 0.2;
  const slit = (side: number, from: number, to: number, width: number): string =>
    `M${place(side * half * 0.3 + sway * from, length * from)}` +
    `L${place(side * half * 0.16 + sway * to - width, length * to)}` +
    `L${place(side * half * 0.16 + sway * to + width, length * to)}Z`;
  const turn = point % 3 === 0 ? 1 : -1;
  return slit(turn, 0.36, 0.84, half * 0.035) + slit(-turn * 0.55, 0.52, 0.93, half * 0.03);
}

/** From -1 to 1, another for every point, the same each time. */
const swayOf = (point: Place): number => Math.sin(point * 2.399);

function pointFrame(g: Geometry, point: Place) {
  const far = point >= 13;
  const k = far ? point - 13 : 12 - point;
  const u = g.rimU + k * g.w + (k > 5 ? g.bar : 0) + g.w / 2;
  const base = far ? g.rimV : g.short - g.rimV;
  const inward = far ? 1 : -1;
  return {
    at: (across: number, along: number): string => at(toScreen(g, u + across, base + inward * along)),
    length: 0.955 * (4 * g.pitch + g.d),
    half: 0.4 * g.w,
  };
}

function Rect({ box, ...rest }: { box: Box; class: string; rx?: number }): VNode {
  return <rect x={box.x} y={box.y} width={box.width} height={box.height} {...rest} />;
}

/** Grain: at most eight hair lines along each rail, ending unevenly. */
function grain(g: Geometry): string {
  const rails: readonly (readonly [u: number, v: number, du: number, dv: number])[] = [
    [0, 0, g.long, g.rimV],
    [0, g.short - g.rimV, g.long, g.rimV],
    [0, g.rimV, g.rimU, g.short - 2 * g.rimV],
    [g.long - g.rimU, g.rimV, g.rimU, g.short - 2 * g.rimV],
    [barU(g), g.rimV, g.bar, g.short - 2 * g.rimV],
  ];
  return rails
    .map(([u, v, du, dv], rail) => {
      const along = du > dv;
      const lines = Math.max(2, Math.min(7, Math.floor(Math.min(du, dv) / 7)));
      const strokes = Array.from({ length: lines }, (_, i) => {
        const n = rail * 11 + i;
        const across = Math.round(((i + 0.6 + 0.3 * Math.sin(n * 4.1)) / lines) * Math.min(du, dv)) + 0.5;
        const from = 0.5 + 0.5 * Math.sin(n * 12.9898);
        const [a, b] = [from * 0.3, 1 - (1 - from) * 0.35];
        return along
          ? `M${at(toScreen(g, u + du * a, v + across))}L${at(toScreen(g, u + du * b, v + across))}`
          : `M${at(toScreen(g, u + across, v + dv * a))}L${at(toScreen(g, u + across, v + dv * b))}`;
      });
      return strokes.join("");
    })
    .join("");
}

/** The short rails, mitred into the long ones. */
function rails(g: Geometry): string {
  const corner = (u: number, v: number): string => at(toScreen(g, u, v));
  const one = (edge: number, inner: number): string =>
    `M${corner(edge, 0)}L${corner(inner, g.rimV)}L${corner(inner, g.short - g.rimV)}L${corner(edge, g.short)}Z`;
  return one(0, g.rimU) + one(g.long, g.long - g.rimU);
}

/** A crescent on the bar, its back to the middle. */
function crescent(g: Geometry, v: number): VNode {
  const spot = toScreen(g, barU(g) + g.bar / 2, v);
  const middle = toScreen(g, barU(g) + g.bar / 2, g.short / 2);
  const turn = (Math.atan2(middle.y - spot.y, middle.x - spot.x) * 180) / Math.PI - 90;
  const r = g.bar * 0.2;
  return (
    <path
      class="inlay"
      transform={`translate(${at(spot)}) rotate(${Math.round(turn)})`}
      d={`M${-r} ${-r * 0.4}A${r * 1.02} ${r * 1.02} 0 0 0 ${r} ${-r * 0.4}A${r * 1.7} ${r * 1.7} 0 0 1 ${-r} ${-r * 0.4}Z`}
    />
  );
}

interface BackdropProps {
  g: Geometry;
  theme: Theme;
  numbers: boolean;
}

/** All that does not move: frame, felt, points, wells, numbers. Some twenty nodes and the numbers. */
export const Backdrop = memo<BackdropProps>("Backdrop", ({ g, theme, numbers }) => {
  const shapes = (odd: number): string =>
    POINTS.filter((point) => point % 2 === odd)
      .map((point) => pointShape(g, point, theme))
      .join("");
  const field = (u: number): Box => boxOnScreen(g, u, g.rimV, 6 * g.w, g.short - 2 * g.rimV);
  const fields = [field(g.rimU), field(barU(g) + g.bar)];
  const ends = g.rimV + (g.layout === "desktop" ? g.d * 0.6 : g.rimV + 4);
  return (
    <g class="backdrop" aria-hidden="true">
      <rect class="frame" width={g.width} height={g.height} />
      {theme === "wood" && <path class="rails" d={rails(g)} />}
      {theme === "wood" && <path class="grain" d={grain(g)} />}
      <rect
        class="bevel"
        x="1.5"
        y="1.5"
        width={g.width - 3}
        height={g.height - 3}
        rx={Math.max(0, radius(g) - 1.5)}
      />
      {theme !== "wood" && (
        <rect
          class="bevel inner"
          x="5.5"
          y="5.5"
          width={g.width - 11}
          height={g.height - 11}
          rx={radius(g) / 2}
        />
      )}
      {fields.map((box) => (
        <Rect key={`${box.x} ${box.y}`} class="field" box={box} />
      ))}
      <path class="point-a" d={shapes(1)} />
      <path class="point-b" d={shapes(0)} />
      {theme === "ink" && <path class="slits" d={POINTS.map((point) => slits(g, point)).join("")} />}
      {fields.map((box) => (
        <Rect key={`${box.x} ${box.y}`} class="field-edge" box={box} />
      ))}
      {theme === "wood" &&
        fields.map(({ x, y, width }) => (
          <path key={`${x} ${y}`} class="depth" d={`M${x} ${y + 1.5}h${width}`} />
        ))}
      <Rect class="well" box={well(g, OFF)} />
      <Rect class="well" box={well(g, THEIR_OFF)} />
      {crescent(g, ends)}
      {crescent(g, g.short - ends)}
      {numbers &&
        POINTS.map((point) => {
          const { x, y } = rimSpot(g, point);
          return (
            <text key={point} class="number" x={x} y={y} dy=".36em">
              {point}
            </text>
          );
        })}
    </g>
  );
});

/** Corners of the frame: none where the board fills the screen from edge to edge. */
export const radius = (g: Geometry): number =>
  g.layout === "portrait" ? 0 : g.layout === "desktop" ? 10 : 6;
