/** What a help page is made of; the words themselves stand in `text.zh.ts` and `text.en.ts`. */
import type { PictureName } from "./pictures";

export type Block =
  | string
  | { readonly heading: string }
  | { readonly list: readonly string[] }
  | { readonly picture: PictureName; readonly caption: string }
  | { readonly term: string; readonly text: string; readonly picture?: PictureName }
  | { readonly question: string; readonly answer: readonly string[] }
  | { readonly keys: readonly (readonly [keys: string, does: string])[] };

export type SectionName = "play" | "rules" | "terms" | "questions" | "controls";

export type HelpText = Readonly<
  Record<SectionName, { readonly title: string; readonly blocks: readonly Block[] }>
>;

export const SECTIONS: readonly SectionName[] = ["play", "rules", "terms", "questions", "controls"];
