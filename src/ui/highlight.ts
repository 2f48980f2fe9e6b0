/**
 * A light JavaScript tokenizer for showing code: comments, strings, templates, numbers, regexes and keywords. It works on
 * slices of a text and carries its state from one to the next, so that a long script is coloured only where it is looked at.
 */
export type TokenKind = "plain" | "keyword" | "string" | "number" | "comment";

export interface Token {
  kind: TokenKind;
  text: string;
}

/** What a slice needs to know of those before it. */
export interface HighlightState {
  /** Inside of a block comment or of a template's text. */
  inside: "code" | "comment" | "template";
  /** One entry for each `${` that is open: how many braces are open in it. */
  holes: readonly number[];
  /** Whether a slash would start a regex here rather than divide. */
  regex: boolean;
}

export const START: HighlightState = { inside: "code", holes: [], regex: true };

const KEYWORDS = new Set(
  "as async await break case catch class const continue debugger default delete do else enum export extends false finally for from function get if implements import in instanceof interface let new null of private return satisfies set static super switch this throw true try type typeof undefined var void while with yield".split(
    " ",
  ),
);

/** After these words a slash starts a regex. */
const BEFORE_REGEX = new Set(
  "await case delete do else in instanceof new of return throw typeof void yield".split(" "),
);

const CODE =
  /(?<space>\s+)|(?<line>\/\/[^\n]*)|(?<block>\/\*)|(?<word>[\p{ID_Start}$_][\p{ID_Continue}$]*)|(?<number>0[xob][\da-f_]+n?|\d[\d_]*(?:\.[\d_]*)?(?:e[+-]?\d+)?n?)|(?<string>"(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S])*'?)|(?<tick>`)|(?<open>\{)|(?<close>\})|(?<other>[\s\S])/iuy;
/** A slash that no slash answers within this many characters is a division: looking further would be quadratic. */
const LONGEST_REGEX = 400;
const REGEX_FLAGS = /[a-z]*/y;
const TEMPLATE = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))+/y;

/** Colours one slice. The tokens joined are the slice. */
export function highlight(text: string, from: HighlightState): { tokens: Token[]; state: HighlightState } {
  const tokens: Token[] = [];
  let { inside, regex } = from;
  const holes = [...from.holes];
  let at = 0;

  const push = (kind: TokenKind, part: string): void => {
    const last = tokens.at(-1);
    if (last?.kind === kind) last.text += part;
    else tokens.push({ kind, text: part });
    at += part.length;
  };
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };

  const readComment = (): void => {
    const end = text.indexOf("*/", at);
    push("comment", end < 0 ? text.slice(at) : text.slice(at, end + 2));
    if (end >= 0) inside = "code";
  };

  const readTemplate = (): void => {
    const part = take(TEMPLATE);
    if (part) push("string", part[0]);
    else if (text[at] === "`") {
      push("string", "`");
      inside = "code";
      regex = false;
    } else if (text.startsWith("${", at)) {
      push("string", "${");
      holes.push(0);
      inside = "code";
      regex = true;
    } else push("string", text.slice(at, at + 1));
  };

  const readBrace = (brace: string): void => {
    const depth = holes.at(-1);
    if (brace === "}" && depth === 0) {
      holes.pop();
      push("string", brace);
      inside = "template";
      return;
    }
    if (depth !== undefined) holes[holes.length - 1] = depth + (brace === "{" ? 1 : -1);
    push("plain", brace);
    regex = true;
  };

  const readCode = (): void => {
    if (regex && text[at] === "/") {
      const end = regexEnd(text, at);
      if (end > 0) {
        push("string", text.slice(at, end));
        regex = false;
        return;
      }
    }
    const { groups } = take(CODE) ?? {};
    if (!groups) {
      push("plain", text.slice(at));
      return;
    }
    const { space, line, block, word, number, string, tick, open, close, other } = groups;
    if (space !== undefined) push("plain", space);
    else if (line !== undefined) push("comment", line);
    else if (block !== undefined) {
      push("comment", block);
      inside = "comment";
    } else if (word !== undefined) {
      push(KEYWORDS.has(word) ? "keyword" : "plain", word);
      regex = BEFORE_REGEX.has(word);
    } else if (number !== undefined) {
      push("number", number);
      regex = false;
    } else if (string !== undefined) {
      push("string", string);
      regex = false;
    } else if (tick !== undefined) {
      push("string", tick);
      inside = "template";
    } else if (open !== undefined || close !== undefined) readBrace(open ?? close ?? "");
    else if (other !== undefined) {
      push("plain", other);
      regex = other !== ")" && other !== "]";
    }
  };

  while (at < text.length) {
    if (inside === "comment") readComment();
    else if (inside === "template") readTemplate();
    else readCode();
  }
  return { tokens, state: { inside, holes, regex } };
}

/** Where the regex literal that begins at `at` ends, flags included; 0 when none does. */
function regexEnd(text: string, at: number): number {
  if (text[at + 1] === "/" || text[at + 1] === "*") return 0;
  const limit = Math.min(text.length, at + LONGEST_REGEX);
  let inClass = false;
  for (let i = at + 1; i < limit; i++) {
    const char = text[i];
    if (char === "\n" || (char === "\\" && text[i + 1] === "\n")) return 0;
    if (char === "\\") i++;
    else if (char === "[") inClass = true;
    else if (char === "]") inClass = false;
    else if (char === "/" && !inClass) {
      REGEX_FLAGS.lastIndex = i + 1;
      return i + 1 + (REGEX_FLAGS.exec(text)?.[0].length ?? 0);
    }
  }
  return 0;
}
