import type { InstallProblemCode } from "./install-messages.en";

export const INSTALL_MESSAGES_ZH_CN: Record<InstallProblemCode, string> = {
  "unsupported.grant": "脚本需要 {name}，而此版本的 Moggy 没有提供它。脚本运行时会出错，因此无法安装。",
  "unsupported.require": "脚本通过 @require 加载 {url}，此版本的 Moggy 尚不支持。",
  "unsupported.resource": "脚本通过 @resource 加载资源 {name}，此版本的 Moggy 尚不支持。",
  "unsupported.require-css": "脚本通过 @require-css 加载样式表，此版本的 Moggy 尚不支持。",
  "unsupported.background-grant":
    "此脚本在后台运行，却要求 {name}，而后者需要网页。由于运行时必然失败，因此无法安装。",
  "unsupported.crontab": "这是一个定时脚本（@crontab）。此版本的 Moggy 只在网页上运行脚本。",
  "unsupported.context-menu": "脚本从右键菜单运行（@run-at context-menu），此版本的 Moggy 尚不支持。",
  "unsupported.storage-name": "脚本通过 @storageName 与其他脚本共享数据，此版本的 Moggy 尚不支持。",
  "unsupported.run-in": "脚本只在某些类型的标签页中运行（@run-in），此版本的 Moggy 尚不能区分它们。",
  "unsupported.top-level-await": "脚本在函数之外使用 await（@top-level-await），此版本的 Moggy 尚不能运行。",
  "unsupported.unwrap": "脚本要求不加函数包裹直接运行（@unwrap），此版本的 Moggy 尚不支持。",
  "unsupported.page-powers":
    "脚本要求在网页自身的环境中运行（@inject-into page）并使用 GM 或 CAT 函数。此版本的 Moggy 只在脚本自己的隔离环境中提供这些函数。",
  "unsupported.unsafe-window":
    "脚本使用 unsafeWindow，但因使用 GM 或 CAT 函数，或因 @inject-into content，而在独立环境中运行。此版本的 Moggy 尚不支持。",
  "unsupported.nul":
    "脚本中含有 NUL 字符（U+0000），浏览器会在该处截断脚本。请将其保存为不含此类字符的文本。",
  "warning.background": "它在浏览器启动时开始在后台运行，不需要打开网页，直到您将其停用。",
  "warning.everywhere": "它会在所有网站上运行（{pattern}）。",
  "warning.connect-any": "它可以与互联网上的任何服务器通信（@connect *）。",
  "warning.agent": "它可以使用你的模型进行对话，这可能产生费用。",
  "notice.crowded": "可在同一网页上运行的脚本多于浏览器提供的隔离环境，因此它与其他脚本共用一个环境。",
  "notice.homeless":
    "它没有运行：它拥有较高权限，而在某些网页上浏览器的十个隔离环境都已被占用。请停用其中一个脚本。",
  "notice.rejected": "浏览器拒绝注册此脚本：{reason}",
};
