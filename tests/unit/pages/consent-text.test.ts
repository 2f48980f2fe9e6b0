import { domainToUnicode } from "node:url";
import { decision } from "@tests/fixtures/pages/consent-data";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { filterDecisions, rowsOf } from "@/pages/options/consent/rows";
import { hostName } from "@/pages/shared/consent/host-name";
import { decodeLabel } from "@/pages/shared/consent/punycode";
import { untrustedText } from "@/pages/shared/consent/untrusted-text";

describe("untrustedText", () => {
  it.each([
    ["a plain name", "a plain name"],
    ["  two\r\n\tlines\u2028three  ", "two lines three"],
    ["evil\u202eexe.gnp", "evil\ufffdexe.gnp"],
    ["\u2066isolated\u2069", "\ufffdisolated\ufffd"],
    ["nothing\u200b\u2060\ufeffbetween", "nothing\ufffdbetween"],
    ["null\u0000 escape\u001b[31m", "null\ufffd escape\ufffd[31m"],
    ["tags\u{e0041}\u{e0042}", "tags\ufffd"],
    ["filler\u3164\u115f", "filler\ufffd"],
    ["\u202e\u200b \u0000", ""],
    ["", ""],
    ["می\u200cخواهم", "می\u200cخواهم"],
    ["👩\u200d💻 and ❤\ufe0f", "👩\u200d💻 and ❤\ufe0f"],
    ["half \ud83d", "half \ufffd"],
    [`z${"\u0301".repeat(60)}`, `z${"\u0301".repeat(4)}`],
  ])("%j is shown as %j", (text, shown) => {
    expect(untrustedText(text, 80)).toBe(shown);
  });

  it("keeps a text that fits, and cuts one that does not between characters", () => {
    expect(untrustedText("abcde", 5)).toBe("abcde");
    expect(untrustedText("abcdef", 5)).toBe("abcde…");
    expect(untrustedText("👩‍💻👩‍💻👩‍💻", 2)).toBe("👩‍💻👩‍💻…");
  });

  it("never lets through what is not seen or turns the line, and never more than was asked for", () => {
    const char = fc.oneof(
      fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
      fc.constantFrom("\u202e", "\u2067", "\u200b", "\n", "\u0000", "\u200d", "\ufe0f", "\u0301", "\ud800"),
    );
    fc.assert(
      fc.property(fc.array(char, { maxLength: 200 }), fc.integer({ min: 1, max: 60 }), (chars, max) => {
        const shown = untrustedText(chars.join(""), max);
        expect(shown.replace(/[\u200c\u200d]/g, "")).not.toMatch(/[\p{C}\u2028\u2029]/u);
        expect(shown).not.toMatch(/\p{M}{5}/u);
        expect([...new Intl.Segmenter("en").segment(shown)].length).toBeLessThanOrEqual(max + 1);
      }),
    );
  });

  it("costs nothing for a name of ten megabytes", () => {
    const start = performance.now();
    expect(untrustedText("\u202e\u0301x ".repeat(2_500_000), 80).length).toBeLessThan(400);
    expect(performance.now() - start).toBeLessThan(200);
  });
});

describe("decodeLabel", () => {
  it.each([
    ["example", "example"],
    ["xn--bcher-kva", "bücher"],
    ["xn--80ak6aa92e", "аррӏе"],
    ["xn--fiqs8s", "中国"],
    ["xn--mgba3a4f16a", "ایران"],
    ["xn--maana-pta", "mañana"],
    ["xn--q9jyb4c", "みんな"],
  ])("%s stands for %s", (label, text) => {
    expect(decodeLabel(label)).toBe(text);
  });

  it.each(["xn--", "xn--99999999999999", "xn--a_b", "xn--é", "xn--80ak6aa92"])(
    "%s stands for nothing",
    (label) => {
      const decoded = decodeLabel(label);
      // Either it is refused, or it is what the platform's own decoder makes of it.
      if (decoded !== null) expect(decoded).toBe(domainToUnicode(label) || decoded);
    },
  );

  it("gives back what the platform has encoded", () => {
    const letter = fc.constantFrom(..."abzéüßøčñłαβжщԛאبกงあア中国한글ёӏ");
    fc.assert(
      fc.property(fc.array(letter, { minLength: 1, maxLength: 20 }), (letters) => {
        const url = `http://${letters.join("")}.example/`;
        if (!URL.canParse(url)) return;
        const { hostname } = new URL(url);
        const unicode = domainToUnicode(hostname);
        expect(hostname.split(".").map(decodeLabel).join(".")).toBe(unicode);
      }),
    );
  });

  it("ends for every text", () => {
    fc.assert(fc.property(fc.string(), (text) => void decodeLabel(`xn--${text}`)));
  });
});

describe("hostName", () => {
  const of = (unicode: string) => hostName(new URL(`http://${unicode}/`).hostname);

  it.each([
    ["api.example.com", undefined, undefined],
    ["192.168.1.1", undefined, undefined],
    ["[::1]", undefined, undefined],
    ["bücher.example", "bücher.example", undefined],
    ["例え.jp", "例え.jp", undefined],
    ["пример.рф", "пример.рф", undefined],
    ["ελλάδα.gr", "ελλάδα.gr", undefined],
    ["google한국.example", "google한국.example", undefined],
    // Cyrillic а in a Latin word; Latin in a Cyrillic one.
    ["pаypal.com", "pаypal.com", "mixed"],
    ["приvет.example", "приvет.example", "mixed"],
    ["аррӏе.com", "аррӏе.com", "lookalike"],
    ["ехамрӏе.com", "ехамрӏе.com", "lookalike"],
  ])("%s reads %s, warning: %s", (host, readable, warning) => {
    const shown = of(host);
    expect(shown.readable).toBe(readable);
    expect(shown.warning).toBe(warning);
    expect(shown.ascii).toMatch(/^[\0-\x7f]+$/);
  });

  it("shows a name whole, however long, and says when Punycode stands for nothing", () => {
    const long = `paypal.com.${"a".repeat(60)}.${"b".repeat(60)}.${"c".repeat(60)}.evil.test`;
    expect(hostName(long).ascii).toBe(long);
    expect(hostName("xn--99999999999999.com").warning).toBe("undecodable");
  });

  it("takes whatever it is given", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(hostName(text).ascii).not.toMatch(/[\u202a-\u202e\n]/);
        hostName(`xn--${text}`);
      }),
    );
  });
});

describe("the rows of the decisions", () => {
  const a = decision({ subject: "script:a", subjectName: "A", host: "one.example", decidedAt: 1 });
  const b = decision({ subject: "script:b", subjectName: "B", host: "two.example", decidedAt: 3 });
  const c = decision({ subject: "script:a", subjectName: "A", host: "xn--bcher-kva.example", decidedAt: 2 });

  it("stand under who asked, the newest first", () => {
    expect(rowsOf([a, b, c]).map((row) => (row.kind === "group" ? row.name : row.entry.host))).toEqual([
      "B",
      "two.example",
      "A",
      "xn--bcher-kva.example",
      "one.example",
    ]);
  });

  it("are found by name, host in either form, words and kind", () => {
    const words = (): string => "Allowed";
    const found = (query: string, effect: "all" | "connect-private" = "all") =>
      filterDecisions([a, b, c], { query, effect, words });
    expect(found("A one")).toEqual([a]);
    expect(found("bücher")).toEqual([c]);
    expect(found("allowed")).toHaveLength(3);
    expect(found("", "connect-private")).toEqual([]);
  });
});
