/**
 * Request headers that the browser sets and a script cannot (fetch specification, "forbidden request-header"), with User-Agent, which
 * Chromium does not let through either.
 */
const FORBIDDEN =
  /^(accept-(charset|encoding)|(access-control-request|proxy|sec)-.*|connection|content-length|cookie2?|date|dnt|expect|host|keep-alive|origin|referer|set-cookie|te|trailer|transfer-encoding|upgrade|user-agent|via)$/i;

export function isForbiddenHeader(name: string): boolean {
  return FORBIDDEN.test(name.trim());
}
