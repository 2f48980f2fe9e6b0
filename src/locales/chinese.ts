import { INSTALL_MESSAGES_ZH_CN } from "@/userscripts/install-messages.zh-CN";
import { PROBLEM_MESSAGES } from "@/userscripts/metadata/problem-messages.zh-CN";
import type { Catalogue } from "./catalogue";
import { zhCN } from "./zh-CN";

/** All that is said in Simplified Chinese. */
export const chinese: Catalogue = {
  language: "zh-CN",
  messages: zhCN,
  problems: { ...PROBLEM_MESSAGES, ...INSTALL_MESSAGES_ZH_CN },
};
