import type { Words } from "./words";

export const en: Words = {
  intro: "Your unfinished games and settings go on with you on another device. Both devices confirm.",
  show: "Show a QR code and a short code",
  scan: "Scan this on the other device; or open this site there, choose 'Continue on another device' and type the code:",
  qr: "QR code to join with",
  left: (minutes) =>
    minutes <= 1 ? "Valid for a minute, to be used once" : `Valid for ${minutes} minutes, to be used once`,
  asks: (name) => (name === "?" ? "A device asks to join" : `${name} asks to join`),
  check: "That device should show the number",
  approve: "Approve",
  refuse: "Refuse",
  approved: "Done: that device can go on playing",
  refused: "That device was not let in",

  have: "Have a code from another device?",
  code: "Code",
  join: "Join",
  welcome: "Join the other device",
  becomes: "This device becomes the same player as the other: the same games and settings.",
  games: "Unfinished games on this device",
  gamesChoice: { bring: "Bring them", leave: "Leave them here" },
  gamesNote: {
    bring: "You can go on with them on both devices",
    leave: "Out of sight now; back when this device is signed out",
  },
  waiting: "On the other device, check this number and approve",
  turnedAway: "The other device refused",

  list: "Devices that have joined",
  here: "This device",
  device: (name) => (name === "?" ? "A device" : name),
  seen: (ago) => `Last here ${ago}`,
  signOut: "Sign out",
  sure: "Really sign out",

  trouble: {
    "no-code":
      "That code is wrong, was used, or is older than ten minutes. Show a new one on the other device",
    expired: "The code has expired; show a new one",
    "same-player": "This device is the same player already",
    "too-many": "Too many tries, or too many devices. Please try again later",
    "no-player": "This device was signed out; please reload the page",
    other: "That didn't work; please check the network and try again",
  },
};
