/** Random rules and URLs that are likely to meet: both are put together from the same small parts. */
import fc from "fast-check";

const HOSTS = [
  "a.test",
  "www.a.test",
  "x.www.a.test",
  "b.test",
  "a.test.evil",
  "localhost",
  "127.0.0.1",
  "[::1]",
  "bücher.test",
  "a-b.test",
];
const RULE_HOSTS = [
  ...HOSTS,
  "*",
  "*.a.test",
  "*.test",
  "*a.test",
  "www.a.*",
  "a*.test",
  "*.a.*",
  "A.Test",
  "*.bücher.test",
  "127.0.0.*",
  "*.0.0.1",
  "a.test.",
  "xn--bcher-kva.test",
];
const PORTS = ["", "", "", ":80", ":443", ":3000", ":8443"];
const PIECES = [
  "/",
  "/",
  "foo",
  "FOO",
  "1",
  ".",
  "-",
  "?",
  "=",
  "&",
  "+",
  "%20",
  "%2F",
  "%2f",
  "%7E",
  "~",
  "%66",
  "é",
  "%C3%A9",
  "%c3%a9",
  "中",
  "{",
  "%7B",
  '"',
  "%22",
  "'",
  "\\",
  "%",
  "%ff",
  "%E2%84%AA",
  "%F0%9F%94%92",
  "%C3",
  "%A9",
  "%6",
  "%E2%80%AE",
  "(",
  "[x]",
  "$",
  "|",
  "^",
  "a.test",
  "www.a.test",
  "://",
  ":",
  "@",
];

const path = (pieces: string[]) =>
  fc.array(fc.constantFrom(...pieces), { maxLength: 6 }).map((parts) => `/${parts.join("")}`);

/** URLs as the browser writes them, with credentials and fragments now and then. */
export const urls: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom("http", "https", "https"),
    fc.constantFrom("", "", "", "", "user:pw@"),
    fc.constantFrom(...HOSTS, "a.test."),
    fc.constantFrom(...PORTS),
    path(PIECES),
    fc.constantFrom("", "", "", "#", "#frag", "#/foo", "#a.test/foo"),
  )
  .map(([scheme, user, host, port, rest, hash]) => `${scheme}://${user}${host}${port}${rest}${hash}`)
  .filter((url) => URL.canParse(url))
  .map((url) => new URL(url).href);

export const fileUrls: fc.Arbitrary<string> = path(PIECES).map((rest) => new URL(`file://${rest}`).href);

const rulePath = path([...PIECES, "*", "*", "*", "/*", "*?*"]).chain((text) =>
  fc.constantFrom(text, `${text}*`, `${text}/*`, "/*", "/*", "*", `*${text}`),
);

/** `@match` patterns, most of them usable. */
export const matchPatterns: fc.Arbitrary<string> = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom("<all_urls>", "*", "file:///*", "file:///foo/*", "*://*/*") },
  {
    weight: 8,
    arbitrary: fc
      .tuple(
        fc.constantFrom("http://", "https://", "*://", "http*://", ""),
        fc.constantFrom(...RULE_HOSTS),
        fc.constantFrom(...PORTS, ":*"),
        rulePath,
      )
      .map((parts) => parts.join("")),
  },
);

/** `@include` globs, most of them usable. */
export const globs: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 1,
    arbitrary: fc.constantFrom("*", "http*", "https*", "*a.test/*", "*foo*", "*://*?*", "file:///*", "h*"),
  },
  {
    weight: 8,
    arbitrary: fc
      .tuple(
        fc.constantFrom("http://", "https://", "*://", "http*://", "*//", ""),
        fc.constantFrom(...RULE_HOSTS, "a.test*", "*"),
        fc.constantFrom(...PORTS, ":*"),
        fc.oneof(rulePath, fc.constant("")),
      )
      .map((parts) => parts.join("")),
  },
);

const REGEX_PARTS = [
  "^",
  "https?",
  "http",
  "(?:http|https)",
  ":\\/\\/",
  "://",
  "(www\\.)?",
  "([^/]+\\.)?",
  "[^/]*",
  "[\\w-]+\\.",
  ".*",
  "a\\.test",
  "a.test",
  "(a|b)\\.test",
  "A\\.TEST",
  "localhost",
  "(:\\d+)?",
  ":3000",
  "\\/",
  "/",
  "foo",
  "\\d{1,2}",
  "[a-c]",
  "(?=h)",
  "(?!x)",
  "\\b",
  "$",
  "|",
  "127\\.0\\.0\\.\\d+",
  "(x|\\/)*",
  "\\x61",
  "\\u0061",
  "(?<n>a)",
  "[.]",
  "+",
  "?",
  "{2}",
];

/** Regular expressions between slashes, valid or not. */
export const regexes: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom("^https?:\\/\\/", "^http", "^", "", "(^https:|^http:)\\/\\/", "^\\w+://", "^.*://"),
    fc.array(fc.constantFrom(...REGEX_PARTS), { minLength: 1, maxLength: 7 }),
    fc.constantFrom("", "", "i", "u", "g", "s"),
  )
  .map(([start, parts, flags]) => `/${start}${parts.join("")}/${flags}`);
