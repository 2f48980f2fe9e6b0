/**
 * What a regular expression's matches can begin with, as a small set of strings that together take in every match. In
 * these strings the units below stand for what is not known; all other characters are literal, letters in lower case.
 */

/** The start of the text (`^`). */
export const START = "\uE000";
/** Any one character but a slash. */
export const HOST_UNIT = "\uE001";
/** Any characters / any but slashes; also none. */
export const STAR = "\uE002";
export const HOST_STAR = "\uE003";

/** More alternatives than this become a wildcard. */
const MOST_ALTERNATIVES = 128;
/** Classes with more members than this become one unit. */
const MOST_MEMBERS = 4;
/** Longest repetition that is written out. */
const LONGEST_REPEAT = 8;
const LONGEST = 300;
const DEEPEST = 100;

/** Nothing after the host makes a difference. */
const HOST_ENDED = /^\uE000[^/]*\/\/[^/]*\//;

/** Printable ASCII but the space: the characters of a URL as the browser writes it. */
const URL_CHARACTERS = Array.from({ length: 0x7e - 0x20 }, (_, i) => String.fromCharCode(0x21 + i));

/** Thrown, and caught here, when the expression uses what this reader does not know. */
class UnknownSyntax extends Error {}

/**
 * Expands a regular expression that is known to be valid.
 * @returns beginnings, each implicitly followed by anything; null when they cannot be told.
 */
export function expandRegex(source: string, flags: string): string[] | null {
  if (flags.includes("v")) return null;
  try {
    const reader = new Reader(source, flags);
    const beginnings = reader.alternatives();
    if (!reader.done) return null;
    return beginnings.map((beginning) => beginning + STAR);
  } catch (error) {
    if (error instanceof UnknownSyntax) return null;
    throw error;
  }
}

/** Recursive descent over ECMAScript's Pattern grammar (with Annex B), without v-mode. */
class Reader {
  #at = 0;
  #depth = 0;
  readonly #known = new Map<string, string[]>();

  constructor(
    private readonly source: string,
    private readonly flags: string,
  ) {}

  get done(): boolean {
    return this.#at >= this.source.length;
  }

  /** Disjunction. */
  alternatives(): string[] {
    const all = [...this.#sequence()];
    while (this.#take("|")) all.push(...this.#sequence());
    return bounded(all);
  }

  #sequence(): string[] {
    let prefixes = [""];
    while (!this.done && this.#peek() !== "|" && this.#peek() !== ")") {
      const term = this.#repeated(this.#atom());
      prefixes = concat(prefixes, term);
    }
    return prefixes;
  }

  /** One atom or assertion. An assertion that is left out only makes the set wider. */
  #atom(): string[] {
    const start = this.#at;
    const char = this.#next();
    if (char === "^") return [START];
    if (char === "$") return [""];
    if (char === "(") return this.#group();
    if (char === "[") return this.#class(start);
    if (char === "\\") return this.#escape(start);
    return this.#members(this.source.slice(start, this.#at));
  }

