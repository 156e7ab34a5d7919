import type { HelpText } from "./pages";

export const text: HelpText = {
  play: {
    title: "How to play",
    blocks: [
      "Backgammon is a race. Each side has fifteen checkers; whoever first brings all of them home and then off the board wins. The dice say how far, you say which.",
      {
        picture: "start",
        caption:
          "The start. The light checkers are yours and travel from point 24 down to 1; the dark ones go the other way.",
      },
      "On your turn, roll first. Each die moves one checker once: two different checkers, or one checker twice. A double is played four times.",
      {
        picture: "way",
        caption: "With 3 and 1: one checker from 8 to 5, one from 6 to 5. The point is yours.",
      },
      "Only checkers that can move carry a small triangle. Pick one and the places that it can reach light up. If you change your mind, undo: the dice stay the same.",
      "A checker alone on a point is a blot. If the other side lands on it, it is hit: it goes to the bar in the middle and starts its journey again.",
      {
        picture: "hit",
        caption: "The computer has a blot on 5: the 3 from 8 hits it, and the 1 from 6 covers.",
      },
      "Once all fifteen are in your home board (points 1 to 6) you may bear them off. First to finish wins.",
      "For a first game three habits will do: leave few blots, make points side by side, and don't forget your two checkers at the back.",
    ],
  },
  rules: {
    title: "Rules",
    blocks: [
      { heading: "The board" },
      "There are 24 points, counted from 24 to 1 along your own way. Points 1 to 6 are your home board, 7 to 12 your outer board. The computer counts from the other end: your 1 point is its 24.",
      { heading: "Who goes first" },
      "Each side rolls one die, yours on the left, the computer's on the right. The higher goes first and plays both of these dice. Equal dice are rolled again.",
      { heading: "Moving" },
      {
        list: [
          "Checkers move forward only, to a point that is empty, your own, or held by a single enemy checker.",
          "Two or more enemy checkers block a point.",
          "A checker that plays several dice must be able to stop at every point on the way.",
          "You must play as many dice as you can. If you can play either die but not both, you must play the larger.",
        ],
      },
      {
        picture: "blocked",
        caption: "With 6 and 5 the checkers on 24 are blocked both ways; others must move.",
      },
      { heading: "Hitting and entering" },
      "Landing on a blot sends it to the bar. A side with a checker on the bar must enter it before anything else: a die of n enters on its point 25−n. If no die enters, the turn is lost.",
      {
        picture: "enter",
        caption: "With 4 and 2: the 4 enters on 21; the 2 could enter on 23, which is empty.",
      },
      { heading: "Bearing off" },
      "You may bear off while all fifteen are in your home board and none is on the bar. An exact die takes a checker off its point. A larger die takes one off the highest point only when nothing stands further back; otherwise play from behind. A checker hit meanwhile must come round again first.",
      { picture: "bearOff", caption: "With 6 and 3: one off from 6, one off from 3." },
      { heading: "Winning" },
      {
        list: [
          "Single, 1 point: the loser has borne off at least one checker.",
          "Gammon, 2 points: the loser has borne off none.",
          "Backgammon, 3 points: none, and one still stands on the bar or in the winner's home board.",
        ],
      },
      "The game ends with the last checker, even with dice unplayed. In a match, the first to 5 or 7 points wins.",
      { picture: "gammon", caption: "The computer has borne off nothing: a gammon, 2 points." },
      { picture: "backgammon", caption: "And with one still in your home board: a backgammon, 3 points." },
    ],
  },
  terms: {
    title: "Terms",
    blocks: [
      { term: "Point", text: "One of the 24 triangles, counted from 24 to 1 along your own way." },
      {
        term: "Home board",
        text: "Your points 1 to 6. All your checkers must be here before you may bear off.",
        picture: "bearOff",
      },
      { term: "Outer board", text: "Your points 7 to 12, the last stretch before home." },
      { term: "Bar", text: "The strip in the middle, where hit checkers wait to enter.", picture: "enter" },
      { term: "Blot", text: "A single checker on a point, open to a hit.", picture: "blot" },
      { term: "Hit", text: "To land on a blot and send it to the bar.", picture: "hit" },
      {
        term: "Enter",
        text: "To bring a checker from the bar into the other side's home board.",
        picture: "enter",
      },
      {
        term: "Make a point",
        text: "To put two or more checkers on it, so that nobody else can land.",
        picture: "made",
      },
      {
        term: "Anchor",
        text: "A point held in the other side's home board. With one you can always enter.",
        picture: "anchor",
      },
      {
        term: "Prime",
        text: "Several points made in a row. Six in a row can't be passed by anyone.",
        picture: "prime",
      },
      {
        term: "Closed board",
        text: "All six points of a home board made: a checker on the bar can't enter.",
        picture: "closed",
      },
      {
        term: "Back checkers",
        text: "Those furthest from home; at the start, the two on 24.",
        picture: "start",
      },
      {
        term: "Split",
        text: "To part the back checkers and look for an anchor, at some risk of being hit.",
        picture: "split",
      },
      {
        term: "Builder",
        text: "A spare checker placed so that it helps to make a point next turn.",
        picture: "builder",
      },
      {
        term: "Slot",
        text: "To put one checker on a point you want and hope to cover it next turn.",
        picture: "slot",
      },
      {
        term: "Shot",
        text: "A chance to hit. Within six pips a single die can do it: a direct shot.",
        picture: "shot",
      },
      { term: "Double", text: "Two equal dice: the number is played four times." },
      {
        term: "Pip",
        text: "One point of travel. The pip count is what all your checkers still have to go; both sides start at 167.",
      },
      { term: "Contact", text: "The sides have not passed each other yet, and may still hit." },
      {
        term: "Race",
        text: "They have passed: nobody can be hit, and only pips and dice count.",
        picture: "race",
      },
      {
        term: "Bear off",
        text: "To take checkers off from your home board. Fifteen off wins.",
        picture: "bearOff",
      },
      {
        term: "Gammon and backgammon",
        text: "A win before the loser has borne off: 2 points, or 3 with one still on the bar or in your home board.",
        picture: "backgammon",
      },
    ],
  },
  questions: {
    title: "Questions",
    blocks: [
      {
        question: "How is a game scored?",
        answer: [
          "One point if the loser has borne off at least one checker, two (a gammon) if none, three (a backgammon) if none and one is still on the bar or in your home board.",
          "A single game ends there. In a match the points of all games add up, and the first to 5 or 7 wins.",
        ],
      },
      {
        question: "What is a pip count good for?",
        answer: [
          "Each checker counts the number of its point; on the bar it counts 25. The sum is what you have to go: less is better.",
          "Ahead, hurry home and avoid fights. Behind, stay back and wait for a shot.",
        ],
      },
      {
        question: "I am far behind. What now?",
        answer: [
          "Don't run. Hold an anchor in the other home board and make points on your own side, one by one. The other side has to come past you and will have to leave a blot sooner or later. Hit it, lock it in behind a prime, and the game has turned.",
        ],
      },
      {
        question: "How do I get hit less?",
        answer: [
          "Mind the distance. A blot within 6 pips of an enemy checker is hit more than three times in ten, for a single die reaches it; from 7 on it takes both dice together, and the danger is much less.",
          "Move in pairs where you can. If you must leave a blot, leave it 7 or more away, or behind the enemy's checkers.",
        ],
      },
      {
        question: "Why against the computer, and not with friends?",
        answer: [
          "This site is made for one player: open it and play, with no account and no waiting for a partner. Stop when you like and come back to the same position.",
        ],
      },
      {
        question: "Does the computer get better dice?",
        answer: [
          "No. Every roll is computed from a secret of the server and a number that your page sends. The secret's fingerprint is shown before the game and the secret itself after it, so anyone can check. You will find both, and a record to download, under Dice you can check in the settings. The computer sees only dice that have been rolled.",
        ],
      },
      {
        question: "What is different about the three levels?",
        answer: [
          "The beginner makes the mistakes that people make; the normal level is a steady club player; the expert plays the best move it can find. The dice are the same.",
        ],
      },
      {
        question: "What if I close the page or lose the network?",
        answer: [
          "Nothing is lost. Moves made while offline are kept and sent when the connection is back, and the game is the same on any of your devices.",
          "Going back to the lobby takes back a half-made turn to just after its roll. The dice never change.",
        ],
      },
      {
        question: "Why can't I move that checker?",
        answer: [
          "The rules want every die played that can be played. A move that would waste the other die is not offered.",
        ],
      },
    ],
  },
  controls: {
    title: "Controls",
    blocks: [
      {
        list: [
          "Drag a checker with a triangle to a lit point, or to the tray, and let go.",
          "Or click it, then click where it should go. Clicking the same checker again plays the die shown first.",
          "Click the dice, or right-click, to swap which is first.",
          "Dragging a moved checker back undoes it.",
          "An empty point, an enemy checker or Esc cancels the selection.",
          "While the computer moves, a tap hurries it.",
        ],
      },
      { heading: "Which path a long drag takes" },
      "Where several paths lead to the same point, the choice is fixed: a path that hits comes first; otherwise the larger die goes first. For the other path, move one die at a time. Bearing off uses the exact die if there is one, else the smallest that does it.",
      { heading: "Keys" },
      {
        keys: [
          ["Space / Enter", "roll, end the turn, next game"],
          ["U / Backspace", "undo one step"],
          ["H", "hint; again to put it away"],
          ["Arrows", "walk the board; Enter picks and drops"],
          ["Esc", "cancel, close panels"],
          ["/", "type a play"],
          ["?", "open or close help"],
        ],
      },
      { heading: "Typed plays" },
      "In the move record you can type a play: 8/5 6/5 moves two checkers, 24/18/13 names the stop between, bar/22 enters, 6/off bears off, 8/4(2) does it twice. A star marks a hit and may be left out.",
    ],
  },
};
