import { checkersAt } from "./places";
import type { BoardWords, Frame, Place, Position } from "./types";

/** What happened, in words for a live region; empty where there is nothing to say. */
export function speak(frames: readonly Frame[], words: BoardWords): string {
  return frames
    .map((frame) => sentence(frame, words))
    .filter((text) => text !== "")
    .map((text) => text + words.stop)
    .join("")
    .trim();
}

function sentence(frame: Frame, words: BoardWords): string {
  switch (frame[1]) {
    case "opening":
      return words.opening(frame[2], frame[3]);
    case "dice":
      return words.rolled(frame[2], frame[3], frame[4]);
    case "move":
      return words.moved(frame[2], frame[3], frame[5], frame[6] === 1);
    case "undo":
      return words.undone(frame[2], frame[3], frame[5]);
    case "pass":
      return words.passed(frame[2]);
    case "win":
      return words.won(frame[2], frame[3]);
    case "end":
      return "";
  }
}

export interface PlaceState {
  readonly canMove: boolean;
  readonly selected: boolean;
  /** A checker of the selected place may land here: without or with a hit. */
  readonly canLand: "no" | "land" | "hit";
}

/** "13 点，你的棋子五枚，可走": the label of one place. */
export function label(position: Position, place: Place, state: PlaceState, words: BoardWords): string {
  const count = checkersAt(position, place);
  const parts = [words.place(place), words.checkers(count < 0 ? 1 : 0, Math.abs(count))];
  if (state.selected) parts.push(words.selected);
  else if (state.canMove) parts.push(words.canMove);
  if (state.canLand === "land") parts.push(words.canLand);
  if (state.canLand === "hit") parts.push(words.canHit);
  return parts.join(words.comma);
}

/** The whole position, place by place where checkers stand. */
export function describe(position: Position, places: readonly Place[], words: BoardWords): string {
  return places
    .filter((place) => checkersAt(position, place) !== 0)
    .map((place) => {
      const count = checkersAt(position, place);
      return words.place(place) + words.comma + words.checkers(count < 0 ? 1 : 0, Math.abs(count));
    })
    .map((text) => text + words.stop)
    .join("")
    .trim();
}
