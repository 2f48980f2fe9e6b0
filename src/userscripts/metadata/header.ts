import { type Problem, problem } from "./problems";

/** What a line of JavaScript ends with (ECMA-262, LineTerminatorSequence). */
const LINE_END = /\r\n|[\n\r\u2028\u2029]/g;
const OPEN = /^[ \t]*\/\/([ \t]*)==UserScript==(.*)$/;
const CLOSE = /^[ \t]*\/\/([ \t]*)==\/UserScript==(.*)$/;
const OPEN_MARK = "==UserScript==";
const CLOSE_MARK = "==/UserScript==";

export interface SourceLine {
  /** Without its line end (and without a byte order mark at the top of the file). */
  text: string;
  /** 1-based. */
  number: number;
  /** Offsets of `text` in the source. */
  start: number;
  end: number;
}

export interface Header {
  /** 1-based line of the opening delimiter. */
  line: number;
  /** Lines between the delimiters. */
  lines: SourceLine[];
  /** From the first character of the opening delimiter's line to the last of the closing one's. */
  range: { start: number; end: number };
}

/** Splits a source into lines; linear in its length. */
function* sourceLines(code: string): Generator<SourceLine> {
  let start = code.startsWith("\uFEFF") ? 1 : 0;
  let number = 1;
  for (const end of code.matchAll(LINE_END)) {
    yield { text: code.slice(start, end.index), number, start, end: end.index };
    start = end.index + end[0].length;
    number++;
  }
  yield { text: code.slice(start), number, start, end: code.length };
}

/** Remarks about a delimiter that is accepted although others might not. */
function remarks(line: SourceLine, space: string, rest: string): Problem[] {
  const found: Problem[] = [];
  if (space === "") found.push(problem("header.no-space", line.number, { found: excerpt(line.text) }));
  if (rest.trim() !== "") found.push(problem("header.trailing-text", line.number, { text: excerpt(rest) }));
  return found;
}

/** A line short enough to be shown in a message. */
export function excerpt(text: string): string {
  const clean = text.trim();
  return clean.length > 80 ? `${clean.slice(0, 79)}…` : clean;
}

/**
 * Finds the metadata block: the first line comment that holds nothing but `==UserScript==` (text after the marker
 * is tolerated), up to the next `==/UserScript==`. It need not be at the top of the file. The search knows lines,
 * not JavaScript: a block inside a block comment or a template literal counts, as in other managers.
 */
export function findHeader(code: string): { header: Header | null; problems: Problem[] } {
  const problems: Problem[] = [];
  const lines: SourceLine[] = [];
  let open: SourceLine | undefined;
  let header: Header | null = null;
  let badOpen: SourceLine | undefined;
  let badClose: SourceLine | undefined;
  let subscription: SourceLine | undefined;
  let duplicate: SourceLine | undefined;

  for (const line of sourceLines(code)) {
    const opening = line.text.includes(OPEN_MARK) ? OPEN.exec(line.text) : null;
    if (opening && open) {
      duplicate ??= line;
    } else if (opening) {
      open = line;
      problems.push(...remarks(line, opening[1] ?? "", opening[2] ?? ""));
    } else if (!open) {
      if (line.text.includes(OPEN_MARK)) badOpen ??= line;
      else if (line.text.includes("==UserSubscribe==")) subscription ??= line;
    } else if (!header) {
      const closing = line.text.includes(CLOSE_MARK) ? CLOSE.exec(line.text) : null;
      if (closing) {
        problems.push(...remarks(line, closing[1] ?? "", closing[2] ?? ""));
        header = { line: open.number, lines, range: { start: open.start, end: line.end } };
        // Most scripts have one block near the top: the rest of their lines need not be looked at.
        if (!code.includes(OPEN_MARK, line.end)) break;
      } else {
        if (line.text.includes(CLOSE_MARK)) badClose ??= line;
        lines.push(line);
      }
    }
  }
  if (duplicate && open) {
    problems.push(problem("header.duplicate", duplicate.number, { first: String(open.number) }));
  }
  if (header) return { header, problems };
  if (open && badClose) return { header: null, problems: [...problems, malformed(badClose, CLOSE_MARK)] };
  if (open) return { header: null, problems: [...problems, problem("header.unclosed", open.number, {})] };
  if (badOpen) return { header: null, problems: [malformed(badOpen, OPEN_MARK)] };
  if (subscription)
    return { header: null, problems: [problem("header.subscription", subscription.number, {})] };
  return { header: null, problems: [problem("header.missing", 1, {})] };
}

function malformed(line: SourceLine, mark: string): Problem {
  const params = { found: excerpt(line.text), expected: `// ${mark}` };
  return problem("header.malformed-delimiter", line.number, params);
}
