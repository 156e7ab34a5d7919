import { en } from "./words.en";
import { zh } from "./words.zh";

export type Words = typeof zh;

export const wordsIn = (tag: string): Words => (tag === "en" ? en : zh);
