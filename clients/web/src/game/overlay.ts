/**
 * What the player sees: the confirmed view with the unanswered commands laid over it.
 *
 * The server has said what may be done now and after each of that, so a permitted action is drawn at once; its own
 * diff then finds it already there. Nothing is worked out here that was not told.
 */
import { movesOf } from "../board/choices";
import { advance, takeBack } from "../board/position";
import { type Move, type Option, PLAYER, type Position } from "../board/types";
import type { Id, View } from "../link/messages";
import type { Waiting } from "../link/outbox";
import { moveOf, optionOf, wireMoveOf } from "./table";

export interface Shown {
  readonly view: View;
  readonly options: readonly Option[];
  /** Kinds of the commands on their way. */
  readonly waiting: readonly string[];
}

/** What each of the player's own moves was told to do, by the command's id. */
export type Chosen = ReadonlyMap<Id, Option>;

export function shown(confirmed: View, waiting: readonly Waiting[], chosen: Chosen): Shown {
  const first: Shown = { view: confirmed, options: confirmed.options.map(optionOf), waiting: [] };
  const states = [first];
  for (const { id, command } of waiting) {
    const now = states.at(-1)!;
    const option = chosen.get(id);
    let next: Shown;
    if (command.t === "move" && option !== undefined) next = moved(now, option);
    else if (command.t === "undo") next = undone(states);
    else if (command.t === "options") next = now;
    else next = { ...awaited(now), options: [] };
    states.push({ ...next, waiting: [...now.waiting, command.t] });
  }
  return states.at(-1)!;
}

function moved({ view, waiting }: Shown, option: Option): Shown {
  const moves = movesOf(option);
  const dice = view.dice && { ...view.dice, unused: without(view.dice.unused, moves) };
  // Where the turn does not end by itself, no more dice means that the player ends it.
  const done = dice?.unused.length === 0 && !view.options_set.auto_end;
  const may = view.may.filter((kind) => kind !== "undo" && kind !== "end");
  let position: Position = { points: view.board, off: view.off };
  for (const move of moves) position = advance(position, PLAYER, move);
  return {
    view: {
      ...view,
      board: position.points,
      off: position.off,
      moves: [...view.moves, ...moves.map(wireMoveOf)],
      dice,
      phase: done ? "confirm" : view.phase,
      may: done ? [...may, "undo", "end"] : [...may, "undo"],
    },
    options: option.next,
    waiting,
  };
}

/** As it was before the last move, where that is remembered; else the move is taken back and the options are awaited. */
function undone(states: readonly Shown[]): Shown {
  const now = states.at(-1)!;
  const last = now.view.moves.at(-1);
  if (last === undefined) return now;
  const count = now.view.moves.length - 1;
  const before = states.find(
    ({ view }) => view.moves.length === count && sameMoves(view.moves, now.view.moves.slice(0, count)),
  );
  if (before !== undefined) return before;
  const move = moveOf(last);
  const { points, off } = takeBack({ points: now.view.board, off: now.view.off }, PLAYER, move);
  const dice = now.view.dice && { ...now.view.dice, unused: [...now.view.dice.unused, move.die] };
  return {
    ...now,
    view: {
      ...now.view,
      board: points,
      off,
      dice,
      moves: now.view.moves.slice(0, count),
      phase: "moving",
      may: now.view.may.filter((kind) => kind !== "end" && (kind !== "undo" || count > 0)),
    },
    options: [],
  };
}

/** While anything else is on its way nothing can be done, and only an ended turn looks different. */
function awaited(now: Shown): Shown {
  return { ...now, view: { ...now.view, may: [] } };
}

function without(unused: readonly number[], moves: readonly Move[]): number[] {
  const left = [...unused];
  for (const { die } of moves) {
    const at = left.indexOf(die);
    if (at >= 0) left.splice(at, 1);
  }
  return left;
}

const sameMoves = (a: View["moves"], b: View["moves"]): boolean =>
  a.length === b.length && a.every((move, i) => move.every((value, j) => value === b[i]![j]));
