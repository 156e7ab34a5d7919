/** The one line that tells the player where the game stands and what to do next. */
import { landings } from "../board/choices";
import { BAR, checkersAt, OFF } from "../board/places";
import type { Option, Place } from "../board/types";
import type { Words } from "../i18n/zh";
import type { LinkState } from "../link/connection";
import type { Hint, View } from "../link/messages";
import type { Notice, SeenPhase } from "./game";
import { pairs } from "./MoveRecord";

/** So many reasons of a hint have room on the line. */
const REASONS = 2;

export interface Situation {
  readonly phase: SeenPhase;
  readonly view: View | null;
  readonly options: readonly Option[];
  readonly selected: Place | null;
  readonly notice: Notice | null;
  readonly hint: Hint | "asked" | null;
  readonly playing: "opening" | "computer" | "own" | null;
  /** The computer's turn has begun, but nothing of it has been seen yet. */
  readonly thinking: boolean;
  /** The link, once it has been down long enough to be worth a word. */
  readonly link: LinkState;
  /** Something that the player did is on its way. */
  readonly sending: boolean;
}

export interface Prompt {
  readonly text: string;
  /** Whether it is worth saying aloud: the board's own announcements say the rest. */
  readonly spoken: boolean;
}

const spoken = (text: string): Prompt => ({ text, spoken: true });
const silent = (text: string): Prompt => ({ text, spoken: false });

export function promptOf(now: Situation, words: Words): Prompt {
  const { prompt } = words;
  if (now.link === "refused") return spoken(words.link.refused);
  if (now.link === "waiting") return spoken(now.sending ? words.link.kept : words.link.waiting);
  if (now.view === null) return silent(prompt.connecting);
  const notice = now.notice && noticeText(now.notice, words);
  if (notice) return notice;
  if (now.hint !== null) return spoken(hintText(now.hint, words));
  if (now.selected !== null && now.options.length > 0) {
    const text = selectedText(now.selected, now.options, words);
    if (text !== null) return silent(text);
  }
  return phaseText(now, now.view, words);
}

function noticeText(notice: Notice, words: Words): Prompt {
  switch (notice.kind) {
    case "refusal":
      return spoken(words.refusal[notice.code] ?? words.refusal.other!);
    case "why":
      return spoken(words.why[notice.code] ?? words.why["not-now"]!);
    case "passed":
      return silent(words.prompt.passed(notice.side));
    case "first":
      return silent(words.prompt.first(notice.side, ...notice.dice));
  }
}

function hintText(hint: Hint | "asked", words: Words): string {
  if (hint === "asked") return words.hint.asking;
  const best = hint.plays[0];
  if (best === undefined) return words.hint.none;
  const parts = [words.hint.play(best.text), words.hint.chance(best.win)];
  for (const [code, ...numbers] of best.reasons.slice(0, REASONS)) {
    const reason = words.hint.reasons[code];
    // A newer server may know reasons that this page has no words for.
    if (reason !== undefined) parts.push(reason(...numbers));
  }
  if (hint.undo_better !== null) parts.push(words.hint.undo);
  return parts.join(words.comma);
}

function selectedText(selected: Place, options: readonly Option[], { prompt }: Words): string | null {
  const name = (place: Place) => (place === OFF ? prompt.off : String(place));
  const to: string[] = [];
  const hits: string[] = [];
  const places = [...landings(options, selected)].sort(([a], [b]) => b - a);
  for (const [place, option] of places) (option.path.at(-1)!.hit ? hits : to).push(name(place));
  return to.length + hits.length === 0
    ? null
    : prompt.selected(selected === BAR ? prompt.bar : prompt.from(selected), to, hits);
}

function phaseText(now: Situation, view: View, { prompt }: Words): Prompt {
  switch (now.phase) {
    case "opening":
      return silent(now.playing === "opening" ? prompt.opening : prompt.seed);
    case "to-roll":
      return spoken(view.race ? prompt.raceRoll : prompt.toRoll);
    case "moving": {
      if (now.options.length === 0) return silent(prompt.move);
      if (checkersAt({ points: view.board, off: view.off }, BAR) > 0) return spoken(prompt.enter);
      return spoken(now.options.some(({ path }) => path.at(-1)!.to === OFF) ? prompt.bearOff : prompt.move);
    }
    case "confirm": {
      if (view.dice?.unused.length === 0) return spoken(prompt.done);
      return spoken(view.moves.length > 0 ? prompt.stuck : prompt.dance);
    }
    case "computer":
      return silent(now.playing === "computer" && !now.thinking ? prompt.playing : prompt.thinking);
    case "game-over":
    case "match-over":
      return silent(prompt.over(pairs(view.record).length));
  }
}
