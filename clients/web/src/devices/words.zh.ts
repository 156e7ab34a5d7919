export const zh = {
  intro: "没打完的对局和设置，在另一台设备上接着用。两台设备都要确认。",
  show: "显示二维码和连接码",
  scan: "在另一台设备上扫码，或打开本站、选「在其他设备上继续」、输入连接码：",
  qr: "连接用的二维码",
  left: (minutes: number) =>
    minutes <= 1 ? "一分钟内有效，只能用一次" : `${minutes} 分钟内有效，只能用一次`,
  asks: (name: string) => (name === "?" ? "一台设备想要加入" : `${name} 想要加入`),
  check: "那台设备上显示的数字应当是",
  approve: "同意",
  refuse: "不同意",
  approved: "好了，那台设备可以接着玩了",
  refused: "没有让那台设备加入",

  have: "有另一台设备上的连接码？",
  code: "连接码",
  join: "加入",
  welcome: "加入另一台设备",
  becomes: "加入以后，这里就和那台设备是同一位玩家：对局和设置都一样。",
  games: "这台设备上没打完的对局",
  gamesChoice: { bring: "带过去", leave: "留在这里" },
  gamesNote: {
    bring: "以后在两台设备上都能接着打",
    leave: "现在看不到；这台设备退出后会回来",
  },
  waiting: "请在那台设备上核对这个数字，然后点「同意」",
  turnedAway: "那台设备没有同意",

  list: "已加入的设备",
  here: "这台设备",
  device: (name: string) => (name === "?" ? "一台设备" : name),
  seen: (ago: string) => `上次来：${ago}`,
  signOut: "退出",
  sure: "确定退出",

  trouble: {
    "no-code": "连接码不对、已经用过，或过了十分钟。请在那台设备上再显示一个",
    expired: "连接码已过期，请再显示一个",
    "same-player": "这台设备已经是同一位玩家",
    "too-many": "试得太多，或设备太多。请过一会儿再试",
    "no-player": "这台设备已退出，请重新载入页面",
    other: "没能办到，请检查网络后再试",
  } as Record<string, string>,
};
