/** What the player prefers: the server keeps it, the page shows a change at once and saves it behind. */
import { computed, effect, type Signal, signal } from "@preact/signals";
import { type Language, languageOf } from "../i18n/language";
import { RequestFailed, type Settings, saveSettings } from "../link/http";
import type { PlayOptions } from "../link/messages";

/** What a new player gets, until the server has said otherwise. */
export const DEFAULTS: Settings = {
  pace: "real",
  auto_end: true,
  auto_forced: false,
  auto_bear_off: false,
  numbers: true,
  pips: true,
  sound: true,
  mirrored: false,
  large: false,
  theme: "wood",
  mode: "auto",
  language: "auto",
};

const SAVE_AFTER = 250;

export const playOptionsOf = ({ pace, auto_end, auto_forced, auto_bear_off }: Settings): PlayOptions => ({
  pace,
  auto_end,
  auto_forced,
  auto_bear_off,
});

export const samePlay = (a: PlayOptions, b: PlayOptions): boolean =>
  a.pace === b.pace &&
  a.auto_end === b.auto_end &&
  a.auto_forced === b.auto_forced &&
  a.auto_bear_off === b.auto_bear_off;

export class Preferences {
  readonly value: Signal<Settings>;
  /** The last save did not reach the server. */
  readonly unsaved = signal(false);
  readonly #dark = signal(false);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #saving: Promise<void> = Promise.resolve();
  #underway = 0;

  constructor(settings: Settings) {
    this.value = signal({ ...DEFAULTS, ...settings });
    const dark = matchMedia("(prefers-color-scheme: dark)");
    this.#dark.value = dark.matches;
    dark.addEventListener("change", ({ matches }) => {
      this.#dark.value = matches;
    });
    addEventListener("pagehide", () => void this.saved());
  }

  readonly language = computed<Language>(() => languageOf(this.value.value.language, navigator.languages));

  readonly mode = computed<"light" | "dark">(() => {
    const { mode } = this.value.value;
    return mode === "auto" ? (this.#dark.value ? "dark" : "light") : mode;
  });

  set(changes: Partial<Settings>): void {
    this.value.value = { ...this.value.value, ...changes };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#save(), SAVE_AFTER);
  }

  /** Takes what the server or another page has said, without saving it again; nothing over what it does not know yet. */
  adopt(changes: Partial<Settings>): void {
    if (this.#timer !== undefined || this.unsaved.value) return;
    const before = this.value.value;
    const changed = (Object.keys(changes) as (keyof Settings)[]).some((key) => changes[key] !== before[key]);
    if (changed) this.value.value = { ...before, ...changes };
  }

  /**
   * Settles when whatever was changed has been sent: a new session starts with the player's settings as they are. What
   * could not be saved before is tried again.
   */
  saved(): Promise<void> {
    if (this.#timer !== undefined || (this.unsaved.value && this.#underway === 0)) this.#save();
    return this.#saving;
  }

  #save(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const settings = this.value.value;
    this.#underway++;
    this.#saving = this.#saving
      .then(() => saveSettings(settings))
      .then(
        () => {
          this.unsaved.value = false;
        },
        (error: unknown) => {
          if (!(error instanceof RequestFailed)) throw error;
          this.unsaved.value = true;
        },
      )
      .finally(() => {
        this.#underway--;
      });
  }

  /** Puts theme, mode and language on the document and keeps them there. */
  applyTo(root: HTMLElement, title: () => string): void {
    effect(() => {
      root.dataset.theme = this.value.value.theme;
      root.dataset.mode = this.mode.value;
      root.lang = this.language.value === "zh" ? "zh-CN" : "en";
      document.title = title();
      const page = getComputedStyle(root).getPropertyValue("--page").trim();
      document.querySelector('meta[name="theme-color"]')?.setAttribute("content", page);
    });
  }
}
