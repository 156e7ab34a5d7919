import { BAR, OFF, THEIR_BAR, THEIR_OFF } from "./places";
import type { BoardWords, Place, Side } from "./types";

const NUMERALS = "零 一 两 三 四 五 六 七 八 九 十 十一 十二 十三 十四 十五".split(" ");

/** Chinese is set with one space to digits and Latin letters, as everywhere in the page. */
const spaced = (text: string): string =>
  text.replace(/\p{Script=Han}(?=[0-9A-Za-z])|[0-9A-Za-z](?=\p{Script=Han})/gu, "$& ");

const whoZh = (side: Side): string => (side === 0 ? "你" : "电脑");
const whereZh = (n: number): string => (n === 25 ? "中栏" : n === 0 ? "离盘" : `${n} 点`);

export const zh: BoardWords = {
  board: "棋盘",
  place: (place: Place) => {
    if (place === OFF) return "你的离盘槽";
    if (place === THEIR_OFF) return "电脑的离盘槽";
    if (place === BAR) return "中栏，你这边";
    return place === THEIR_BAR ? "中栏，电脑那边" : `${place} 点`;
  },
  checkers: (side, count) => (count === 0 ? "空" : `${whoZh(side)}的棋子${NUMERALS[count] ?? count}枚`),
  canMove: "可走",
  selected: "已选",
  canLand: "可落子",
  canHit: "可打子",
  comma: "，",
  stop: "。",
  dice: (side, first, second) => `${whoZh(side)}的骰子：${first} 和 ${second}`,
  swap: "交换先走的骰子",
  opening: (player, computer) =>
    player === computer
      ? `开局：你掷出 ${player}，电脑掷出 ${computer}，相同，重掷`
      : `开局：你掷出 ${player}，电脑掷出 ${computer}，${whoZh(player > computer ? 0 : 1)}先走`,
  rolled: (side, a, b) => `${whoZh(side)}掷出 ${a} 和 ${b}`,
  moved: (side, from, to, hit) => {
    const way = spaced(`${whoZh(side)}：从${whereZh(from)}到${whereZh(to)}`);
    return hit ? `${way}，打中${side === 0 ? "电脑" : "你"}一枚棋子` : way;
  },
  undone: (side, from, to) => spaced(`${whoZh(side)}收回：从${whereZh(to)}回到${whereZh(from)}`),
  passed: (side) => `${whoZh(side)}无子可走，轮到${side === 0 ? "电脑" : "你"}`,
  won: (side, points) => `${whoZh(side)}赢了，${points} 分`,
};

const whoEn = (side: Side): string => (side === 0 ? "You" : "The computer");
const whereEn = (n: number): string => (n === 25 ? "the bar" : n === 0 ? "off" : `${n}`);

export const en: BoardWords = {
  board: "Board",
  place: (place) => {
    if (place === OFF) return "your tray";
    if (place === THEIR_OFF) return "the computer's tray";
    if (place === BAR) return "bar, your side";
    return place === THEIR_BAR ? "bar, the computer's side" : `${place} point`;
  },
  checkers: (side, count) =>
    count === 0 ? "empty" : `${count} of ${side === 0 ? "yours" : "the computer's"}`,
  canMove: "may move",
  selected: "selected",
  canLand: "may land here",
  canHit: "may hit here",
  comma: ", ",
  stop: ". ",
  dice: (side, first, second) => `${side === 0 ? "Your" : "The computer's"} dice: ${first} and ${second}`,
  swap: "swap which die is played first",
  opening: (player, computer) => {
    const rolls = `Opening: you rolled ${player}, the computer ${computer}`;
    if (player === computer) return `${rolls}: a tie, rolled again`;
    return `${rolls}: ${player > computer ? "you start" : "the computer starts"}`;
  },
  rolled: (side, a, b) => `${whoEn(side)} rolled ${a} and ${b}`,
  moved: (side, from, to, hit) => {
    const way = `${whoEn(side)} moved from ${whereEn(from)} to ${whereEn(to)}`;
    return hit ? `${way}, hitting ${side === 0 ? "the computer's checker" : "your checker"}` : way;
  },
  undone: (side, from, to) => `${whoEn(side)} took back: from ${whereEn(to)} to ${whereEn(from)}`,
  passed: (side) => `${whoEn(side)} cannot move: ${side === 0 ? "the computer's turn" : "your turn"}`,
  won: (side, points) => `${whoEn(side)} won ${points} ${points === 1 ? "point" : "points"}`,
};
