type UrlFilter = chrome.events.UrlFilter;

let watching: (() => void) | null = null;

/**
 * Calls back at each navigation that begins on an address of these match patterns, in place of what was watched before. The browser
 * wakes the worker for these alone, so that pages which no script is registered for cost nothing.
 */
export function watchNavigations(patterns: readonly string[], onBegin: () => void): void {
  const { onBeforeNavigate } = chrome.webNavigation;
  if (watching) onBeforeNavigate.removeListener(watching);
  watching = null;
  if (patterns.length === 0) return;
  watching = onBegin;
  onBeforeNavigate.addListener(onBegin, { url: urlFilters(patterns) });
}

/** At least the addresses of match patterns, told by scheme and host: the path would only save a few wakings more. */
export function urlFilters(patterns: readonly string[]): UrlFilter[] {
  const filters = new Map<string, UrlFilter>();
  for (const pattern of patterns) {
    const host = /^[^:]+:\/\/([^/:]*)/.exec(pattern)?.[1] ?? "*";
    if (host === "*" || host === "" || host.startsWith("[")) return [{ schemes: ["http", "https", "file"] }];
    if (host.startsWith("*.")) {
      filters.set(`.${host.slice(2)}`, { hostSuffix: host.slice(1) });
      filters.set(host.slice(2), { hostEquals: host.slice(2) });
    } else filters.set(host, { hostEquals: host });
  }
  return [...filters.values()];
}
