import type { VNode } from "preact";
import { Backdrop } from "./Backdrop";
import { seenAtMost } from "./Checkers";
import { Dice } from "./Dice";
import { Disc, Slab } from "./Disc";
import { barU, board, isPoint, slabThickness, slot } from "./geometry";
import { Hint } from "./Hint";
import { Lit, Marks } from "./Marks";
import { checkersAt, OFF, PLACES, THEIR_OFF } from "./places";
import type { Dice as DiceValue, HintPath, Option, Place, Position, Side, Theme } from "./types";

export interface DiagramProps {
  readonly position: Position;
  readonly theme: Theme;
  /** What the picture shows, for those who cannot see it; without it the picture is decoration. */
  readonly label?: string;
  readonly dice?: DiceValue | null;
  readonly numbers?: boolean;
  readonly mirrored?: boolean;
  /** Points shown as lit. */
  readonly lit?: readonly Place[];
  /** Places shown as movable. */
  readonly movable?: readonly Place[];
  /** Landing marks as the board would show them. */
  readonly landings?: readonly Option[];
  readonly hint?: HintPath;
  /** The whole board, or the half with the home boards, bar and trays. */
  readonly part?: "board" | "home";
}

const NOWHERE: ReadonlyMap<Place, Option> = new Map();

/** The board as a still picture that takes the width it is given: lobby, help. */
export function Diagram(props: DiagramProps): VNode {
  const { position, theme, label, dice = null, numbers = false, lit = [], hint, part = "board" } = props;
  const g = board("desktop", 60, { mirrored: props.mirrored ?? false });
  const half = part === "home";
  const width = half ? g.width - barU(g) : g.width;
  const x = half && !g.mirrored ? barU(g) : 0;
  const t = slabThickness(g) - 1.5;
  const landings = props.landings
    ? new Map(props.landings.map((option) => [option.path.at(-1)!.to, option]))
    : NOWHERE;
  return (
    <svg
      class={`board diagram ${theme}`}
      viewBox={`${x} 0 ${width} ${g.height}`}
      style={{ "--d": `${g.d}px`, aspectRatio: `${width} / ${g.height}` }}
      {...(label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" })}
    >
      <Backdrop g={g} theme={theme} numbers={numbers} />
      <Lit g={g} theme={theme} numbers={numbers} targets={[...lit, ...landings.keys()]} />
      {PLACES.map((place) => {
        const count = checkersAt(position, place);
        if (count === 0) return null;
        const side: Side = count > 0 ? 0 : 1;
        const total = Math.abs(count);
        const tray = place === OFF || place === THEIR_OFF;
        return Array.from({ length: Math.min(total, seenAtMost(place)) }, (_, i) => {
          const spot = slot(g, place, i);
          const many = !tray && total > seenAtMost(place) && i === seenAtMost(place) - 1;
          return (
            <g key={`${place} ${i}`} class="piece" transform={`translate(${spot.x} ${spot.y})`}>
              {tray ? <Slab side={side} width={g.tray - 10} height={t} /> : <Disc side={side} d={g.d} />}
              {many && (
                <text class={side === 0 ? "count ivory" : "count ink"} font-size={g.d * 0.4} dy=".36em">
                  {total}
                </text>
              )}
            </g>
          );
        });
      })}
      {dice && (
        <Dice g={g} table={{ position, dice, opening: null, last: null }} swapped={false} thrown={0} />
      )}
      {hint && <Hint g={g} position={position} hint={hint} />}
      {(props.movable || props.landings) && (
        <Marks
          g={g}
          position={position}
          movable={new Set(props.movable?.filter(isPoint))}
          selected={props.landings?.[0]?.from ?? null}
          landings={landings}
          over={null}
          focused={null}
        />
      )}
    </svg>
  );
}
