import type { Words } from "./zh";

const level = { beginner: "Beginner", normal: "Normal", expert: "Expert" };
const format = { 1: "Single", 5: "To 5 points", 7: "To 7 points" };
const kind = (points: number): string =>
  points === 3 ? "Backgammon" : points === 2 ? "Gammon" : "Single win";

function ago(minutes: number): string {
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ago`;
  const days = Math.floor(hours / 24);
  return days === 1 ? "yesterday" : `${days} days ago`;
}

export const en: Words = {
  tag: "en",
  name: "Shuanglu",
  title: "Shuanglu - backgammon against the computer",
  tagline: "Backgammon against the computer",
  comma: ", ",

  level,
  format,
  you: "You",
  computer: "Computer",

  lobby: {
    opponent: "Opponent",
    levelNote: {
      beginner: "Makes the mistakes that people make",
      normal: "A steady club player, not beyond a slip",
      expert: "Plays the best move it can find",
    },
    format: "Length",
    formatNote: {
      1: "One game decides",
      5: "First to 5 points; a game brings 1, 2 or 3",
      7: "First to 7 points; a game brings 1, 2 or 3",
    },
    start: "Start a new game",
    starting: "Setting up…",
    keeps: "Your unfinished game is kept",
    continueLast: "Continue your unfinished game",
    continue: "Continue",
    others: "Other unfinished games",
    opening: "Every game starts here",
    display: "Display",
    more: "More settings",
    devices: "Continue on another device",
    help: "How to play",
    summary: (f, score, game, l) =>
      f === 1 ? ["Single game", level[l]] : [`To ${f}, ${score[0]} : ${score[1]}`, `game ${game}`, level[l]],
    phase: (phase) =>
      phase === "computer" ? "computer's turn" : phase === "game-over" ? "next game" : "your turn",
    ago,
  },

  top: {
    format: { 1: "Single", 5: "To 5", 7: "To 7" },
    lobby: "Lobby",
    restart: "Restart",
    settings: "Settings",
    help: "Help",
    game: (n) => `Game ${n}`,
    pip: (n) => (n === 1 ? "pip" : "pips"),
    pips: (side, n) =>
      `${side === 0 ? "You have" : "The computer has"} ${n} ${n === 1 ? "pip" : "pips"} to go`,
    score: (a, b) => `Score ${a} to ${b}`,
    practice: "Practice",
    pages: (n) => `Open on ${n} pages`,
  },

  actions: {
    roll: "Roll dice",
    hint: "Hint",
    undo: "Undo",
    end: "End turn",
    next: "Next game",
    again: "Play again",
    record: "Move record",
    close: "Close",
    mute: "Turn sound off",
    unmute: "Turn sound on",
  },

  prompt: {
    connecting: "Connecting…",
    opening: "Rolling for the first move",
    seed: "Preparing the dice…",
    toRoll: "Your turn: roll the dice",
    move: "Your move",
    enter: "You have a checker on the bar; enter it first",
    bearOff: "You may bear off",
    selected: (from, to, hits) => {
      const parts: string[] = [];
      if (to.length > 0) parts.push(`to ${to.join(", ")}`);
      if (hits.length > 0) parts.push(`${to.length > 0 ? "or " : ""}hit on ${hits.join(", ")}`);
      return `From ${from}: ${parts.join(", ")}`;
    },
    from: (n) => `${n}`,
    bar: "the bar",
    off: "off",
    done: "All dice played. Undo, or end your turn",
    stuck: "The other dice can't be played. Undo, or end your turn",
    dance: "You have no legal move",
    thinking: "The computer is thinking…",
    playing: "The computer is moving; tap to hurry it",
    passed: (side) =>
      side === 0
        ? "You have no legal move; the computer's turn"
        : "The computer has no legal move; your turn",
    raceRoll: "No more contact, a pure race: roll the dice",
    over: (turns) => `Game over after ${turns} ${turns === 1 ? "turn" : "turns"}`,
    first: (side, a, b) => `${a} against ${b}: ${side === 0 ? "you go" : "the computer goes"} first`,
  },

  why: {
    hint: "Hints are for your own move",
    undo: "There is nothing to undo yet",
    end: "There are dice left that can be played",
    roll: "It is not your roll yet",
    "not-now": "You can't move just now",
    "not-yours": "That checker isn't yours",
    "cannot-move": "That checker can't move now",
    "cannot-land": "It can't go there",
  },

  refusal: {
    stale: "Another page moved first; the board is up to date",
    "wrong-phase": "That came too late; the board is up to date",
    "illegal-move": "The rules don't allow that",
    unreadable: "I can't read that play. Write it like 8/5 6/5",
    ambiguous: "That can be read in more than one way. Name the points between, like 10/8/4",
    "nothing-to-undo": "There is nothing to undo",
    "undo-limit": "That is enough undoing for one game; please play on",
    "log-full": "This game is too long to record any more",
    hint: "No hint just now; please try again",
    other: "The server didn't accept that; the board is up to date",
    session: "That game can't be found; back to the lobby",
    start: "The game couldn't be started; please try again",
    position: "That is no position to practise from",
    lobby: "Your games can't be read just now; trying again",
    settings: "Your settings couldn't be saved; this page uses them anyway",
    player: "This device was signed out, or the page was open too long; please reload it",
    protocol: "The site has been updated; please reload the page",
  },

  link: {
    connecting: "Connecting…",
    waiting: "Connection lost; reconnecting…",
    kept: "Connection lost; your move is kept and will be sent",
    refused: "This page must be reloaded",
    reload: "Reload",
  },

  hint: {
    play: (text) => `Try ${text}`,
    chance: (win) => `wins ${Math.round(win * 100)}%`,
    undo: "though undoing first would be better",
    others: "Others",
    column: { play: "Play", worth: "Equity", win: "Wins", gammon: "Gammons" },
    asking: "Looking for a good play…",
    none: "No play to suggest",
    reasons: {
      "only-play": () => "the only play",
      hits: (...points) => `hits on ${points.join(", ")}`,
      "makes-anchor": (...points) => `makes an anchor on ${points.join(", ")}`,
      "makes-point": (...points) => `makes point ${points.join(", ")}`,
      prime: (length) => `builds a ${length}-point prime`,
      escapes: (n) => (n === 1 ? "a back checker escapes" : `${n} back checkers escape`),
      enters: (n) => (n === 1 ? "enters" : `enters ${n}`),
      "keeps-anchor": (...points) => `keeps the anchor on ${points.join(", ")}`,
      "keeps-prime": (length) => `keeps the ${length}-point prime`,
      "no-shots": () => "no roll hits you",
      safest: (rolls) => `safest: ${rolls} rolls of 36 hit`,
      shots: (rolls) => `${rolls} rolls of 36 hit`,
      "bears-off": (n) => `bears off ${n}`,
      "breaks-contact": () => "breaks contact",
      "comes-home": (n) => `brings ${n} home`,
      "fills-gaps": () => "fills gaps, wastes fewer pips",
    },
  },

  record: {
    empty: "No moves yet",
    turn: (n) => `Turn ${n}`,
    dice: (a, b) => `${a}-${b}`,
    noPlay: "no play",
    type: "Type a play",
    example: "e.g. 8/5 6/5",
    play: "Play",
    count: "Turn",
  },

  over: {
    game: (n) => `Game ${n}`,
    won: "You won",
    lost: "The computer won",
    kind,
    why: (winner, points) => {
      const loser = winner === 0 ? "The computer" : "You";
      const had = winner === 0 ? "has" : "have";
      if (points === 3)
        return `${loser} bore nothing off and still ${had} a checker on the bar or in the winner's home`;
      return points === 2
        ? `${loser} ${had} not borne off a single checker`
        : `${loser} ${had} borne off at least one checker`;
    },
    target: (n) => `First to ${n} points`,
    match: (winner) => (winner === 0 ? "You won the match" : "The computer won the match"),
    practice: "Practice: it counts for nothing",
    lobby: "Lobby",
  },

  confirm: {
    leave: "Back to the lobby?",
    leaveText:
      "Your game is kept. A half-made turn goes back to just after its roll; the dice stay the same.",
    restart: "Start over?",
    restartGame: "This game is dropped and a new one starts with the same settings.",
    restartMatch: "The whole match and its score are dropped; a new one starts with the same settings.",
    leaveYes: "To the lobby",
    restartYes: "Restart",
    stay: "Keep playing",
  },

  settings: {
    title: "Settings",
    fairness: "Dice you can check",
    pace: "The computer's pace",
    paces: { real: "Natural", fast: "Faster", instant: "Instant" },
    paceNote: { real: "2 to 5 seconds a turn", fast: "1 to 2 seconds a turn", instant: "No waiting" },
    sound: "Sound",
    play: "Play",
    auto_end: "End the turn when the dice are used up",
    auto_forced: "Play for me when there is only one way",
    auto_bear_off: "Bear off for me in a race",
    auto_bear_off_note: "When contact is over and every die bears one off",
    display: "Display",
    numbers: "Show point numbers",
    pips: "Show both pip counts",
    mirrored: "Home on the left",
    large: "Large checkers",
    theme: "Board",
    themes: { wood: "Wood", ink: "Ink", contrast: "Contrast" },
    mode: "Light or dark",
    modes: { auto: "System", light: "Light", dark: "Dark" },
    language: "Language",
    languages: { auto: "Auto", zh: "中文", en: "English" },
    on: "On",
    off: "Off",
  },

  help: {
    title: "Help",
    loading: "Opening…",
    failed: "Help couldn't be opened; please check the network and try again",
  },
};
