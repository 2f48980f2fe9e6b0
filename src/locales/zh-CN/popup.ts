import type { popup as english } from "../en/popup";

export const popup = {
  "popup.noSite": "没有页面",
  "popup.noTab": "此窗口中没有可以运行脚本的标签页。",
  "popup.running": "脚本运行中",
  "popup.paused": "已全部暂停",
  "popup.pause": "暂停所有脚本",
  "popup.resume": "恢复运行脚本",
  "popup.scripts": "此页面上的脚本",
  "popup.commands": "脚本命令",
  "popup.untitled": "未命名的命令",
  "popup.new": "新建脚本",
  "popup.reload": "重新加载页面后更改才会生效。",
  "popup.reload.do": "重新加载",
  "popup.none": "没有脚本在此运行",
  "popup.why.browserPage": "这是浏览器自身的页面，扩展程序不能在此运行脚本。",
  "popup.why.switchOff": "浏览器中的用户脚本开关已关闭。",
  "popup.why.paused": "所有脚本已暂停。使用上方的开关可恢复运行。",
  "popup.why.noMatch": "您的脚本都不是为此地址编写的。",
  "popup.why.nothingInstalled": "还没有安装任何脚本。",
  "popup.why.noneOf": "{n, plural, other {您的 # 个脚本都不是为此地址编写的。}}",

  "popup.failed.tab": "无法确定当前页面",
  "popup.failed.scripts": "无法读取此页面的脚本",
  "popup.failed.command": "“{title}”未能运行",
  "popup.failed.reload": "页面未能重新加载",
  "popup.failed.open": "页面未能打开",
} as const satisfies Record<keyof typeof english, string>;
