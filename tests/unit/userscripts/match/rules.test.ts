import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileRules, serializeRules, testRules } from "@/userscripts/match";
import { urls as anyUrl } from "./support/arbitraries";
import { compiled, matched, metadataOf } from "./support/compiled";

describe("@match", () => {
  it.each([
    ["<all_urls>", ["http://a.test/", "https://a.test/x", "file:///x"]],
    ["*", ["http://a.test/", "https://a.test/x", "file:///x"]],
    ["*://*/*", ["http://a.test/", "https://a.test/x"]],
    ["https://*/x", ["https://a.test/x"]],
    ["file:///*", ["file:///x"]],
    ["file://*", ["file:///x"]],
    ["file://localhost/x", ["file:///x"]],
    ["http://a.test", ["http://a.test/"]],
    ["*://*a.test/*", ["http://a.test/", "https://a.test/x"]],
  ])("%s takes the pages it says", (pattern, expected) => {
    expect(
      matched(
        [`@match ${pattern}`],
        ["http://a.test/", "https://a.test/x", "file:///x", "ftp://a.test/", "about:blank"],
      ),
    ).toEqual(expected);
  });

  it("takes in the domain itself with *. and does not look into IP addresses", () => {
    expect(
      matched(["@match *://*.a.test/*"], ["http://a.test/", "http://x.y.a.test/", "http://ba.test/"]),
    ).toEqual(["http://a.test/", "http://x.y.a.test/"]);
    expect(matched(["@match *://*.0.0.1/*"], ["http://127.0.0.1/"])).toEqual([]);
  });

  it("looks at the query, not at the fragment, and the case of the path counts", () => {
    const urls = [
      "https://a.test/x",
      "https://a.test/x#f",
      "https://a.test/x?q",
      "https://a.test/X",
      "https://a.test/x?",
    ];
    expect(matched(["@match https://a.test/x"], urls)).toEqual(urls.slice(0, 2));
    expect(matched(["@match https://a.test/x?*"], urls)).toEqual(["https://a.test/x?q", "https://a.test/x?"]);
  });

  it("matches the path without its final /* too, as Chrome does", () => {
    const urls = ["https://a.test/x", "https://a.test/x/", "https://a.test/x/y", "https://a.test/xy"];
    expect(matched(["@match https://a.test/x/*"], urls)).toEqual(urls.slice(0, 3));
    expect(matched(["@include https://a.test/x/*"], urls)).toEqual(urls.slice(1, 3));
  });

  it("reads a rule with a fragment without it, and says so", () => {
    const { rules, problems } = compiled(["@match https://a.test/#/inbox*"]);
    expect(problems.map(({ code, params }) => [code, params.used])).toEqual([
      ["match.fragment", "https://a.test/"],
    ]);
    expect(rules.test("https://a.test/#/inbox/1") && rules.test("https://a.test/")).toBe(true);
    expect(rules.test("https://a.test/other")).toBe(false);
  });
});

describe("@include globs", () => {
  it("do not look at the case, as in other managers", () => {
    const urls = ["https://a.test/Foo/1", "https://a.test/foo/1", "https://a.test/bar/1"];
    expect(matched(["@include HTTPS://A.test/FOO/*"], urls)).toEqual(urls.slice(0, 2));
    expect(compiled(["@include https://a.test/foo/1*"]).rules.registration).toMatchObject({
      matches: ["https://a.test:443/*/1*"],
      needsCheck: true,
    });
    expect(compiled(["@include https://a.test/*"]).rules.registration).toMatchObject({
      matches: ["https://a.test:443/*"],
      needsCheck: false,
    });
  });

  it.each([
    ["http*", ["http://a.test/", "https://a.test/x?y"]],
    ["https*", ["https://a.test/x?y"]],
    ["http:*", ["http://a.test/"]],
    ["*x?y", ["https://a.test/x?y"]],
    ["file:///*", ["file:///x"]],
    ["https://a.test", []],
    ["http://a.test", ["http://a.test/"]],
    ["http://a.test*", ["http://a.test/"]],
    ["https://a.test?x=1", []],
    ["https://*/x?y", ["https://a.test/x?y"]],
  ])("%s takes the pages it says", (glob, expected) => {
    expect(
      matched([`@include ${glob}`], ["http://a.test/", "https://a.test/x?y", "file:///x", "about:blank"]),
    ).toEqual(expected);
  });
});

