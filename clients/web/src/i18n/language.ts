import { en } from "./en";
import { type Words, zh } from "./zh";

export type Language = "zh" | "en";

/** The player's choice, or else the first of the browser's languages that there is a catalogue for. */
export function languageOf(choice: "auto" | Language, browser: readonly string[]): Language {
  if (choice !== "auto") return choice;
  for (const tag of browser) {
    if (/^zh\b/i.test(tag)) return "zh";
    if (/^en\b/i.test(tag)) return "en";
  }
  return "en";
}

export const wordsOf = (language: Language): Words => (language === "zh" ? zh : en);
