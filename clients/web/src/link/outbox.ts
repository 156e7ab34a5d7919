/**
 * The commands that are not yet answered, in the order in which the player made them.
 *
 * Each names its predecessor as its base, so several may be on their way at once and none is ever applied to a board
 * that the player has not seen. A command stays until its own diff, a `done` or a refusal comes; sending it again
 * is harmless, the server knows its id.
 */
import type { Base, Command, Id } from "./messages";

export interface Waiting {
  readonly id: Id;
  readonly command: Command;
  readonly base: Base;
  /** Whether it is on its way over the present socket. */
  readonly sent: boolean;
}

/** What these ask for holds on any board: when somebody else moved first, they are simply asked again. */
const HOLDS: ReadonlySet<Command["t"]> = new Set(["options", "leave", "restart", "next"]);
export const asksAgain = (command: Command): boolean => HOLDS.has(command.t);

export const sameBase = (a: Base, b: Base): boolean => a.version === b.version && a.last === b.last;

/** The base for the next command. */
export function nextBase(head: Base, waiting: readonly Waiting[]): Base {
  const before = waiting.at(-1);
  return before === undefined ? head : { version: before.base.version + 1, last: before.id };
}

/** The same commands in a row on top of `head`. */
export function rebased(head: Base, waiting: readonly Waiting[]): Waiting[] {
  const row: Waiting[] = [];
  for (const entry of waiting) row.push({ ...entry, base: nextBase(head, row) });
  return row;
}

/**
 * After a commit of somebody else, or a refusal: what is asked again on the new head, and what is given up.
 * Whatever is on its way keeps `sent`: it is sent again when its refusal comes.
 */
export function overtaken(head: Base, waiting: readonly Waiting[]): { again: Waiting[]; dropped: Waiting[] } {
  return {
    again: rebased(
      head,
      waiting.filter(({ command }) => asksAgain(command)),
    ),
    dropped: waiting.filter(({ command }) => !asksAgain(command)),
  };
}

/** Those up to and with `id` were accepted: what is left. */
export function acknowledged(waiting: readonly Waiting[], id: Id | null): Waiting[] {
  return waiting.slice(waiting.findIndex((entry) => entry.id === id) + 1);
}