describe("regular expressions", () => {
  const google = "/^https?:\\/\\/www\\.google\\.com\\/search/";

  it("see the whole URL without fragment and credentials, whatever its case", () => {
    expect(
      matched(
        [`@include ${google}`],
        [
          "https://www.google.com/SEARCH?q",
          "https://evil.test/https://www.google.com/search",
          "https://u:p@www.google.com/search",
        ],
      ),
    ).toEqual(["https://www.google.com/SEARCH?q", "https://u:p@www.google.com/search"]);
    expect(matched(["@include /x$/"], ["https://a.test/x#y"])).toHaveLength(1);
    expect(matched(["@include /y/"], ["https://a.test/x#y"])).toEqual([]);
  });

  it("give the same answer each time, with flags that keep state too", () => {
    const { rules } = compiled(["@include /a/g", "@exclude /b/y"]);
    expect([1, 2, 3].map(() => rules.test("https://a.test/"))).toEqual([true, true, true]);
  });

  it.each([
    [google, ["http://www.google.com:80/*", "https://www.google.com:443/*"], 0],
    [
      "/^https?:\\/\\/(www\\.)?example\\.com\\/.*$/",
      [
        "http://example.com:80/*",
        "http://www.example.com:80/*",
        "https://example.com:443/*",
        "https://www.example.com:443/*",
      ],
      0,
    ],
    ["/^https:\\/\\/[^\\/]+\\.a\\.test\\//", ["https://*.a.test:443/*"], 0],
    [
      "/^https:\\/\\/(?:a|b)\\.test(?::8443)?\\//i",
      ["https://a.test:443/*", "https://a.test:8443/*", "https://b.test:443/*", "https://b.test:8443/*"],
      0,
    ],
    [
      "/^https:\\/\\/[ab]\\.test\\/x|^http:\\/\\/c\\.test\\//",
      ["http://c.test:80/*", "https://a.test:443/*", "https://b.test:443/*"],
      0,
    ],
    ["/^file:\\/\\/\\/home/", ["file:///*"], 0],
    ["/^https:\\/\\/.*x/", ["https://*/*"], 0],
    ["/^https:\\/\\/a\\.test/", ["http://nothing.invalid/"], 2],
    ["/google\\.com/", ["<all_urls>"], 0],
    ["/^https:\\/\\/a\\.test\\/|b/", ["<all_urls>"], 0],
    ["/^(https:\\/\\/a\\.test\\/)?x/", ["https://a.test:443/*"], 0],
    ["/^(https:\\/\\/a\\.test\\/)?h/", ["http://*/*", "https://*/*", "https://a.test:443/*"], 0],
    ["/^https:\\/\\/a\\.test\\//v", ["<all_urls>"], 0],
  ])("%s is registered for %j", (regex, matches, globs) => {
    const { registration } = compiled([`@include ${regex}`]).rules;
    expect([...registration.matches].sort()).toEqual(matches);
    expect(registration.includeGlobs).toHaveLength(globs);
    expect(registration.needsCheck).toBe(true);
  });

  it("are read in bounded time, however they are nested", () => {
    const sources = [
      "(".repeat(5_000) + ")".repeat(5_000),
      "(a|b)".repeat(2_000),
      "(((a?){8}){8}){8}",
      "[a-z]?".repeat(2_000),
    ];
    for (const source of sources) {
      const start = performance.now();
      const { rules } = compiled([`@include /^https:\\/\\/${source}\\//`]);
      expect(rules.registration.matches.length + rules.registration.includeGlobs.length).toBeLessThan(600);
      expect(performance.now() - start).toBeLessThan(1_500);
    }
  });
});

describe("exclusions", () => {
  it("take away what the browser can express and leave the rest to the page", () => {
    const { registration } = compiled([
      "@match *://*/*",
      "@exclude-match https://a.test/no/*",
      "@exclude https://b.test/1*",
      "@exclude https://*.c.test/*",
      "@exclude /d/",
    ]).rules;
    expect(registration.excludeMatches).toEqual(["https://a.test/no/*", "https://b.test:443/1*"]);
    expect(registration.excludeGlobs).toEqual([]);
    expect(registration.needsCheck).toBe(true);
  });

  it("are exact in the browser when all of them can be said", () => {
    const { registration } = compiled([
      "@match *://*/*",
      "@exclude-match https://a.test/no/*",
      "@exclude https://b.test/1*",
    ]).rules;
    expect(registration.needsCheck).toBe(false);
  });
});

