/** What a script may be granted in this version, and what follows from a grant. */

const GM_NAMES = [
  "getValue",
  "setValue",
  "deleteValue",
  "listValues",
  "getValues",
  "setValues",
  "deleteValues",
  "addValueChangeListener",
  "removeValueChangeListener",
  "log",
  "addStyle",
  "registerMenuCommand",
  "unregisterMenuCommand",
] as const;

/** Grants that a script may ask for. Everything else is refused at install, by name. */
export const KNOWN_GRANTS: ReadonlySet<string> = new Set([
  "none",
  "unsafeWindow",
  "GM_info",
  "GM.info",
  ...GM_NAMES.flatMap((name) => [`GM_${name}`, `GM.${name}`]),
  "GM_xmlhttpRequest",
  "GM.xmlHttpRequest",
  "CAT.agent.conversation",
  "CAT.agent.model",
  "CAT.agent.opfs",
]);

/** Grants with which a hostile neighbour could do real harm: such scripts never share a world. */
export function isSensitive(grants: readonly string[]): boolean {
  return grants.some((g) => g.startsWith("CAT.") || /^GM[_.](xml[hH]ttpRequest|cookie|download)$/.test(g));
}

/** Grants that give synchronous reads of values, for which the registration carries a snapshot. */
export function readsValuesSynchronously(grants: readonly string[]): boolean {
  return grants.some((g) => /^GM_(getValue|getValues|listValues|addValueChangeListener)$/.test(g));
}

/** Grants that mean nothing without a page, which a background script does not have. */
export function needsPage(grant: string): boolean {
  return grant === "unsafeWindow" || /^GM[_.](addStyle|(un)?registerMenuCommand)$/.test(grant);
}

/** True when the script asked for anything but `none` and `unsafeWindow`. */
export function hasPowers(grants: readonly string[]): boolean {
  return grants.some((g) => g !== "none" && g !== "unsafeWindow");
}

/**
 * The names that the script finds, exactly those granted, beside GM_info and GM.info, which every script has.
 * They become the parameters of the function around its code.
 */
export function exposedNames(grants: readonly string[]): string[] {
  const names = new Set(["GM_info", "GM"]);
  for (const grant of grants) {
    if (grant.startsWith("GM_")) names.add(grant);
    else if (grant.startsWith("CAT.")) names.add("CAT");
    else if (grant === "unsafeWindow") names.add("unsafeWindow");
  }
  return [...names];
}
