/** Stands where a secret was. */
export const MASK = "[hidden]";

/** Names after which a value is a secret, in headers, URLs, JSON and `name=value`. */
const NAME =
  "(?:[\\w.-]{0,40}(?:api[_-]?key|access[_-]?key|secret|passw(?:or)?d|passphrase|credential|private[_-]?key|session[_-]?id|csrf)[\\w.-]{0,40}|(?:[\\w.-]{0,40}[_.-])?(?:token|auth|jwt|sig|signature|pwd))";
/** What may stand between name and value, with the quotes of JSON and of JSON in JSON, and percent-encoded. */
const IS = `\\\\{0,4}["']?\\s{0,3}(?:[:=]|%3[AaDd])\\s{0,3}\\\\{0,4}["']?`;
const EQUALS = `(?:=|%3[Dd])`;
/** A value, up to what ends one in a URL, in JSON, in a header and in prose. */
const VALUE = `[^\\s"'\`&;,<>\\\\(){}\\[\\]]`;
/** User and password in a URL; `%` begins an encoded character, of which `/` and `@` would be the end. */
const USERINFO = `(?:[^\\s"'\`<>/?#@%\\\\]|%(?!40|2[Ff])){1,600}`;

/** What looks like a secret, and what is put in its place. */
const RULES: ReadonlyArray<readonly [RegExp, string]> = [
  // Private keys as PEM (RFC 7468); to the end, when the text was cut.
  [
    /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|$(?![\s\S]))/g,
    MASK,
  ],
  // Headers whose whole value is secret, to the end of the line or of the string.
  [
    /\b((?:proxy-)?authorization|(?:set-)?cookie2?)(\\{0,4}["']?\s{0,3}[:=]\s{0,3}\\{0,4}["']?)[^"'\r\n\\]+/gi,
    `$1$2${MASK}`,
  ],
  // A scheme of Authorization by itself (RFC 9110, 11.4). "Basic authentication", in prose, has no such word after it.
  [
    /\b(bearer|basic|digest)((?:\s|%20|\+){1,3})(?:[\w.~+/%=-]{20,}|[\w.~+/%=-]{0,19}[\d=][\w.~+/%=-]{4,})/gi,
    `$1$2${MASK}`,
  ],
  // User and password of a URL (RFC 3986, 3.2.1), also where the whole URL is percent-encoded.
  [
    new RegExp(`\\b([a-z][a-z0-9+.-]{0,30}(?::|%3a)(?:/|%2f|\\\\{1,4}/){2})${USERINFO}(@|%40)`, "gi"),
    `$1${MASK}$2`,
  ],
  [new RegExp(`\\b(${NAME})(${IS})${VALUE}{4,}`, "gi"), `$1$2${MASK}`],
  // Names that are too common as words to be taken for a secret's elsewhere.
  [
    new RegExp(`([?&#]|%3[Ff]|%26|%23)(key|code|sid|session|state)(${EQUALS})${VALUE}{4,}`, "gi"),
    `$1$2$3${MASK}`,
  ],
  [new RegExp(`\\b(key)(${EQUALS})${VALUE}{8,}`, "gi"), `$1$2${MASK}`],
  // Keys that show by their form what they are: those of model hosts, code hosts, clouds and chat services.
  [
    /\b(?:sk|pk|rk|gsk|xai|hf|r8|ghp|gho|ghu|ghs|ghr|glpat|pplx|nvapi|tvly|fw|csk|xox[a-z]|github_pat)[_-][\w-]{10,}/g,
    MASK,
  ],
  [/\b(?:AKIA|ASIA|AIza)[\w-]{12,}/g, MASK],
  // JSON Web Tokens (RFC 7519).
  [/\beyJ[\w-]{5,}\.[\w-]{5,}(?:\.[\w-]*)?/g, MASK],
  // 32 and more hexadecimal digits, which keys often are, and what follows them after a point in some.
  [/\b[\da-f]{32,}(?:\.[\w-]{8,})?\b/gi, MASK],
];

/** What one rule has put in its place can make more of the text look like a secret to another. */
const MOST_PASSES = 4;

/** Takes out of a text what looks like a secret; nothing need be known for it. Doing it twice changes nothing more. */
export function maskPatterns(text: string): string {
  let masked = text;
  for (let pass = 0; pass < MOST_PASSES; pass += 1) {
    const before = masked;
    for (const [find, put] of RULES) masked = masked.replace(find, put);
    if (masked === before) break;
  }
  return masked;
}
