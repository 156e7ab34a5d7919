import { type ReadonlySignal, signal } from "@preact/signals";
import { speak } from "../board/speech";
import type { BoardWords, Frame } from "../board/types";

/** What comes within this many milliseconds is spoken as one sentence after the other, not one over the other. */
const TOGETHER = 350;

/** Says what happens to those who do not see it. Its text stands in a polite live region. */
export class Announcer {
  readonly text = signal("");
  readonly #words: ReadonlySignal<BoardWords>;
  #frames: Frame[] = [];
  #prompt = "";
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(words: ReadonlySignal<BoardWords>) {
    this.#words = words;
  }

  /** Something has happened on the board. */
  seen(frame: Frame): void {
    this.#frames.push(frame);
    this.#soon();
  }

  /** What the player may do now (empty: nothing worth a word); said after what happened, and only the latest. */
  prompt(text: string): void {
    this.#prompt = text;
    if (text !== "") this.#soon();
  }

  #soon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#say(), TOGETHER);
  }

  #say(): void {
    const text = `${speak(this.#frames, this.#words.value)} ${this.#prompt}`.trim();
    this.#frames = [];
    this.#prompt = "";
    if (text === "") return;
    // The same sentence twice is two events: a space more makes it another text, which is read again.
    this.text.value = text === this.text.value ? `${text} ` : text;
  }
}
