/** 中文。 */
const level = { beginner: "入门", normal: "普通", expert: "高手" };
const format = { 1: "单局", 5: "5 分赛", 7: "7 分赛" };
const who = (side: 0 | 1): string => (side === 0 ? "你" : "电脑");
const kind = (points: number): string => (points === 3 ? "大胜" : points === 2 ? "全胜" : "单胜");

function ago(minutes: number): string {
  if (minutes < 1) return "刚才";
  if (minutes < 60) return `${minutes} 分钟前`;
  if (minutes < 60 * 24) return `${Math.floor(minutes / 60)} 小时前`;
  return `${Math.floor(minutes / (60 * 24))} 天前`;
}

export const zh = {
  tag: "zh-CN",
  name: "双陆",
  title: "双陆 - 和电脑下一盘",
  tagline: "和电脑下一盘",
  comma: "，",

  level,
  format,
  you: who(0),
  computer: who(1),

  lobby: {
    opponent: "对手",
    levelNote: {
      beginner: "会犯人常犯的错，适合刚学的人",
      normal: "稳重的老手，偶尔也会看走眼",
      expert: "尽力走出最好的一手",
    },
    format: "赛制",
    formatNote: {
      1: "一局定胜负",
      5: "先到 5 分者胜，一局可得 1、2 或 3 分",
      7: "先到 7 分者胜，一局可得 1、2 或 3 分",
    },
    start: "开始新对局",
    starting: "正在摆棋…",
    keeps: "没打完的对局会留着",
    continueLast: "继续上次没打完的对局",
    continue: "继续",
    others: "其他没打完的对局",
    opening: "新的一局从这里开始",
    display: "显示",
    more: "更多设置",
    devices: "在其他设备上继续",
    help: "怎么玩",
    summary: (f: 1 | 5 | 7, score: readonly [number, number], game: number, l: keyof typeof level) =>
      f === 1 ? [format[1], level[l]] : [`${format[f]} ${score[0]} : ${score[1]}`, `第 ${game} 局`, level[l]],
    phase: (phase: string): string =>
      phase === "computer" ? "轮到电脑" : phase === "game-over" ? "等下一局" : "轮到你",
    ago,
  },

  top: {
    format,
    lobby: "回大厅",
    restart: "重新开始",
    settings: "设置",
    help: "帮助",
    game: (n: number) => `第 ${n} 局`,
    pip: (_n: number): string => "pip",
    pips: (side: 0 | 1, n: number) => `${who(side)}还要走 ${n} pip`,
    score: (a: number, b: number) => `比分 ${a} 比 ${b}`,
    practice: "练习局",
    pages: (n: number) => `${n} 个页面开着这一局`,
  },

  actions: {
    roll: "掷骰子",
    hint: "提示",
    undo: "撤销",
    end: "结束回合",
    next: "下一局",
    again: "再来一局",
    record: "走棋记录",
    close: "关闭",
    mute: "关掉声音",
    unmute: "打开声音",
  },

  prompt: {
    connecting: "正在连接…",
    opening: "掷骰子定先手",
    seed: "正在定骰子…",
    toRoll: "轮到你，掷骰子吧",
    move: "轮到你走棋",
    enter: "中栏上有你的棋子，先让它进场",
    bearOff: "可以离盘了",
    selected: (from: string, to: readonly string[], hits: readonly string[]) => {
      const parts: string[] = [];
      if (to.length > 0) parts.push(`可到 ${to.join("、")}`);
      if (hits.length > 0) parts.push(`${to.length > 0 ? "或" : "可"}在 ${hits.join("、")} 打子`);
      return `已选 ${from}，${parts.join("，")}`;
    },
    from: (n: number) => `${n} 点`,
    bar: "中栏",
    off: "离盘",
    done: "骰子已走完，可以撤销或结束回合",
    stuck: "剩下的骰子走不了，可以撤销或结束回合",
    dance: "这次无子可走",
    thinking: "电脑在想…",
    playing: "电脑在走棋，点一下可以快些",
    passed: (side: 0 | 1) => `${who(side)}无子可走，轮到${who(side === 0 ? 1 : 0)}`,
    raceRoll: "已无接触，只比快慢，掷骰子吧",
    over: (turns: number) => `本局结束，共 ${turns} 手`,
    first: (side: 0 | 1, a: number, b: number) => `${a} 比 ${b}，${who(side)}先走`,
  },

  why: {
    hint: "轮到你走棋时才有提示",
    undo: "还没有可撤销的一步",
    end: "还有骰子能走，要先走完",
    roll: "还没轮到你掷骰子",
    "not-now": "现在还不能走棋",
    "not-yours": "这不是你的棋子",
    "cannot-move": "这枚棋子现在走不了",
    "cannot-land": "走不到那里",
  } as Record<string, string>,

  refusal: {
    stale: "别的页面先走了一步，棋盘已更新",
    "wrong-phase": "这一步来晚了，棋盘已更新",
    "illegal-move": "规则不允许这样走",
    unreadable: "没看懂这个走法，写成 8/5 6/5 这样试试",
    ambiguous: "这个走法有几种读法，请写明经过的点，如 10/8/4",
    "nothing-to-undo": "没有可撤销的一步",
    "undo-limit": "这一局撤销得太多了，请往前走",
    "log-full": "这一局太长了，不能再记下去",
    hint: "暂时给不出提示，请再试一次",
    other: "服务器没有接受这一步，棋盘已更新",
    session: "找不到这一局，已回到大厅",
    start: "没能开局，请再试一次",
    position: "看不懂这个局面，没能开练习局",
    lobby: "暂时读不到你的对局，正在重试",
    settings: "设置没能保存到服务器，本页仍按此显示",
    player: "这台设备已退出，或页面放得太久，请重新载入",
    protocol: "网站已更新，请重新载入页面",
  } as Record<string, string>,

  link: {
    connecting: "正在连接…",
    waiting: "连接断了，正在重连…",
    kept: "连接断了，你的走法已记下，连上就送出",
    refused: "需要重新载入页面",
    reload: "重新载入",
  },

  hint: {
    play: (text: string) => `建议 ${text}`,
    chance: (win: number) => `胜率 ${Math.round(win * 100)}%`,
    undo: "不过撤销重走会更好",
    others: "其他走法",
    column: { play: "建议的走法", worth: "局面分", win: "胜率", gammon: "全胜率" },
    asking: "正在想建议…",
    none: "没有可建议的走法",
    reasons: {
      "only-play": () => "只有这一种走法",
      hits: (...points) => `打掉 ${points.join("、")} 点的棋子`,
      "makes-anchor": (...points) => `在 ${points.join("、")} 点建立据点`,
      "makes-point": (...points) => `占住 ${points.join("、")} 点`,
      prime: (length) => `连成 ${length} 点封锁`,
      escapes: (n) => `逃出 ${n} 枚后子`,
      enters: (n) => `进场 ${n} 枚`,
      "keeps-anchor": (...points) => `守住 ${points.join("、")} 点的据点`,
      "keeps-prime": (length) => `保住 ${length} 点封锁`,
      "no-shots": () => "打不到你",
      safest: (rolls) => `最稳，36 种里只有 ${rolls} 种打得到`,
      shots: (rolls) => `36 种里有 ${rolls} 种打得到`,
      "bears-off": (n) => `离盘 ${n} 枚`,
      "breaks-contact": () => "从此互不接触",
      "comes-home": (n) => `回家 ${n} 枚`,
      "fills-gaps": () => "补上空点，少浪费步数",
    } as Record<string, (...numbers: number[]) => string>,
  },

  record: {
    empty: "还没有走过",
    turn: (n: number) => `第 ${n} 手`,
    dice: (a: number, b: number) => `${a}-${b}`,
    noPlay: "无子可走",
    type: "输入走法",
    example: "如 8/5 6/5",
    play: "走",
    count: "手",
  },

  over: {
    game: (n: number) => `第 ${n} 局`,
    won: "你赢了",
    lost: "电脑赢了",
    kind,
    why: (winner: 0 | 1, points: number) => {
      const loser = who(winner === 0 ? 1 : 0);
      if (points === 3) return `${loser}没有一子离盘，还有棋子在中栏或对方内盘`;
      return points === 2 ? `${loser}还没有一子离盘` : `${loser}已有棋子离盘`;
    },
    target: (n: number) => `先到 ${n} 分者胜`,
    match: (winner: 0 | 1): string => (winner === 0 ? "你赢下整场比赛" : "电脑赢下整场比赛"),
    practice: "练习局，不计成绩",
    lobby: "回大厅",
  },

  confirm: {
    leave: "回大厅？",
    leaveText: "这一局会留着。没走完的这一回合会退回到刚掷完骰子时，骰子不变。",
    restart: "重新开始？",
    restartGame: "这一局会作废，以同样的设置另开一局。",
    restartMatch: "整场比赛连同比分都会作废，以同样的设置另开一场。",
    leaveYes: "回大厅",
    restartYes: "重新开始",
    stay: "接着下",
  },

  settings: {
    title: "设置",
    fairness: "骰子公平性",
    pace: "电脑的节奏",
    paces: { real: "真实", fast: "较快", instant: "即时" },
    paceNote: { real: "每回合 2 到 5 秒", fast: "每回合 1 到 2 秒", instant: "不等待" },
    sound: "声音",
    play: "走棋",
    auto_end: "骰子用完自动结束回合",
    auto_forced: "只有一种走法时自动走",
    auto_bear_off: "竞速时自动离盘",
    auto_bear_off_note: "双方已无接触，而且每枚骰子都能离盘时",
    display: "显示",
    numbers: "显示点位编号",
    pips: "显示双方 pip 数",
    mirrored: "左右互换",
    large: "大棋子",
    theme: "棋盘",
    themes: { wood: "木", ink: "水墨", contrast: "高对比" },
    mode: "明暗",
    modes: { auto: "跟随系统", light: "浅色", dark: "深色" },
    language: "语言",
    languages: { auto: "自动", zh: "中文", en: "English" },
    on: "开",
    off: "关",
  },

  help: { title: "帮助", loading: "正在打开…", failed: "帮助没能打开，请检查网络后再试" },
};

export type Words = typeof zh;
