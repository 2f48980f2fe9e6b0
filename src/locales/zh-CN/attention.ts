import type { attention as english } from "../en/attention";

export const attention = {
  "attention.badge.questions": "Moggy：等待您回答的问题：{n} 个",
  "attention.badge.errors": "Moggy：日志中有您尚未查看的错误：{n} 个",
  "attention.question.title": "“{name}”请求您的许可",
  "attention.question.host": "它想访问 {host}，目前先不访问，继续运行。点击即可回答。",
  "attention.question.text": "目前先不使用该权限，继续运行。点击即可回答。",
} as const satisfies Record<keyof typeof english, string>;
