const LINE_END = /[\n\r\u2028\u2029]/g;

/**
 * True when code itself names an identifier, not a comment or a string in it. It knows no regular expressions and no
 * templates, where it may take a part for a comment; it takes time linear in the length of the code.
 */
export function mentions(code: string, identifier: string): boolean {
  const found = new RegExp(`["']|//|/\\*|(?<![\\w$])${identifier}(?![\\w$])`, "g");
  let unclosed = false;
  let end = -1;
  /** End of the line around a place; places only grow. */
  const lineEnd = (at: number): number => {
    if (at < end) return end;
    LINE_END.lastIndex = at;
    end = LINE_END.exec(code)?.index ?? code.length;
    return end;
  };
  /** Up to where a quote of each kind is known to have no partner. */
  const lonely: Record<string, number> = { '"': 0, "'": 0 };
  for (let match = found.exec(code); match; match = found.exec(code)) {
    const [mark] = match;
    if (mark === identifier) return true;
    if (mark === "//") {
      // Elsewhere it is part of something that is not understood here, such as an address in a template.
      if (/^$|[\s;{}(),]/.test(code.charAt(match.index - 1))) found.lastIndex = lineEnd(match.index);
    } else if (mark === "/*") {
      const close = unclosed ? -1 : code.indexOf("*/", match.index + 2);
      if (close < 0) unclosed = true;
      else found.lastIndex = close + 2;
    } else if (match.index >= (lonely[mark] ?? 0)) {
      const close = closingQuote(code, match.index, lineEnd(match.index));
      if (close < 0) lonely[mark] = lineEnd(match.index);
      else found.lastIndex = close + 1;
    }
  }
  return false;
}

/** Where the string that opens at `open` closes, -1 when it does not before `end`. */
function closingQuote(code: string, open: number, end: number): number {
  for (let at = open + 1; at < end; at += 1) {
    if (code[at] === "\\") at += 1;
    else if (code[at] === code[open]) return at;
  }
  return -1;
}
