/**
 * The `@match` pattern for a new script made on a page: its origin and path, anything after. Query and fragment are left out,
 * since they seldom say which page it is.
 * @returns null for a URL that scripts cannot run on.
 */
export function patternForPage(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { protocol, host, pathname } = new URL(url);
  if (!/^(?:https?|file):$/.test(protocol)) return null;
  return `${protocol}//${host}${pathname.replace(/\*+$/, "")}*`;
}
