import type { RefObject, VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Disc, Slab } from "./Disc";
import { type Geometry, isPoint, SEEN_ON_BAR, SEEN_ON_POINT, slabThickness, slot } from "./geometry";
import { memo } from "./memo";
import type { Motion } from "./motion";
import { BAR, checkersAt, OFF, THEIR_BAR, THEIR_OFF } from "./places";
import { landingPlaces } from "./position";
import { type Checker, outermost } from "./settle";
import type { Place, Position, Side, Table } from "./types";

const isTray = (place: Place): boolean => place === OFF || place === THEIR_OFF;
export const seenAtMost = (place: Place): number =>
  isPoint(place) ? SEEN_ON_POINT : place === BAR || place === THEIR_BAR ? SEEN_ON_BAR : 15;

interface PieceProps {
  id: number;
  side: Side;
  place: Place;
  x: number;
  y: number;
  d: number;
  /** Size of the slab where the checker lies in its tray, else 0. */
  slabWidth: number;
  slabHeight: number;
  /** The number of checkers in the stack, where it is told on this one; else 0. */
  count: number;
  /** Under another that stands on the same slot. */
  buried: boolean;
  /** It came here in the last turn. */
  dotted: boolean;
  lifted: boolean;
  motion: Motion;
}

const Piece = memo<PieceProps>("Piece", (p) => {
  const ref = useRef<SVGGElement>(null);
  const stood = useRef<{ x: number; y: number; place: Place } | null>(null);
  useLayoutEffect(() => {
    const before = stood.current;
    stood.current = { x: p.x, y: p.y, place: p.place };
    if (before && ref.current) p.motion.travel(ref.current, p.id, before, stood.current);
  }, [p.x, p.y, p.place]);
  const tray = p.slabWidth > 0;
  return (
    <g
      ref={ref as RefObject<SVGGElement>}
      data-id={p.id}
      class={`piece${tray ? " off" : ""}${p.buried ? " buried" : ""}${p.lifted ? " lifted" : ""}`}
      style={{ transform: `translate(${p.x}px,${p.y}px)` }}
    >
      <Disc side={p.side} d={p.d} />
      {tray && <Slab side={p.side} width={p.slabWidth} height={p.slabHeight} />}
      {p.count > 0 && (
        <text
          key={p.count}
          class={p.side === 0 ? "count ivory" : "count ink"}
          font-size={Math.max(14, p.d * 0.4)}
          dy=".36em"
        >
          {p.count}
        </text>
      )}
      {p.dotted && (
        <circle
          class={p.side === 0 ? "dot ivory" : "dot ink"}
          cy={p.count > 0 ? p.d * 0.3 : 0}
          r={Math.max(2.5, p.d * 0.065)}
        />
      )}
    </g>
  );
});

export interface CheckersProps {
  checkers: readonly Checker[];
  g: Geometry;
  position: Position;
  last: Table["last"];
  selected: Place | null;
  motion: Motion;
}

/**
 * Checkers that travelled are put last. Preact would do so by `moveBefore`, after which Chromium does not apply what their
 * classes say to their parts if both happen in one frame; without it Preact inserts them anew.
 */
function reinsert(group: Element | null): void {
  if (group) Object.defineProperty(group, "moveBefore", { value: undefined, configurable: true });
}

/** The thirty checkers, each where it stands. */
export function Checkers({ checkers, g, position, last, selected, motion }: CheckersProps): VNode {
  const landed = last ? landingPlaces(last.side, last.moves) : null;
  const lifted = selected === null ? undefined : outermost(checkers, 0, selected)?.id;
  const t = Math.max(3, slabThickness(g) - 1.5);
  const length = g.tray - 10;
  const portrait = g.layout === "portrait";
  return (
    <g ref={reinsert} class="pieces" aria-hidden="true">
      {checkers.map(({ id, side, place, index }) => {
        const { x, y } = slot(g, place, index);
        const count = Math.abs(checkersAt(position, place));
        const top = index === count - 1;
        const tray = isTray(place);
        const many = !tray && count > seenAtMost(place);
        return (
          <Piece
            key={id}
            id={id}
            side={side}
            place={place}
            x={x}
            y={y}
            d={g.d}
            slabWidth={tray ? (portrait ? t : length) : 0}
            slabHeight={tray ? (portrait ? length : t) : 0}
            count={top && many ? count : 0}
            buried={many && !top && index >= seenAtMost(place) - 1}
            dotted={side === last?.side && !tray && index >= count - (landed?.get(place) ?? 0)}
            lifted={id === lifted}
            motion={motion}
          />
        );
      })}
    </g>
  );
}