describe("compileRules", () => {
  it("adds a person's rules to the script's, or puts them in their place", () => {
    const metadata = metadataOf("@match https://a.test/*", "@exclude https://a.test/no*");
    const urls = ["https://a.test/", "https://a.test/no", "https://b.test/", "https://b.test/x"];
    const runsOn = (user: Parameters<typeof compileRules>[1]) =>
      urls.filter((url) => compileRules(metadata, user).rules.test(url));
    expect(runsOn({ matches: ["https://b.test/*"] })).toEqual([
      "https://a.test/",
      "https://b.test/",
      "https://b.test/x",
    ]);
    expect(runsOn({ includes: ["https://b.test/x"], replace: true })).toEqual(["https://b.test/x"]);
    expect(runsOn({ excludes: ["/./"] })).toEqual([]);
    expect(runsOn({ replace: true })).toEqual([]);
    expect(compileRules(metadata, { matches: ["x://y/"] }).problems.map(({ line }) => line)).toEqual([0]);
  });

  it("says so when a script has no rule, and then matches nothing, unless it needs no page", () => {
    expect(compiled([]).problems.map(({ code, severity }) => [code, severity])).toEqual([
      ["match.none", "warning"],
    ]);
    expect(compiled([]).rules.test("https://a.test/")).toBe(false);
    expect(compiled(["@background"]).problems).toEqual([]);
    expect(compiled(["@crontab * * * * *"]).problems).toEqual([]);
  });

  it("is false for what is no page, and never throws", () => {
    const { rules } = compiled(["@match <all_urls>", "@include *"]);
    for (const url of [
      "",
      "x",
      "about:blank",
      "about:srcdoc",
      "blob:https://a.test/1",
      "data:text/html,x",
      "chrome://settings",
      "chrome-extension://x/y",
      "https://",
      "ftp://a.test/",
      "\0",
    ]) {
      expect([url, rules.test(url)]).toEqual([url, false]);
    }
  });

  it("serialises to JSON for the page", () => {
    const { rules } = compiled([
      "@match https://a.test/中*",
      "@include /x/i",
      "@include *y*",
      "@exclude https://a.test/z",
    ]);
    const json = JSON.parse(JSON.stringify(serializeRules(rules)));
    expect(json).toEqual(serializeRules(rules));
    expect(testRules(json, "https://a.test/%E4%B8%AD")).toBe(true);
    expect(testRules(json, "https://a.test/Z")).toBe(false);
  });
});

/** Globs by the letter: every part of the URL on its own, by backtracking over characters. */
function naiveGlob(glob: string, text: string): boolean {
  if (glob === "") return text === "";
  if (glob.startsWith("*"))
    return naiveGlob(glob.slice(1), text) || (text !== "" && naiveGlob(glob, text.slice(1)));
  return text !== "" && glob.charAt(0) === text.charAt(0) && naiveGlob(glob.slice(1), text.slice(1));
}

describe("globs, compared with a naive reading", () => {
  const part = (letters: string[], max: number) =>
    fc.array(fc.constantFrom(...letters), { maxLength: max }).map((parts) => parts.join(""));
  it("agree", () => {
    const host = part(["a", "b", "*", "*", "."], 5).filter(
      (text) => /^[ab*](?:[ab.*]*[ab*])?$/.test(text) && !/\.\./.test(text),
    );
    const path = part(["a", "B", "/", "?", "*", "*", "=", "+"], 6);
    const plainHost = fc.constantFrom("a", "b", "ab", "a.b", "b.a.b", "aa.bb");
    const plainPath = part(["a", "b", "B", "/", "?", "=", "+"], 6);
    fc.assert(
      fc.property(host, path, plainHost, plainPath, (ruleHost, rulePath, urlHost, urlPath) => {
        const { rules } = compileRules(metadataOf(), { includes: [`https://${ruleHost}/${rulePath}`] });
        const url = `https://${urlHost}/${urlPath}`;
        const expected =
          naiveGlob(ruleHost, urlHost) &&
          naiveGlob(`/${rulePath}`.toLowerCase(), `/${urlPath}`.toLowerCase());
        expect([ruleHost, rulePath, url, rules.test(url)]).toEqual([ruleHost, rulePath, url, expected]);
      }),
      { numRuns: 5_000 },
    );
  });

  it("agree on whole URLs", () => {
    // Globs that begin with a host, and URLs that are written in more than one way, are the matter of other tests.
    const glob = part(["a", "/", ".", "*", "test"], 5).filter((text) => !/^\**(?:\.|\/\/)/.test(text));
    const url = anyUrl.filter((text) => !/%|\?$|@|\.(?=[/:])/.test(text));
    fc.assert(
      fc.property(glob, url, (inner, href) => {
        const { rules } = compileRules(metadataOf(), { includes: [`*${inner}*`] });
        const whole = href.split("#", 1).join("").toLowerCase();
        expect([inner, href, rules.test(href)]).toEqual([inner, href, naiveGlob(`*${inner}*`, whole)]);
      }),
      { numRuns: 2_000 },
    );
  });
});
