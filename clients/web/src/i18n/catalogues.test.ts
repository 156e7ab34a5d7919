import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkersAt, PLACES } from "../board/places";
import { zh as boardZh } from "../board/words";
import { en as devicesEn } from "../devices/words.en";
import { zh as devicesZh } from "../devices/words.zh";
import type { Block, HelpText } from "../help/pages";
import { SECTIONS } from "../help/pages";
import { PICTURES, type Picture } from "../help/pictures";
import { text as helpEn } from "../help/text.en";
import { text as helpZh } from "../help/text.zh";
import { en as fairnessEn, zh as fairnessZh } from "../settings/words";
import { en } from "./en";
import { languageOf } from "./language";
import { zh } from "./zh";

/** Every path through a catalogue, with what kind of thing stands at its end. */
function leaves(value: unknown, path = ""): string[] {
  if (typeof value !== "object" || value === null) return [`${path}: ${typeof value}`];
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, `${path}.${key}`));
}

function texts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(texts);
}

const HAN = /\p{Script=Han}/u;

describe("the two catalogues", () => {
  test("have the same entries", () => {
    expect(leaves(en)).toEqual(leaves(zh));
    expect(leaves(devicesEn)).toEqual(leaves(devicesZh));
    expect(leaves(fairnessEn)).toEqual(leaves(fairnessZh));
  });

  test("leave nothing empty", () => {
    for (const text of [...texts(en), ...texts(zh)]) expect(text.trim()).not.toBe("");
  });

  test("are each in their own language", () => {
    const { languages, ...settings } = en.settings;
    expect(texts([{ ...en, settings }, devicesEn, fairnessEn]).filter((text) => HAN.test(text))).toEqual([]);
    expect(languages.zh).toBe("中文");
  });

  test("set Chinese with one space to digits and Latin letters", () => {
    const { moved, undone, rolled, opening, dice, won, place } = boardZh;
    const places = [0, 1, 24, 25];
    const spoken = places.flatMap((from) =>
      places.flatMap((to) => [moved(1, from, to, true), moved(0, from, to, false), undone(0, from, to)]),
    );
    spoken.push(rolled(0, 6, 4), opening(3, 3), opening(3, 1), dice(1, 6, 4), won(0, 2), place(13));
    const reasons = Object.values(zh.hint.reasons).map((reason) => reason(5, 4));
    const { top, prompt, lobby, record } = zh;
    const counted = [
      ...lobby.summary(5, [1, 2], 3, "normal"),
      ...[5, 500, 5000].map(lobby.ago),
      ...[top.game(2), top.pips(0, 90), top.score(1, 2), top.pages(2), record.turn(4)],
      ...[prompt.selected("24 点", ["23"], ["20"]), prompt.over(40), prompt.first(0, 5, 2)],
    ];
    const said = texts([zh, helpZh, devicesZh, fairnessZh]);
    const all = [...said, ...spoken, ...reasons, ...counted];
    const uneven = /\p{Script=Han}(?:[0-9A-Za-z]| {2})|(?:[0-9A-Za-z]| {2})\p{Script=Han}/u;
    expect(all.filter((text) => uneven.test(text))).toEqual([]);
    expect(moved(1, 24, 25, false)).toBe("电脑：从 24 点到中栏");
  });

  test("keep the labels that are fixed", () => {
    const labels = texts(zh);
    for (const label of [
      "掷骰子",
      "撤销",
      "结束回合",
      "提示",
      "走棋记录",
      "回大厅",
      "重新开始",
      "继续上次没打完的对局",
      "显示点位编号",
      "显示双方 pip 数",
      "骰子用完自动结束回合",
      "骰子公平性",
      "入门",
      "普通",
      "高手",
      "单局",
      "5 分赛",
      "7 分赛",
      "真实",
      "较快",
      "即时",
    ])
      expect(labels).toContain(label);
    expect([1, 2, 3].map((points) => zh.over.kind(points))).toEqual(["单胜", "全胜", "大胜"]);
  });
});

describe("the language", () => {
  test.each([
    ["auto", ["zh-TW", "en"], "zh"],
    ["auto", ["en-GB", "zh"], "en"],
    ["auto", ["fr", "zh-CN", "en"], "zh"],
    ["auto", ["fr"], "en"],
    ["auto", [], "en"],
    ["zh", ["en"], "zh"],
    ["en", ["zh"], "en"],
  ] as const)("chosen %s in a browser of %j is %s", (choice, browser, language) => {
    expect(languageOf(choice, browser)).toBe(language);
  });
});

describe("the help", () => {
  const kinds = (text: HelpText) => SECTIONS.map((name) => text[name].blocks.map(kindOf));
  const kindOf = (block: Block): string =>
    typeof block === "string" ? "text" : `${Object.keys(block).sort()}`;

  test("says the same in both languages", () => {
    expect(kinds(helpEn)).toEqual(kinds(helpZh));
  });

  test("explains some twenty terms, many with a picture", () => {
    const terms = helpZh.terms.blocks.filter((block) => typeof block === "object" && "term" in block);
    expect(terms.length).toBeGreaterThanOrEqual(20);
    expect(terms.filter((term) => "picture" in term).length).toBeGreaterThanOrEqual(12);
  });

  test.each(Object.entries(PICTURES) as [string, Picture][])(
    "the picture %s has all thirty checkers",
    (_, picture) => {
      for (const side of [1, -1]) {
        const count = PLACES.reduce(
          (sum, place) => sum + Math.max(0, side * checkersAt(picture.position, place)),
          0,
        );
        expect(count).toBe(15);
      }
    },
  );
});

describe("the sources", () => {
  const CATALOGUES = /\/(zh|en|words|(words|text)\.(zh|en))\.ts$|\.test\.tsx?$/;

  function* sources(folder: string): Generator<string> {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) yield* sources(path);
      else if (/\.tsx?$/.test(entry.name) && !CATALOGUES.test(path)) yield path;
    }
  }

  const withoutComments = (source: string) =>
    source.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "");

  test("hold no Chinese text outside the catalogues", () => {
    const found = [...sources("src")].filter((path) => HAN.test(withoutComments(readFileSync(path, "utf8"))));
    expect(found).toEqual([]);
  });

  test("hold no English text between tags or in labels", () => {
    const stray: string[] = [];
    for (const path of [...sources("src")].filter((name) => name.endsWith("x"))) {
      const source = withoutComments(readFileSync(path, "utf8"));
      for (const [match] of source.matchAll(/>\s*[A-Za-z][A-Za-z ,.'!?]+\s*<\//g)) {
        if (!/[=;(){}&|]/.test(match)) stray.push(`${path}: ${match}`);
      }
      for (const [match] of source.matchAll(/(aria-label|title|placeholder|alt)="[^"]*[A-Za-z][^"]*"/g))
        stray.push(`${path}: ${match}`);
    }
    expect(stray).toEqual([]);
  });
});
