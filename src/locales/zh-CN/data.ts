import type { data as english } from "../en/data";

export const data = {
  "data.updating.title": "Moggy 正在更新数据",
  "data.updating.text": "更新版本后会进行一次，通常只需片刻。您可以关闭此页面，不会因此丢失任何内容。",
  "data.updating.progress": "已完成 {done, number} 步，共 {steps, number} 步",

  "data.failed.title": "Moggy 未能更新数据",
  "data.failed.kept": "先前存储的内容仍然保留。在更新完成之前，Moggy 不会使用这些数据。",
  "data.failed.todo": "请重试。如果仍然失败，请确认磁盘有足够空间，并重新启动浏览器。",
  "data.failed.again": "再次失败。",

  "data.newer.title": "此 Moggy 比它的数据旧",
  "data.newer.why":
    "此浏览器配置文件中的数据由 Moggy {writer} 写入。当前是 Moggy {version}，无法识别其格式。",
  "data.newer.whyUnknown":
    "此浏览器配置文件中的数据由更新版本的 Moggy 写入。当前是 Moggy {version}，无法识别其格式。",
  "data.newer.kept": "您的数据没有任何改动。在此之前，不会读取或写入任何内容，脚本也无法访问其存储的值。",
  "data.newer.todo": "请安装 Moggy {writer} 或更新版本，然后重新打开此页面。",
  "data.newer.todoUnknown": "请安装最新版本的 Moggy，然后重新打开此页面。",
} as const satisfies Record<keyof typeof english, string>;
