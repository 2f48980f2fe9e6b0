/** Characters that are parsed between two looks at the clock. */
const CHUNK = 8_192;
/** How long parsing may take, in ms. A page can be made so that each tag costs more than the one before it, in any browser. */
const LONGEST_MS = 1_500;

/**
 * A document of its own from HTML: no script of it runs, nothing is loaded, since it has no browsing context (HTML standard,
 * "scripting is disabled"). Relative links count from `url`.
 * @returns the document, and whether all of the HTML is in it
 */
export function parsePage(html: string, url: string, now = () => performance.now()) {
  const page = document.implementation.createHTMLDocument();
  const until = now() + LONGEST_MS;
  page.open();
  // Without a word written there would be no head and no body.
  page.write(html === "" ? "<!doctype html>" : html.slice(0, CHUNK));
  let at = CHUNK;
  for (; at < html.length && now() < until; at += CHUNK) page.write(html.slice(at, at + CHUNK));
  page.close();
  // The first base element is the one that counts, so the page's own, made absolute, stays in its place.
  const own = page.querySelector("base[href]")?.getAttribute("href");
  const base = page.createElement("base");
  base.href = own !== null && own !== undefined && URL.canParse(own, url) ? new URL(own, url).href : url;
  page.head.prepend(base);
  return { page, whole: at >= html.length };
}

/** An absolute http(s), mailto or ftp address; null for what is none, such as `javascript:`. */
export function safeAddress(value: string | null, base: string): string | null {
  if (value === null || !URL.canParse(value, base)) return null;
  const url = new URL(value, base);
  return /^(https?|mailto|ftp):$/.test(url.protocol) ? url.href : null;
}
