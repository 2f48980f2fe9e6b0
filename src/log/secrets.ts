import type { SecretList } from "./secret-list";

/** Finds the secrets of a list in texts, whatever way they are spelled there. */
export class SecretFinder {
  /** Secret → what finds it in a text. */
  readonly #finders = new Map<string, Finder>();
  /** Pieces of secrets, for those that were cut off at either end. */
  #pieces: ReadonlySet<string> = new Set();

  constructor(private readonly list: SecretList) {}

  /**
   * The text with `mark` in place of every known secret: as it is; percent-encoded (RFC 3986), in whole or in part, also more than
   * once; with escapes of JSON, JavaScript or HTML; in hexadecimal; inside of base64 or base64url (RFC 4648), of which the whole run
   * goes. Of a secret that was cut, {@link PIECE} characters in a row are enough.
   */
  mask(text: string, mark: string): string {
    this.#prepare();
    if (this.#finders.size === 0) return text;
    let masked = text;
    for (const { spelled, inBase64 } of this.#finders.values()) {
      masked = masked.replace(spelled, mark);
      for (const core of inBase64) masked = maskRuns(masked, core, mark);
    }
    return maskPieces(masked, this.#pieces, mark);
  }

  /** Takes over what the list has come to know; a secret that left the list is still looked for as long as the worker lives. */
  #prepare(): void {
    const before = this.#finders.size;
    for (const secret of this.list.all()) {
      if (secret.length < MIN_SECRET || secret.length > MAX_SECRET || this.#finders.has(secret)) continue;
      this.#finders.set(secret, finderOf(secret));
    }
    if (this.#finders.size > before) this.#pieces = new Set([...this.#finders.keys()].flatMap(piecesOf));
  }
}

/** The shortest secret that is looked for, in UTF-16 units: a shorter one hides nothing, and would blot out words. */
export const MIN_SECRET = 8;
/** Longer ones (whole key files) are left to the patterns of masking. */
const MAX_SECRET = 2_000;
export const PIECE = 10;

interface Finder {
  spelled: RegExp;
  /** What base64 of any text around the secret contains, one for each alignment. */
  inBase64: readonly RegExp[];
}

function finderOf(secret: string): Finder {
  const bytes = new TextEncoder().encode(secret);
  const spelled = Array.from(secret, spellings).join("");
  const hex = Array.from(bytes, hexOf).join("");
  return {
    spelled: new RegExp(`${spelled}|${hex}`, "g"),
    inBase64: [0, 1, 2].map((before) => new RegExp(looseBase64(base64Core(bytes, before)), "g")),
  };
}

/** The source of a regular expression for one character, in each spelling that texts about requests may have. */
function spellings(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const utf8 = Array.from(new TextEncoder().encode(character), (byte) => `%(?:25){0,3}${hexOf(byte)}`);
  const utf16 = Array.from(
    { length: character.length },
    (_, at) => `\\\\{1,8}u${anyCase(character.charCodeAt(at).toString(16).padStart(4, "0"))}`,
  );
  const all = [
    /["'/\\`]/.test(character) ? `\\\\{0,8}${escaped(character)}` : escaped(character),
    utf8.join(""),
    utf16.join(""),
    `&#(?:0{0,4}${code}|[xX]0{0,4}${anyCase(code.toString(16))});`,
  ];
  if (character === " ") all.push("\\+");
  if (code < 256) all.push(`\\\\{1,8}x${hexOf(code)}`);
  return `(?:${all.join("|")})`;
}

/**
 * The characters of base64 that are the same whatever stands around the bytes, when `before` (0 to 2) bytes more than a multiple of
 * three stand in front of them. The characters that a neighbour has a part in are left out.
 */
function base64Core(bytes: Uint8Array, before: number): string {
  const padded = new Uint8Array(before + bytes.length);
  padded.set(bytes, before);
  const text = btoa(Array.from(padded, (byte) => String.fromCharCode(byte)).join("")).replace(/=+$/, "");
  const shared = padded.length % 3 === 0 ? 0 : 1;
  return text.slice(Math.ceil((before * 4) / 3), text.length - shared);
}

/** Either alphabet of base64, with its signs also percent-encoded. */
function looseBase64(core: string): string {
  return core.replaceAll(/[+/]/g, (sign) => (sign === "+" ? "(?:\\+|-|%2[Bb])" : "(?:\\/|_|%2[Ff])"));
}

/** Masks each run of base64 characters in which `core` is found. */
function maskRuns(text: string, core: RegExp, mark: string): string {
  let out = "";
  let kept = 0;
  for (const match of text.matchAll(core)) {
    if (match.index < kept) continue;
    let start = match.index;
    while (start > kept && IN_BASE64.test(text.charAt(start - 1))) start -= 1;
    let end = match.index + match[0].length;
    while (end < text.length && IN_BASE64.test(text.charAt(end))) end += 1;
    out += text.slice(kept, start) + mark;
    kept = end;
  }
  return out + text.slice(kept);
}

const IN_BASE64 = /[\w+/=%-]/;

function piecesOf(secret: string): string[] {
  const count = Math.max(0, secret.length - PIECE + 1);
  return Array.from({ length: count }, (_, at) => secret.slice(at, at + PIECE));
}

/** Masks the runs of a text that are made of pieces. */
function maskPieces(text: string, pieces: ReadonlySet<string>, mark: string): string {
  let out = "";
  let kept = 0;
  for (let at = 0; at + PIECE <= text.length; at += 1) {
    if (!pieces.has(text.slice(at, at + PIECE))) continue;
    let end = at + PIECE;
    while (end < text.length && pieces.has(text.slice(end - PIECE + 1, end + 1))) end += 1;
    out += text.slice(kept, at) + mark;
    kept = end;
    at = end - 1;
  }
  return out + text.slice(kept);
}

function hexOf(byte: number): string {
  return anyCase(byte.toString(16).padStart(2, "0"));
}

/** The source of a regular expression for hexadecimal digits in either case. */
function anyCase(hex: string): string {
  return hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

function escaped(character: string): string {
  return character.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
