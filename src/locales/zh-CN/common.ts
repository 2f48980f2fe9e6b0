import type { common as english } from "../en/common";

export const common = {
  "product.name": "Moggy",
  "nav.label": "页面",
  "nav.skip": "跳到内容",
  "nav.scripts": "脚本",
  "nav.models": "模型",
  "nav.log": "日志",
  "nav.about": "关于",

  "common.cancel": "取消",
  "common.close": "关闭",
  "common.copied": "已复制",
  "common.copy": "复制",
  "common.copyFailed": "文本未能复制",
  "common.edit": "编辑",
  "common.loading": "正在加载",
  "common.notifications": "通知",
  "common.remove": "移除",
  "common.retry": "重试",
  "common.save": "保存",
  "common.undo": "撤销",

  "state.on": "已启用",
  "state.off": "已停用",
  "key.escape": "Esc",

  "code.of": "{name} 的代码",
  "code.showAll": "显示全部 {n} 行",
  "code.size": "{lines, plural, other {# 行}} · {kilobytes, number} KB",

  "palette.open": "搜索",
  "palette.title": "搜索命令、脚本和模型",
  "palette.placeholder": "输入命令、脚本或模型的名称",
  "palette.none": "没有名为“{query}”的内容。",
  "palette.go": "前往",
  "palette.script": "脚本",
  "palette.model": "模型",
  "palette.light": "使用浅色主题",
  "palette.dark": "使用深色主题",
  "palette.system": "跟随系统主题",

  "switch.title": "浏览器中的用户脚本开关已关闭",
  "switch.why": "只有在您允许之后，浏览器才会让扩展程序运行用户脚本。在此之前，任何脚本都不会运行。",
  "switch.how": "请在浏览器的扩展程序设置中打开 Moggy 的页面，并启用“允许运行用户脚本”。",
  "switch.open": "打开扩展程序设置",
  "switch.check": "重新检查",
  "switch.openFailed": "未能打开扩展程序设置",

  "paused.title": "所有脚本已暂停",
  "paused.text": "您打开的页面上不会运行任何脚本。",
  "paused.resume": "恢复运行脚本",

  "settings.failed": "设置未能保存",
  "settings.failedRead": "无法读取设置",
} as const satisfies Record<keyof typeof english, string>;
