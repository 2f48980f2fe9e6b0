import type { LanguageChoice } from "@/locales";
import type { Settings } from "@/settings/contract";

/** What must be known before the first paint. The settings are the truth; this is a page-side copy of the last known ones. */
export interface Preferences {
  theme: Settings["theme"];
  language: LanguageChoice;
}

const KEY = "moggy:preferences";
const DEFAULT: Preferences = { theme: "system", language: "auto" };

/** The copy, or the defaults when there is none or it cannot be read. */
export function readPreferences(): Preferences {
  try {
    const { theme, language } = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Record<string, unknown>;
    return {
      theme: theme === "light" || theme === "dark" ? theme : "system",
      language: language === "en" || language === "zh-CN" ? language : "auto",
    };
  } catch {
    // Storage that is blocked or broken costs a flash of the other theme; the settings arrive a moment later.
    return DEFAULT;
  }
}

export function rememberPreferences(preferences: Preferences): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(preferences));
  } catch {
    // As above: the copy only spares a flash.
    return;
  }
}

/** Puts the theme on the document; "system" leaves it to the browser. */
export function applyTheme(theme: Preferences["theme"]): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
