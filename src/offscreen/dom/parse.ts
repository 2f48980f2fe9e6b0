/**
 * A document of its own from HTML: no script of it runs, nothing is loaded (HTML standard, DOMParser). Relative links count from `url`.
 */
export function parsePage(html: string, url: string): Document {
  const page = new DOMParser().parseFromString(html, "text/html");
  // The first base element is the one that counts, so the page's own, made absolute, stays in its place.
  const own = page.querySelector("base[href]")?.getAttribute("href");
  const base = page.createElement("base");
  base.href = own !== null && own !== undefined && URL.canParse(own, url) ? new URL(own, url).href : url;
  page.head.prepend(base);
  return page;
}

/** An absolute http(s), mailto or ftp address; null for what is none, such as `javascript:`. */
export function safeAddress(value: string | null, base: string): string | null {
  if (value === null || !URL.canParse(value, base)) return null;
  const url = new URL(value, base);
  return /^(https?|mailto|ftp):$/.test(url.protocol) ? url.href : null;
}
