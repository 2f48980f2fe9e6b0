/**
 * All words that a person reads. A message is a line in `en/<area>.ts` and in `zh-CN/<area>.ts` (the type check wants both); its
 * placeholders are ICU ("{n, plural, one {# script} other {# scripts}}"). React says it with `useT()` from ./react, everything
 * else with `createTranslate(await loadCatalogue(language))`. A further language is one folder, one line in language.ts and one
 * in `loadCatalogue`. Problems of userscripts have their words beside the code that finds them.
 */
import { INSTALL_MESSAGES } from "@/userscripts/install-messages.en";
import { PROBLEM_MESSAGES } from "@/userscripts/metadata/problem-messages.en";
import type { Catalogue } from "./catalogue";
import { en } from "./en";
import type { Language } from "./language";

export type { Catalogue, MessageKey, ProblemLike } from "./catalogue";
export { LANGUAGES, type Language, type LanguageChoice, pickLanguage } from "./language";
export { createTranslate, type Translate } from "./translate";

/** English is always there: it is what everything falls back to. */
export const english: Catalogue = {
  language: "en",
  messages: en,
  problems: { ...PROBLEM_MESSAGES, ...INSTALL_MESSAGES },
};

/** The catalogue of a language; the others are their own files, read when they are first spoken. */
export async function loadCatalogue(language: Language): Promise<Catalogue> {
  if (language === "zh-CN") return (await import("./chinese")).chinese;
  return english;
}
