import type { ProblemCode } from "./problems";

/** Simplified Chinese words for every problem, as ICU message templates. */
export const PROBLEM_MESSAGES: Record<ProblemCode, string> = {
  "header.missing":
    "这不是用户脚本：没有元数据块。请添加以 // ==UserScript== 行开始、以 // ==/UserScript== 行结束的元数据块。",
  "header.subscription": "这是订阅列表（==UserSubscribe==），不是用户脚本。目前还不能安装订阅列表。",
  "header.malformed-delimiter":
    "这一行不是有效的元数据块分隔行：“{found}”。标记之前只能有两个斜杠和空白；请写成 {expected}。",
  "header.unclosed": "从这里开始的元数据块没有结束。请在其后添加一行 // ==/UserScript==。",
  "header.name-missing": "元数据块缺少 @name。请添加一行，例如 // @name 我的脚本。",
  "header.trailing-text": "分隔行后面的文字“{text}”会被忽略。",
  "header.no-space": "“{found}”可以接受，但有些管理器要求斜杠后有空格。",
  "header.duplicate": "这里又开始了一个元数据块。只有从第 {first} 行开始的元数据块有效。",
  "header.code": "元数据块中有 {count} 行不是注释（第一行是“{text}”），管理器不会读取。",
  "line.no-space": "没有空格的 //@{key} 与其他行同样有效。要停用某一行，请去掉 @ 或写成 // // @{key}。",
  "key.duplicate": "@{key} 重复出现。以第一个值为准，“{value}”会被忽略。",
  "key.case": "不认识 @{key}，已忽略。您是不是想写 @{expected}？",
  "key.locale": "@{key} 没有写明语言（例如 zh-CN），已忽略。",
  "value.missing": "@{key} 没有值，已忽略。",
  "value.extra": "@{key} 只接受一个词。使用“{value}”，忽略“{extra}”。",
  "value.unknown": "@{key} 不认识“{value}”。可用的值：{allowed}。改用：{used}。",
  "version.missing": "没有 @version，因此无法判断此脚本是否有更新。",
  "url.invalid": "@{key} 需要完整的 http 或 https 地址，或 none。“{value}”已忽略。",
  "resource.incomplete": "@resource 需要名称和地址。“{value}”已忽略。",
  "resource.duplicate": "已有名为“{name}”的 @resource，此行已忽略。",
  "grant.none-with-others": "@grant none 与其他 @grant 行矛盾，已忽略。授予的权限：{grants}。",
  "match.unsupported-scheme":
    "@{key} {pattern} 已忽略：脚本不能在“{scheme}”地址上运行，只能在 http、https 和 file 地址上运行。",
  "match.no-scheme": "@{key} {pattern} 没有写明协议，按 {used} 处理。",
  "match.no-path":
    "@{key} {pattern} 没有路径，按 {used} 处理，即只包括首页。要包括所有页面，请在末尾写上 /*。",
  "match.invalid-host":
    "@{key} {pattern} 已忽略：“{host}”不是主机名。主机名要写完整，或写成 *.example.com，或写成 *。",
  "match.invalid-port": "@{key} {pattern} 已忽略：“{port}”不是端口。端口是 1 到 65535 之间的数字，或 *。",
  "match.host-wildcard":
    "@{key} {pattern} 的主机名中有浏览器不认识的通配符。这里可以使用，但可能包括您没有想到的主机，并且需要在更多页面上检查。",
  "match.bare-wildcard": "@{key} {pattern} 表示所有页面。",
  "match.regex": "@{key} {pattern} 已忽略：正则表达式只能用在 @include 和 @exclude 中。",
  "match.invalid-regex": "@{key} {pattern} 已忽略：正则表达式有错误（{reason}）。",
  "match.not-a-url":
    "@{key} {pattern} 已忽略：没有这样的地址。请写带通配符的地址，例如 https://example.com/*，或写在两个斜杠之间的正则表达式。",
  "match.anywhere": "@{key} {pattern} 没有主机部分：它可能匹配地址中的任何位置，包括其他网站的路径。",
  "match.tld": "@{key} {pattern} 已忽略：目前还不支持 .tld 主机。请逐个列出主机。",
  "match.fragment": "@{key} {pattern}：页面加载时不看 # 之后的部分。此规则按 {used} 处理。",
  "match.fragment-dropped": "@{key} {pattern} 已忽略：# 之后的部分不参与匹配，去掉它会排除比所写更多的页面。",
  "match.none": "脚本没有 @match 或 @include 行，不会在任何页面上运行。",
  "match.all-dropped": "所有 @match 和 @include 行都不能使用，脚本不会在任何页面上运行。",
};
