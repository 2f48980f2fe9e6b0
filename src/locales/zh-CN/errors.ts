import type { errors as english } from "../en/errors";

export const errors = {
  "error.line": "{what}：{why}",
  "error.unknown": "扩展程序没有说明原因。",
  "error.tryAgain": "请重试。如果仍然失败，请重新加载此页面。",
  "error.broken": "无法显示此视图",
  "error.broken.todo": "请重试，或选择其他页面。您的数据没有任何改动。",
  "error.disconnected": "扩展程序的后台进程在执行过程中重新启动了。",
  "error.disconnected.todo": "请先查看操作是否已生效，然后再重试。",
  "error.gone": "Moggy 已被更新、停用或移除。",
  "error.gone.todo": "请重新加载此页面。",
  "error.timeout": "扩展程序的后台进程在 15 秒内没有响应。",
  "error.timeout.todo": "请重试。如果仍然失败，请在浏览器的扩展程序设置中停用并重新启用 Moggy。",
  "error.tooMany": "发往扩展程序的请求过多。",
  "error.tooMany.todo": "请稍等片刻再重试。",

  "problem.unknown": "脚本存在一个此页面没有对应说明的问题（{code}）。",
  "problem.line": "第 {line} 行",
  "problem.atLine": "第 {line} 行：{text}",
} as const satisfies Record<keyof typeof english, string>;
