/** What the panel of the dice's fairness says; it is loaded with that panel. */
export const zh = {
  intro:
    "每局开始前，服务器先封存一个秘密数，并公布它的指纹；然后你的页面送出自己的随机数。骰子由这两个数算出，谁也不能中途更改。局终公布秘密数，任何人都能验算。",
  commitment: "秘密数的指纹",
  seed: "你的随机数",
  secret: "秘密数",
  later: "本局结束后公布",
  pending: "还没有送出",
  words: "用自己的话当随机数",
  wordsNote: "下一局起生效；留空则由浏览器随机产生",
  record: "下载对局记录",
  recordNote: "用 gameserver verify 可以验算每一次掷骰",
  none: "开局后在这里看",
};

export const en: typeof zh = {
  intro:
    "Before each game the server seals a secret number and shows its fingerprint; only then does your page send a random number of its own. The dice are computed from the two, so nobody can change them on the way. After the game the secret is shown and anyone can check.",
  commitment: "Fingerprint of the secret",
  seed: "Your number",
  secret: "The secret",
  later: "Shown when the game is over",
  pending: "Not sent yet",
  words: "Use your own words as the number",
  wordsNote: "From the next game on; leave it empty for a random one",
  record: "Download the record",
  recordNote: "gameserver verify checks every roll in it",
  none: "Start a game to see it here",
};
