import type { Place, Position, Side } from "./types";

export const OFF: Place = 0;
export const BAR: Place = 25;
export const THEIR_BAR: Place = 26;
export const THEIR_OFF: Place = 27;

/** Every place of the board, in the player's reading order. */
export const PLACES: readonly Place[] = [
  BAR,
  ...Array.from({ length: 24 }, (_, i) => 24 - i),
  OFF,
  THEIR_BAR,
  THEIR_OFF,
];

/** The place that a mover calls `n` (25 its bar, 0 its tray, else a point counted along its own way). */
export function placeOf(side: Side, n: number): Place {
  if (side === 0) return n;
  if (n === 25) return THEIR_BAR;
  return n === 0 ? THEIR_OFF : 25 - n;
}

/** The name by which tests and styles find a place: `1`..`24`, `bar`, `off`, `their-bar`, `their-off`. */
export function placeName(place: Place): string {
  if (place === OFF) return "off";
  if (place === BAR) return "bar";
  if (place === THEIR_BAR) return "their-bar";
  return place === THEIR_OFF ? "their-off" : String(place);
}

/** How many checkers stand on a place: the player's positive, the computer's negative. */
export function checkersAt(position: Position, place: Place): number {
  if (place === OFF) return position.off[0];
  if (place === THEIR_OFF) return -position.off[1];
  return position.points[place === THEIR_BAR ? 0 : place] ?? 0;
}
