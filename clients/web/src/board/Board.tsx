import type { RefObject, VNode } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Backdrop, radius } from "./Backdrop";
import { Checkers } from "./Checkers";
import { hitsAtEnd, landings, mayBeSwapped, movable, shownDice } from "./choices";
import { Dice } from "./Dice";
import { Disc } from "./Disc";
import { dieSpots, type Geometry, strip } from "./geometry";
import { Hint } from "./Hint";
import { Hands, type Reach } from "./hands";
import { Lit, Marks } from "./Marks";
import { memo } from "./memo";
import { Motion } from "./motion";
import { checkersAt, PLACES, placeName } from "./places";
import { samePosition } from "./position";
import { type Checker, settle } from "./settle";
import { label } from "./speech";
import type { BoardProps, Option, Place, Position } from "./types";

const NO_OPTIONS: readonly Option[] = [];

/** The board that one plays on. */
export function Board(props: BoardProps): VNode {
  const { stage, geometry: g, theme, numbers, words } = props;
  const table = stage.table.value;
  const busy = stage.busy.value;
  const options = busy ? NO_OPTIONS : props.options;
  const { motion, checkers } = useCheckers(table.position, g, stage);

  const svg = useRef<SVGSVGElement>(null);
  const held = useRef<SVGGElement>(null);
  const [over, setOver] = useState<Place | null>(null);
  const [current, setCurrent] = useState<Place | null>(null);
  const [ringed, setRinged] = useState(false);

  const from = useMemo(() => movable(options), [options]);
  const selected = from.has(stage.selected.value ?? -1) ? stage.selected.value : null;
  const to = useMemo(() => landings(options, selected), [options, selected]);

  const reach = useRef<Reach | null>(null);
  reach.current = {
    props,
    checkers,
    motion,
    get svg() {
      return svg.current!;
    },
    get held() {
      return held.current!;
    },
    over: setOver,
    focus: (place) =>
      svg.current
        ?.querySelector<SVGElement>(`[data-point="${placeName(place)}"]`)
        ?.focus({ preventScroll: true }),
  };
  const hands = useMemo(() => new Hands(() => reach.current!), []);

  // A truth that takes the checker out of the player's hand.
  useLayoutEffect(() => {
    const lifted = hands.liftedFrom;
    if (lifted !== null && checkersAt(table.position, lifted) <= 0) hands.abandon();
    if (stage.selected.value !== null && selected === null && !busy) stage.selected.value = null;
  }, [table, options]);

  const focusable = current ?? [...from][0] ?? 13;
  const swappable = !busy && mayBeSwapped(table.dice);
  return (
    <svg
      ref={svg as RefObject<SVGSVGElement>}
      class={`board ${theme} ${g.layout}`}
      width={g.width}
      height={g.height}
      viewBox={`0 0 ${g.width} ${g.height}`}
      // Chromium lets one tab to an SVG with key listeners; the places in it are the stops.
      tabindex={-1}
      role="group"
      aria-label={words.board}
      style={{ "--d": `${g.d}px`, borderRadius: `${radius(g)}px` }}
      onPointerDown={hands.down}
      onPointerMove={hands.move}
      onPointerUp={hands.up}
      onPointerCancel={hands.cancel}
      onLostPointerCapture={hands.cancel}
      onContextMenu={hands.menu}
      onClick={hands.click}
      onKeyDown={hands.key}
      onFocusIn={(event: FocusEvent) => {
        const target = event.target as Element;
        const name = target.getAttribute("data-point");
        setCurrent(PLACES.find((place) => placeName(place) === name) ?? current);
        setRinged(name !== null && target.matches(":focus-visible"));
      }}
      onFocusOut={() => setRinged(false)}
    >
      <Backdrop g={g} theme={theme} numbers={numbers} />
      <Lit g={g} theme={theme} numbers={numbers} targets={[...to.keys()]} />
      <Checkers
        checkers={checkers}
        g={g}
        position={table.position}
        last={table.last}
        selected={selected}
        motion={motion}
      />
      <Dice g={g} table={table} swapped={stage.swapped.value} thrown={busy ? stage.throws.value : 0} />
      {props.hint && !busy && <Hint g={g} position={table.position} hint={props.hint} />}
      <Marks
        g={g}
        position={table.position}
        movable={from}
        selected={selected}
        landings={to}
        over={over}
        focused={ringed ? current : null}
      />
      <g ref={held as RefObject<SVGGElement>} class="held lifted" aria-hidden="true">
        <Disc side={0} d={g.d} />
      </g>
      {PLACES.map((place) => {
        const landing = to.get(place);
        const canLand = !landing ? "no" : hitsAtEnd(landing) ? "hit" : "land";
        const canMove = from.has(place);
        return (
          <Strip
            key={place}
            g={g}
            place={place}
            label={label(table.position, place, { canMove, selected: place === selected, canLand }, words)}
            canMove={canMove}
            canLand={canLand !== "no"}
            selected={place === selected}
            current={place === focusable}
          />
        );
      })}
      {swappable && <SwapButton {...props} />}
    </svg>
  );
}

/** The thirty checkers, the same ones from one position to the next. */
function useCheckers(
  position: Position,
  g: Geometry,
  stage: BoardProps["stage"],
): { motion: Motion; checkers: readonly Checker[] } {
  const kept = useRef<{ position: Position; checkers: readonly Checker[] } | null>(null);
  const motion = useMemo(() => new Motion(), []);
  const before = kept.current;
  if (!before || !samePosition(before.position, position)) {
    const checkers = settle(before?.checkers ?? [], position);
    motion.change(before ? stage.glide : "none", before?.checkers ?? [], checkers, g.d);
    kept.current = { position, checkers };
  }
  return { motion, checkers: kept.current!.checkers };
}

interface StripProps {
  g: Geometry;
  place: Place;
  label: string;
  canMove: boolean;
  canLand: boolean;
  selected: boolean;
  current: boolean;
}

/** The whole area of a place: what is pressed, focused and read out. */
const Strip = memo<StripProps>("Strip", ({ g, place, label, canMove, canLand, selected, current }) => {
  const { x, y, width, height } = strip(g, place);
  return (
    <rect
      class="strip"
      x={x}
      y={y}
      width={width}
      height={height}
      role="button"
      tabindex={current ? 0 : -1}
      aria-label={label}
      aria-pressed={canMove || selected ? selected : undefined}
      data-point={placeName(place)}
      data-can-move={canMove ? "" : undefined}
      data-can-land={canLand ? "" : undefined}
    />
  );
});

function SwapButton({ stage, geometry: g, words }: BoardProps): VNode {
  const [a, b] = dieSpots(g);
  const size = g.die + 8;
  const x = Math.min(a.x, b.x) - size / 2;
  const y = Math.min(a.y, b.y) - size / 2;
  const [first, second] = shownDice(stage.table.value.dice!.values, stage.swapped.value);
  const swap = (): void => {
    stage.swapped.value = !stage.swapped.value;
  };
  return (
    <rect
      class="strip swap"
      x={x}
      y={y}
      width={Math.abs(a.x - b.x) + size}
      height={Math.abs(a.y - b.y) + size}
      rx={size / 5}
      role="button"
      tabindex={0}
      aria-label={words.dice(0, first, second) + words.comma + words.swap}
      data-action="swap-dice"
      onClick={swap}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        swap();
      }}
    />
  );
}
