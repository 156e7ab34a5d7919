import type { Dice, Move, Option, Place } from "./types";

/** The places whose checkers may move. */
export function movable(options: readonly Option[]): Set<Place> {
  return new Set(options.map((option) => option.from));
}

export function target(option: Option): Place {
  return option.path[option.path.length - 1]!.to;
}

/** Whether the checker hits where it comes to rest. */
export function hitsAtEnd(option: Option): boolean {
  return option.path[option.path.length - 1]!.hit;
}

/** Where a checker of `from` may land, each with the option that is taken: the first that matches from and to. */
export function landings(options: readonly Option[], from: Place | null): Map<Place, Option> {
  const found = new Map<Place, Option>();
  for (const option of options) {
    if (option.from === from && !found.has(target(option))) found.set(target(option), option);
  }
  return found;
}

/** The dice as shown: the larger first, unless the player has swapped them. */
export function shownDice(values: readonly [number, number], swapped: boolean): [number, number] {
  const [a, b] = values;
  return a < b !== swapped ? [b, a] : [a, b];
}

/** Whether swapping the dice changes anything: two different dice of the player's, none of them played. */
export function mayBeSwapped(dice: Dice | null): boolean {
  return dice !== null && dice.side === 0 && dice.values[0] !== dice.values[1] && dice.unused.length === 2;
}

/** What the same checker clicked again plays: one die, the one shown first if it can be played. */
export function firstDie(
  options: readonly Option[],
  from: Place,
  dice: Dice | null,
  swapped: boolean,
): Option | undefined {
  const single = options.filter((option) => option.from === from && option.path.length === 1);
  for (const die of dice ? shownDice(dice.values, swapped) : []) {
    const option = single.find((candidate) => candidate.path[0]!.die === die);
    if (option) return option;
  }
  return single[0] ?? options.find((option) => option.from === from);
}

/** An option as the moves that it consists of. */
export function movesOf(option: Option): Move[] {
  let from = option.from;
  return option.path.map((step) => {
    const move = { from, ...step };
    from = step.to;
    return move;
  });
}

/**
 * How many of the turn's last moves must be taken back so that the checker that now stands on `place` stands on
 * `home` again, where this turn's moves brought it from there; 0 where they did not. The fewest that do it.
 */
export function movesToTakeBack(moves: readonly Move[], place: Place, home: Place): number {
  for (let last = moves.length - 1; last >= 0; last--) {
    if (moves[last]!.to !== place) continue;
    let at = place;
    for (let i = last; i >= 0; i--) {
      if (moves[i]!.to !== at) continue;
      at = moves[i]!.from;
      if (at === home) return moves.length - i;
    }
  }
  return 0;
}

/** Whether a checker on `place` was moved there in this turn, so that it may be dragged back. */
export function wasMovedTo(moves: readonly Move[], place: Place): boolean {
  return moves.some((move) => move.to === place);
}
