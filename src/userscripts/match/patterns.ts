/** Patterns and globs of the browser that stand for a rule. */
export interface Coverage {
  matches: string[];
  globs: string[];
  /** True when they match exactly what the rule matches. */
  exact: boolean;
}

/** Escapes what is special in the browser's globs: there, unlike in rules, `?` is a wildcard. */
export function escapeGlob(text: string): string {
  return text.replace(/[\\?*]/g, "\\$&");
}
