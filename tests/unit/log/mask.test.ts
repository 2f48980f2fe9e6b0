import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MASK, maskPatterns } from "@/log/mask";
import { SecretList } from "@/log/secret-list";
import { MIN_SECRET, PIECE, SecretFinder } from "@/log/secrets";

/** What keys are made of, and what headers can carry besides. */
const key = fc.string({
  minLength: 12,
  maxLength: 80,
  unit: fc.oneof(
    {
      weight: 8,
      arbitrary: fc.constantFrom(..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"),
    },
    { weight: 2, arbitrary: fc.constantFrom(..."-_.:/+=~|$^*()[]{}?\\\"'`&%#@! ,;<>") },
    { weight: 1, arbitrary: fc.constantFrom("ä", "ß", "é", "ÿ") },
  ),
});
const around = fc.string({ maxLength: 60, unit: "binary" });

const percentAll = (text: string) =>
  Array.from(new TextEncoder().encode(text), (byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
const base64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));
const urlBase64 = (text: string) => base64(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");

function finder() {
  const list = new SecretList();
  const found = new SecretFinder(list);
  return {
    know: (secret: string) => list.know(secret),
    mask: (text: string, mark: string) => found.mask(text, mark),
  };
}

/** Text with the key in it, and how to read the key out of what is left of it. */
type Spelling = { name: string; write(text: string): string; read(text: string): string[] };
const unbase64 = (text: string): string[] =>
  (text.match(/[\w+/-]{4,}/g) ?? []).flatMap((run) =>
    [0, 1, 2, 3].map((skip) => {
      const plain = run.slice(skip).replaceAll("-", "+").replaceAll("_", "/");
      const whole = plain.slice(0, plain.length - (plain.length % 4));
      const bytes = Uint8Array.from(atob(whole), (c) => c.charCodeAt(0));
      return new TextDecoder().decode(bytes);
    }),
  );
const SPELLINGS: Spelling[] = [
  { name: "as it is", write: (t) => t, read: (t) => [t] },
  { name: "in JSON", write: (t) => JSON.stringify({ t }), read: (t) => [t, t.replaceAll("\\", "")] },
  {
    name: "in JSON in JSON",
    write: (t) => JSON.stringify(JSON.stringify({ t })),
    read: (t) => [t.replaceAll("\\", "")],
  },
  {
    name: "percent-encoded",
    write: (t) => encodeURIComponent(t.toWellFormed()),
    read: (t) => [t, safeDecode(t)],
  },
  { name: "wholly percent-encoded", write: percentAll, read: (t) => [t, safeDecode(t)] },
  {
    name: "percent-encoded twice",
    write: (t) => encodeURIComponent(encodeURIComponent(t.toWellFormed())),
    read: (t) => [safeDecode(safeDecode(t))],
  },
  {
    name: "in a query",
    write: (t) => new URLSearchParams({ q: t }).toString(),
    read: (t) => [safeDecode(t.replaceAll("+", " "))],
  },
  { name: "in base64", write: base64, read: unbase64 },
  { name: "in base64url", write: urlBase64, read: unbase64 },
];

function safeDecode(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (run) =>
    new TextDecoder().decode(Uint8Array.from(run.split("%").slice(1), (hex) => Number.parseInt(hex, 16))),
  );
}

describe.each(SPELLINGS)("a known secret $name", ({ write, read }) => {
  it("is found wherever it stands", () => {
    fc.assert(
      fc.property(around, key, around, (before, secret, after) => {
        const known = finder();
        known.know(secret);
        const masked = known.mask(write(before + secret + after), MASK);
        expect(masked).toContain(MASK);
        for (const text of read(masked)) expect(text.includes(secret)).toBe(false);
      }),
      { numRuns: 300 },
    );
  });
});

describe("known secrets", () => {
  it("are found when they are cut, or only in part percent-encoded", () => {
    fc.assert(
      fc.property(key, fc.nat(), fc.array(fc.boolean()), (secret, from, which) => {
        const known = finder();
        known.know(secret);
        const start = from % (secret.length - PIECE + 1);
        expect(known.mask(`was ${secret.slice(start)}`, MASK)).not.toContain(
          secret.slice(start, start + PIECE),
        );
        const mixed = Array.from(secret, (c, at) =>
          which[at % (which.length || 1)] ? percentAll(c) : c,
        ).join("");
        expect(safeDecode(known.mask(`at ${mixed}.`, MASK))).not.toContain(secret);
      }),
    );
  });

  it("leave other text as it was", () => {
    const known = finder();
    known.know("Zx81-spectrum-128k");
    const text = "Registering the scripts failed: disk full.";
    expect(known.mask(text, MASK)).toBe(text);
  });

  it("of fewer characters than hide anything are not looked for", () => {
    const known = finder();
    known.know("ollama".slice(0, MIN_SECRET - 1));
    expect(known.mask("Set up ollama first.", MASK)).toBe("Set up ollama first.");
  });

  it("are kept in a bounded number, the newest", () => {
    const known = finder();
    for (let at = 0; at < 150; at += 1) known.know(`secret-number-${at}-${"x".repeat(at)}`);
    expect(known.mask("a secret-number-149-xx b", MASK)).not.toContain("149");
  });
});

/** What must go, and what of the line must stay so that it still says something. */
const LINES: ReadonlyArray<readonly [line: string, secret: string, stays: string]> = [
  ["Authorization: Bearer abcdefgh12345678 refused", "abcdefgh12345678", "Authorization: "],
  ['{"authorization":"Bearer abc.def.ghi","x":1}', "abc.def.ghi", '"x":1'],
  ['{\\"x-api-key\\":\\"0123456789abcdef\\",\\"n\\":1}', "0123456789abcdef", '\\"n\\":1'],
  ["x-api-key: k3y-of-mine; retry", "k3y-of-mine", "retry"],
  ["Cookie: sid=1234; theme=dark\nAccept: */*", "1234", "Accept: */*"],
  ["Set-Cookie: a=b; HttpOnly", "a=b", "Set-Cookie"],
  ["sent Bearer 4f1b2c3d9e8a to host", "4f1b2c3d9e8a", "to host"],
  ["Basic dXNlcjpwYXNzd29yZA== refused", "dXNlcjpwYXNzd29yZA", "refused"],
  ["Incorrect API key provided: sk-proj-abcDEF123456_789.", "abcDEF123456", "Incorrect API key provided"],
  ["key AIzaSyA1234567890abcdefghijk is bad", "SyA1234567890", "is bad"],
  ["token ghp_16C7e42F292c6912E7710c838347Ae178B4a", "16C7e42F", "token"],
  ["https://api.example.com/v1?key=qwertyuiop&model=x", "qwertyuiop", "&model=x"],
  ["https://api.example.com/v1?a=1&access_token=tok-12345&b=2", "tok-12345", "&b=2"],
  ["to=https%3A%2F%2Fx.example%2F%3Faccess_token%3Dabcd1234", "abcd1234", "x.example"],
  ["https://lena:hunter2@example.com/path failed", "hunter2", "example.com/path failed"],
  ["https%3A%2F%2Flena%3Ahunter2%40example.com%2Fpath", "hunter2", "example.com"],
  ["https://lena:p%40ss@example.com/", "p%40ss", "example.com"],
  ["password=correct-horse", "correct-horse", "password="],
  ['"client_secret": "abcd-efgh"', "abcd-efgh", "client_secret"],
  ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl end", "eyJzdWIiOiIxIn0", "end"],
  ["-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY----- x", "MIIEow", " x"],
  ["-----BEGIN PRIVATE KEY-----\nMIIEow\nabc", "MIIEow", MASK],
  ["d41d8cd98f00b204e9800998ecf8427e.AbCdEfGhIj refused", "AbCdEfGhIj", "refused"],
];

describe("patterns of secrets", () => {
  it.each(LINES)("%s", (line, secret, stays) => {
    const masked = maskPatterns(line);
    expect(masked).not.toContain(secret);
    expect(masked).toContain(MASK);
    expect(masked).toContain(stays);
  });

  it.each([
    "Basic authentication is not supported.",
    "IndexedDB has no key 17 in the object store.",
    "run 0b54f1d6-6a0e-4e0e-9c55-0c1df3ad2b7c failed",
    "https://example.com/a/b?page=2#top could not be reached",
    "TypeError: Cannot read properties of undefined (reading 'token')",
    "at f (chrome-extension://abcdefghijklmnopabcdefghijklmnop/core.js:1:2345)",
    "Wait for mail@example.com",
  ])("leave alone: %s", (line) => {
    expect(maskPatterns(line)).toBe(line);
  });

  it("change nothing more when used twice", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 200 }),
      fc
        .array(fc.constantFrom(...LINES.map(([line]) => line), " ", "@", "://", "=", "%40", "'", "key="), {
          maxLength: 6,
        })
        .map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(text, (line) => {
        expect(maskPatterns(maskPatterns(line))).toBe(maskPatterns(line));
      }),
      { numRuns: 2_000 },
    );
  });

  it("change nothing more where what one rule leaves is a secret to another", () => {
    const line = "x://key=https://lena:hunter2@example.com/path failed";
    expect(maskPatterns(maskPatterns(line))).toBe(maskPatterns(line));
  });

  it("take time in proportion to the text, whatever it is", () => {
    for (const part of [
      "a-",
      "a.b_",
      "sk-",
      "token",
      "key=",
      "http://",
      "%3A%2F",
      "\\",
      "bearer ",
      "0",
      "eyJ.",
      "x:",
      "-----BEGIN PRIVATE KEY-----",
    ]) {
      const text = part.repeat(40_000 / part.length);
      const started = performance.now();
      maskPatterns(text);
      const known = finder();
      known.know("a-a-a-a-a-a-secret/%\\x");
      known.mask(text, MASK);
      expect(performance.now() - started, part).toBeLessThan(1_500);
    }
  });
});
