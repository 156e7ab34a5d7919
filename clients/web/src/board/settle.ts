import { checkersAt, PLACES } from "./places";
import type { Place, Position, Side } from "./types";

/** One checker of the thirty, with an identity that it keeps while it travels. */
export interface Checker {
  readonly id: number;
  readonly side: Side;
  readonly place: Place;
  /** From 0, counted from where its place's stack begins. */
  readonly index: number;
}

/**
 * The checkers as `position` has them. As many as possible stay where they were in `before`; the others travel from
 * places that lost checkers to places that gained some, from the top of the stack, hindmost first. Those that travelled
 * come last, so that they are drawn over the others. With no `before` they are simply set up.
 */
export function settle(before: readonly Checker[], position: Position): readonly Checker[] {
  const staying: Checker[] = [];
  const travelling: Checker[] = [];
  for (const side of [0, 1] as const) {
    const wanted = (place: Place): number => {
      const count = checkersAt(position, place);
      return Math.max(0, side === 0 ? count : -count);
    };
    const loose: Checker[] = [];
    const gaps: Place[] = [];
    for (const place of PLACES) {
      const stack = before
        .filter((checker) => checker.side === side && checker.place === place)
        .sort((a, b) => a.index - b.index);
      const want = wanted(place);
      const keep = stack.slice(0, want);
      staying.push(...keep.map((checker, index) => moved(checker, place, index)));
      loose.push(...stack.slice(want).reverse());
      for (let index = keep.length; index < want; index++) gaps.push(place);
    }
    const filled = new Map<Place, number>();
    for (const place of gaps) {
      const index = filled.get(place) ?? Math.min(wanted(place), standing(staying, side, place));
      filled.set(place, index + 1);
      const checker = loose.shift() ?? { id: nextId(staying, travelling), side, place, index };
      travelling.push(moved(checker, place, index));
    }
  }
  // Whoever travelled before stays above: the order of `before` is kept.
  const order = new Map(before.map((checker, i) => [checker.id, i]));
  staying.sort((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0));
  return [...staying, ...travelling];
}

const standing = (checkers: readonly Checker[], side: Side, place: Place): number =>
  checkers.filter((checker) => checker.side === side && checker.place === place).length;

const nextId = (...lists: readonly (readonly Checker[])[]): number =>
  1 + Math.max(-1, ...lists.flat().map((checker) => checker.id));

function moved(checker: Checker, place: Place, index: number): Checker {
  return checker.place === place && checker.index === index ? checker : { ...checker, place, index };
}

/** The checker that a hand takes from a place: the outermost. */
export function outermost(checkers: readonly Checker[], side: Side, place: Place): Checker | undefined {
  return checkers
    .filter((checker) => checker.side === side && checker.place === place)
    .reduce<Checker | undefined>((top, one) => (top && top.index > one.index ? top : one), undefined);
}
