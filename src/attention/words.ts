import { attention as english } from "@/locales/en/attention";
import { pickLanguage } from "@/locales/language";
import { attention as chinese } from "@/locales/zh-CN/attention";
import type { Settings } from "@/settings/contract";

export type AttentionKey = keyof typeof english;

/**
 * Says what the toolbar button and notifications say. The worker has no room for the whole catalogue and its formatter: these
 * few messages have plain `{name}` placeholders only.
 * @param preferred the browser's languages, the most wanted first
 */
export function say(
  language: Settings["language"],
  preferred: readonly string[],
  key: AttentionKey,
  params: Readonly<Record<string, string | number>> = {},
): string {
  const words = pickLanguage(language, preferred) === "zh-CN" ? chinese : english;
  return words[key].replace(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? "…"));
}
