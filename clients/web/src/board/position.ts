import { BAR, checkersAt, OFF, placeOf, THEIR_BAR, THEIR_OFF } from "./places";
import type { Move, Place, Position, Side } from "./types";

/** The standard start, for diagrams and for a table that has not been told anything yet. */
export const START: Position = {
  points: [0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0],
  off: [0, 0],
};

/** `position` after a move. Book-keeping only: whether the move is permitted is the server's to say. */
export function advance(position: Position, side: Side, move: Move): Position {
  return shift(position, side, move, 1);
}

/** The exact inverse of `advance`. */
export function takeBack(position: Position, side: Side, move: Move): Position {
  return shift(position, side, move, -1);
}

function shift(position: Position, side: Side, move: Move, way: 1 | -1): Position {
  const points = [...position.points];
  const off: [number, number] = [...position.off];
  const put = (owner: Side, place: Place, count: number): void => {
    if (place === OFF || place === THEIR_OFF) off[owner] += count;
    else points[place === THEIR_BAR ? 0 : place]! += owner === 0 ? count : -count;
  };
  const to = placeOf(side, move.to);
  put(side, placeOf(side, move.from), -way);
  if (move.hit) {
    const other: Side = side === 0 ? 1 : 0;
    put(other, to, -way);
    put(other, other === 0 ? BAR : THEIR_BAR, way);
  }
  put(side, to, way);
  return { points, off };
}

export function samePosition(a: Position, b: Position): boolean {
  return (
    a === b ||
    (a.off[0] === b.off[0] && a.off[1] === b.off[1] && a.points.every((count, i) => count === b.points[i]))
  );
}

/** Where checkers came to rest: place -> how many of the mover's were moved there and not on from there. */
export function landingPlaces(side: Side, moves: readonly Move[]): Map<Place, number> {
  const landed = new Map<Place, number>();
  for (const move of moves) {
    const from = placeOf(side, move.from);
    const to = placeOf(side, move.to);
    const waiting = landed.get(from) ?? 0;
    if (waiting > 1) landed.set(from, waiting - 1);
    else landed.delete(from);
    landed.set(to, (landed.get(to) ?? 0) + 1);
  }
  return landed;
}

/** The slot on which the next checker of `side` would stand at `place` (0 where it would hit). */
export function landingSlot(position: Position, side: Side, place: Place): number {
  const count = checkersAt(position, place);
  return Math.max(0, side === 0 ? count : -count);
}