  #group(): string[] {
    const [opening = ""] = /^\?(?:<?[=!]|<[^>]*>|[a-z-]*:)/.exec(this.source.slice(this.#at)) ?? [];
    this.#at += opening.length;
    if (++this.#depth > DEEPEST) throw new UnknownSyntax();
    const inner = this.alternatives();
    this.#depth--;
    if (!this.#take(")")) throw new UnknownSyntax();
    return /^\?<?[=!]$/.test(opening) ? [""] : inner;
  }

  #class(start: number): string[] {
    while (!this.done && this.#peek() !== "]") this.#at += this.#peek() === "\\" ? 2 : 1;
    if (!this.#take("]")) throw new UnknownSyntax();
    return this.#members(this.source.slice(start, this.#at));
  }

  #escape(start: number): string[] {
    const char = this.#next();
    if (/[bB]/.test(char)) return [""];
    if (/[1-9k]/.test(char)) {
      // A back-reference, or what Annex B makes of it.
      this.#at += /^(?:<[^>]*>|\d*)/.exec(this.source.slice(this.#at))?.[0].length ?? 0;
      return [STAR];
    }
    const rest = this.source.slice(this.#at);
    const operand = { c: /^[a-zA-Z]/, x: /^[\da-fA-F]{2}/, 0: /^[0-7]{0,2}/ }[char];
    const wide = { u: /^(?:[\da-fA-F]{4}|\{[\da-fA-F]+\})/, p: /^\{[^}]*\}/, P: /^\{[^}]*\}/ }[char];
    const unicode = this.flags.includes("u");
    const length = (operand ?? (char === "u" || unicode ? wide : undefined))?.exec(rest)?.[0].length ?? 0;
    // Without the u flag \u{61} is 61 times the letter u; only its plain form is an escape then.
    const isRepeat = !unicode && rest.startsWith("{");
    if (!isRepeat) this.#at += length;
    return this.#members(this.source.slice(start, this.#at));
  }

  /** The characters that an atom of one character matches, by asking the engine. */
  #members(atom: string): string[] {
    if (/^[a-z\d]$/i.test(atom)) return [atom.toLowerCase()];
    let members = this.#known.get(atom);
    if (!members) {
      members = this.#ask(atom);
      this.#known.set(atom, members);
    }
    return members;
  }

  #ask(atom: string): string[] {
    let regex: RegExp;
    try {
      regex = new RegExp(`^(?:${atom})$`, this.flags);
    } catch {
      // The whole was valid, so its part was cut out wrongly.
      throw new UnknownSyntax();
    }
    const members = new Set(
      URL_CHARACTERS.filter((char) => regex.test(char)).map((char) => char.toLowerCase()),
    );
    // No member: an atom for characters that URLs do not have, or one that this reader cut out wrongly.
    if (members.size === 0) return [HOST_UNIT, "/"];
    if (members.size <= MOST_MEMBERS) return [...members];
    return members.has("/") ? [HOST_UNIT, "/"] : [HOST_UNIT];
  }

  #repeated(atom: string[]): string[] {
    const found = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/.exec(this.source.slice(this.#at));
    if (!found) return atom;
    this.#at += found[0].length;
    const [quantifier, from = "", comma = "", to = ""] = found;
    if (quantifier.startsWith("?")) return bounded([...atom, ""]);
    const star = [atom.every(staysInHost) ? HOST_STAR : STAR];
    if (quantifier.startsWith("*")) return star;
    if (quantifier.startsWith("+"))
      return atom.length === 1 && atom[0] !== HOST_UNIT ? concat(atom, star) : star;
    const least = Number(from);
    const most = comma === "" ? least : to === "" ? Number.POSITIVE_INFINITY : Number(to);
    if (most > LONGEST_REPEAT) return star;
    let all: string[] = [];
    let repeated = [""];
    for (let count = 0; count <= most; count++) {
      if (count >= least) all = [...all, ...repeated];
      repeated = concat(repeated, atom);
    }
    return bounded(all);
  }

  #peek(): string {
    return this.source.charAt(this.#at);
  }

  #next(): string {
    const length = this.flags.includes("u")
      ? String.fromCodePoint(this.source.codePointAt(this.#at) ?? 0).length
      : 1;
    const char = this.source.slice(this.#at, this.#at + length);
    this.#at += length;
    return char;
  }

  #take(char: string): boolean {
    if (this.#peek() !== char) return false;
    this.#at++;
    return true;
  }
}

function staysInHost(text: string): boolean {
  return !/[/\uE002]/.test(text);
}

/** At most MOST_ALTERNATIVES strings that take in the given ones. */
function bounded(all: string[]): string[] {
  const distinct = [...new Set(all)];
  if (distinct.length <= MOST_ALTERNATIVES) return distinct;
  // A start that only some alternatives have is no start.
  const start = distinct.every((text) => text.startsWith(START)) ? START : "";
  return [start + STAR];
}

/** Beginnings followed by continuations; those that are complete are not continued. */
function concat(prefixes: string[], terms: string[]): string[] {
  return bounded(
    prefixes.flatMap((prefix) => {
      if (prefix.endsWith(STAR)) return [prefix];
      if (prefix.length > LONGEST || HOST_ENDED.test(prefix)) return [prefix + STAR];
      // A start sign after something else cannot be met there; left out it only makes the set wider.
      return terms.map((term) => prefix + (prefix === "" ? term : term.replaceAll(START, "")));
    }),
  );
}
