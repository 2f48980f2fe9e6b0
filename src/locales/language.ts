/** The languages that have a catalogue. */
export const LANGUAGES = ["en", "zh-CN"] as const;
export type Language = (typeof LANGUAGES)[number];

/** What a person can choose: a language, or the browser's. */
export type LanguageChoice = Language | "auto";

/**
 * The language to speak: the chosen one, else the first of the browser's languages that has a catalogue, else English.
 * @param preferred BCP 47 tags, the most wanted first (`navigator.languages`)
 */
export function pickLanguage(choice: LanguageChoice, preferred: readonly string[]): Language {
  if (choice !== "auto") return choice;
  for (const tag of preferred) {
    const base = tag.toLowerCase().split("-")[0];
    if (base === "en") return "en";
    if (base === "zh") return "zh-CN";
  }
  return "en";
}
