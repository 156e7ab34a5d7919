/** From the wire's view to what the board is shown. Moving a checker here is moving a piece of wood, not judging it. */
import type { Move, Option, Side, Step, Table } from "../board/types";
import type { Diff, Frame, View, Move as WireMove, Option as WireOption } from "../link/messages";

/** The view after this commit. `diff.from` must be the version of `view`. */
export function patched(view: View, diff: Diff): View {
  const next: View = { ...view, ...diff.set };
  if (diff.board.length === 0 && diff.record.length === 0) return next;
  const board = [...next.board];
  for (const [index, count] of diff.board) board[index] = count;
  return { ...next, board, record: [...next.record, ...diff.record] };
}

export const moveOf = ([from, die, to, hit]: WireMove): Move => ({ from, die, to, hit: hit === 1 });

export const wireMoveOf = ({ from, die, to, hit }: Move): WireMove => [from, die, to, hit ? 1 : 0];

export function optionOf([from, wirePath, next]: WireOption): Option {
  const path: Step[] = [];
  for (let i = 0; i + 1 < wirePath.length; i += 2) {
    const to = wirePath[i + 1]!;
    path.push({ die: wirePath[i]!, to: Math.abs(to), hit: to < 0 });
  }
  return { from, path, next: (next ?? []).map(optionOf) };
}

export const moveFrame = (
  side: Side,
  { from, die, to, hit }: Move,
  kind: "move" | "undo" = "move",
): Frame => [0, kind, side, from, die, to, hit ? 1 : 0];

/** What lies on the table in this view. The last turn's dice are left lying until the next roll, not after the game. */
export function tableOf(view: View): Table {
  const { last, result } = view;
  return {
    position: { points: view.board, off: view.off },
    dice: view.dice,
    opening: null,
    last: last && {
      side: last.side,
      moves: last.moves.map(moveOf),
      ...(result === null && { dice: last.dice }),
    },
  };
}
