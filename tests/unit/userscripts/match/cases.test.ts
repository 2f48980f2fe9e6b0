import { describe, expect, it } from "vitest";
import { browserRuns, isMatchPattern } from "./support/browser-model";
import { compiled, matched } from "./support/compiled";

const codes = (lines: string[]) => compiled(lines).problems.map(({ code, line }) => [code, line]);

describe("cases of URL matching", () => {
  it("C008 honours the port of @match", () => {
    const urls = ["http://localhost:3000/", "http://localhost:5000/", "http://localhost/"];
    expect(matched(["@match http://localhost:3000/"], urls)).toEqual(["http://localhost:3000/"]);
    expect(matched(["@match http://localhost/"], urls)).toEqual(urls);
    expect(matched(["@match http://localhost:*/"], urls)).toEqual(urls);
    const { registration } = compiled(["@match http://localhost:3000/"]).rules;
    expect(registration).toMatchObject({ matches: ["http://localhost:3000/"], needsCheck: false });
  });

  it("C008 takes the port in @include literally: none means the scheme's own", () => {
    const urls = ["http://localhost:3000/", "http://localhost:5000/", "http://localhost/"];
    expect(matched(["@include http://localhost:3000/*"], urls)).toEqual(["http://localhost:3000/"]);
    expect(matched(["@include http://localhost/*"], urls)).toEqual(["http://localhost/"]);
    expect(matched(["@include http://localhost:80/*"], urls)).toEqual(["http://localhost/"]);
    expect(matched(["@include http://localhost:*/*"], urls)).toEqual(urls);
    expect(matched(["@include http://localhost*"], urls)).toEqual(urls);
    expect(
      matched(["@include *://a.test:443/*"], ["https://a.test/", "http://a.test:443/", "http://a.test/"]),
    ).toEqual(["https://a.test/", "http://a.test:443/"]);
    const { registration } = compiled(["@include http://localhost:3000/*"]).rules;
    expect(registration).toMatchObject({ matches: ["http://localhost:3000/*"], needsCheck: false });
  });

  it("C010 drops a pattern that cannot be used, reports its line, and registers the rest", () => {
    const lines = ["@match https://a.test/*", "@match notsupported://*/*", "@match http://b.test/*"];
    const { rules, problems } = compiled(lines);
    expect(problems).toEqual([
      {
        severity: "warning",
        code: "match.unsupported-scheme",
        params: { key: "match", pattern: "notsupported://*/*", scheme: "notsupported" },
        line: 5,
      },
    ]);
    expect(rules.registration.matches).toEqual(["https://a.test/*", "http://b.test/*"]);
    expect(rules.test("https://a.test/") && rules.test("http://b.test/x")).toBe(true);
  });

  it.each([
    ["@match https://", "match.invalid-host"],
    ["@match https:///x", "match.invalid-host"],
    ["@match https://a test/*", "match.invalid-host"],
    ["@match https://u@a.test/*", "match.invalid-host"],
    ["@match https://[::1/*", "match.invalid-host"],
    ["@match https://a.test:0/*", "match.invalid-port"],
    ["@match https://a.test:99999/*", "match.invalid-port"],
    ["@match https://a.test:/*", "match.invalid-port"],
    ["@match chrome://settings/*", "match.unsupported-scheme"],
    ["@match about:blank", "match.unsupported-scheme"],
    ["@match javascript:alert(1)", "match.unsupported-scheme"],
    ["@match https?://a.test/*", "match.unsupported-scheme"],
    ["@match /^https:/", "match.regex"],
    ["@match //a.test/*", "match.not-a-url"],
    ["@match *://*.google.tld/*", "match.tld"],
    ["@include https://a.tld/*", "match.tld"],
    ["@include /foo(/", "match.invalid-regex"],
    ["@include /foo/xyz", "match.invalid-regex"],
    ["@include /foo", "match.not-a-url"],
    ["@include http(s)://a.test/*", "match.unsupported-scheme"],
    ["@include https://a.test:x/*", "match.invalid-port"],
    ["@exclude https://a.test/#x*", "match.fragment-dropped"],
    ["@exclude-match ftp://a.test/*", "match.unsupported-scheme"],
  ])("C010 isolates %s", (bad, code) => {
    const { rules, problems } = compiled([bad, "@match https://good.test/*"]);
    expect(problems.map((problem) => [problem.code, problem.line])).toEqual([[code, 4]]);
    expect(rules.registration.matches).toEqual(["https://good.test/*"]);
    expect(rules.test("https://good.test/")).toBe(true);
  });

  it("C010 says so when no line is left, and then matches nothing", () => {
    const { rules, problems } = compiled(["@match foo://*/*"]);
    expect(problems.map(({ code }) => code)).toEqual(["match.unsupported-scheme", "match.all-dropped"]);
    expect(rules.registration.matches).toEqual([]);
    expect(rules.test("https://a.test/")).toBe(false);
  });

  it("C011 collapses adjacent wildcards and takes any mix of * and ?", () => {
    const urls = ["https://a.test/", "https://a.test/x?y", "https://a.test/x?"];
    expect(matched(["@include *://*?*"], urls)).toEqual(urls.slice(1));
    expect(matched(["@include ***"], urls)).toEqual(urls);
    expect(matched(["@include https://**.test/**"], urls)).toEqual(urls);
    expect(matched(["@include https://a.test/*?"], urls)).toEqual(urls.slice(2));
    expect(matched(["@include https://a.test/**?**y**"], urls)).toEqual(urls.slice(1, 2));
    for (const glob of [
      "*://*?*",
      "***",
      "https://**.test/**",
      "**://**/**",
      "*?",
      "?*",
      "*??*",
      "http?://*",
    ]) {
      const { matches, includeGlobs } = compiled([`@include ${glob}`]).rules.registration;
      expect(matches.filter((pattern) => !isMatchPattern(pattern))).toEqual([]);
      expect([...matches, ...includeGlobs].join(" ")).not.toContain("**");
      // In the browser's globs ? is a wildcard, in match patterns it is not.
      expect(includeGlobs.join(" ")).not.toMatch(/(?<!\\)\?/);
    }
  });

  it("C011 matches many wildcards in time linear in the URL", () => {
    const { rules } = compiled([`@include https://a.test/${"*a".repeat(200)}b`]);
    const start = performance.now();
    expect(rules.test(`https://a.test/${"a".repeat(200_000)}`)).toBe(false);
    expect(performance.now() - start).toBeLessThan(500);
  });

  it("C013 reads http*:// as http and https", () => {
    const { rules, problems } = compiled(["@match http*://news.example/*"]);
    expect(problems).toEqual([]);
    expect(rules.registration).toMatchObject({ matches: ["*://news.example/*"], needsCheck: false });
    expect(rules.test("http://news.example/a") && rules.test("https://news.example/a")).toBe(true);
    expect(rules.test("file:///news.example/a")).toBe(false);
  });

  it("C014 reads a pattern without a scheme as http and https, with a warning", () => {
    const { rules, problems } = compiled(["@match site.test/*"]);
    expect(problems).toEqual([
      {
        severity: "warning",
        code: "match.no-scheme",
        params: { key: "match", pattern: "site.test/*", used: "*://site.test/*" },
        line: 4,
      },
    ]);
    expect(rules.registration).toMatchObject({ matches: ["*://site.test/*"], needsCheck: false });
    expect(
      matched(["@match site.test/*"], ["http://site.test/x", "https://site.test/", "file:///site.test/"]),
    ).toEqual(["http://site.test/x", "https://site.test/"]);
    expect(codes(["@match localhost:3000/*"])).toEqual([["match.no-scheme", 4]]);
    expect(codes(["@include site.test/*"])).toEqual([["match.no-scheme", 4]]);
    expect(
      matched(["@include *.site.test/*"], ["http://x.site.test/", "https://evil.test/x.site.test/"]),
    ).toEqual(["http://x.site.test/"]);
  });

  it("C017 takes all but * literally in globs", () => {
    const special = "_/+1/$(x)[y]{z}.^|~!@&=,;'";
    const url = `https://apis.test/${special}/page`;
    const other = "https://apis.test/other";
    for (const key of ["exclude", "exclude-match"]) {
      const lines = ["@match https://apis.test/*", `@${key} https://apis.test/${special}/*`];
      expect(matched(lines, [url, other])).toEqual([other]);
      const plain = ["@match https://apis.test/*", `@${key} https://apis.test/_/+1/*`];
      expect(matched(plain, ["https://apis.test/_/+1/a", "https://apis.test/__1/a", other])).toEqual([
        "https://apis.test/__1/a",
        other,
      ]);
    }
    expect(matched([`@include https://apis.test/${special}/*`], [url, other])).toEqual([url]);
    expect(
      matched(
        ["@include https://a.test/x.y?z"],
        ["https://a.test/x.y?z", "https://a.test/xay?z", "https://a.test/x.yz"],
      ),
    ).toEqual(["https://a.test/x.y?z"]);
    expect(
      matched(["@include https://a.test/?q=\\d*"], ["https://a.test/?q=\\d1", "https://a.test/?q=11"]),
    ).toEqual(["https://a.test/?q=\\d1"]);
  });

  it("C017 never lets the browser exclude what a glob does not", () => {
    const { registration } = compiled([
      "@match https://apis.test/*",
      "@exclude https://apis.test/_/+1/*",
    ]).rules;
    expect(registration.excludeGlobs).toEqual(["https://apis.test/_/+1/*"]);
    expect(registration.needsCheck).toBe(true);
    // The match pattern of that name would exclude this page too.
    expect(browserRuns(registration, "https://apis.test/_/+1")).toBe(true);
  });

  it("C019 keeps a wildcard in the host within the host", () => {
    const evil = [
      "https://evil.test/www.google.com/",
      "https://evil.test/?https://www.google.com/",
      "https://evil.test:8443/.google.com/",
      "https://user:x.google.com@evil.test/",
      "https://evil.test/#.google.com/",
    ];
    const good = ["https://www.google.com/", "https://a.b.google.com/search?q=1"];
    for (const line of [
      "@include https://*.google.com/*",
      "@include *://*.google.com/*",
      "@include http*://*.google.com/*",
      "@include *//*.google.com/*",
      "@include *.google.com/*",
      "@match https://*.google.com/*",
      "@match *.google.com/*",
    ]) {
      expect([line, matched([line], [...good, ...evil])]).toEqual([line, good]);
    }
    expect(
      matched(
        ["@include https://www.google.*/*"],
        ["https://www.google.de/", "https://evil.test/www.google.de/", "https://www.google.de.evil.test/"],
      ),
    ).toEqual(["https://www.google.de/", "https://www.google.de.evil.test/"]);
    expect(matched(["@include https://*google.com*"], [...good, ...evil.slice(0, 3)])).toEqual(good);
  });

  it("C019 checks again in the page where the browser's patterns are wider", () => {
    const { registration } = compiled(["@include https://*.google.com/*"]).rules;
    // Chrome's *.google.com is google.com too; the glob is not.
    expect(registration).toMatchObject({
      matches: ["https://*.google.com:443/*"],
      includeGlobs: [],
      needsCheck: true,
    });
    expect(compiled(["@include https://www.google.*/*"]).rules.registration.needsCheck).toBe(true);
  });

  it("C019 warns of a glob without a host part", () => {
    expect(codes(["@include *google.com/*"])).toEqual([["match.anywhere", 4]]);
    expect(matched(["@include *google.com/*"], ["https://evil.test/google.com/"])).toHaveLength(1);
  });

  it("C020 compares hosts as the browser writes them", () => {
    const url = "https://xn--bcher-kva.test/";
    for (const line of [
      "@match https://bücher.test/*",
      "@match https://BÜCHER.test/*",
      "@match https://xn--bcher-kva.test/*",
      "@match *://*.bücher.test/*",
      "@include https://bücher.test/*",
      "@include https://bücher.*/*",
      "@match https://bücher.test./*",
      "@match https://bücher。test/*",
    ]) {
      expect([line, matched([line], [url, "https://bucher.test/"])]).toEqual([line, [url]]);
    }
    expect(compiled(["@match https://bücher.test/*"]).rules.registration.matches).toEqual([`${url}*`]);
    expect(
      matched(["@match https://A.Test/*"], ["https://a.test/", "https://A.TEST/", "https://a.test./"]),
    ).toHaveLength(3);
    expect(matched(["@match http://127.1/*"], ["http://127.0.0.1/"])).toHaveLength(1);
    expect(matched(["@match http://[::0001]:8080/*"], ["http://[::1]:8080/"])).toHaveLength(1);
  });

  it("C020 compares paths whether characters are percent-encoded or not", () => {
    const urls = ["https://a.test/中/x", "https://a.test/%E4%B8%AD/x", "https://a.test/%e4%b8%ad/x"];
    for (const path of ["/中/*", "/%E4%B8%AD/*", "/%e4%b8%ad/*"]) {
      for (const key of ["match", "include"]) {
        expect([path, key, matched([`@${key} https://a.test${path}`], urls)]).toEqual([path, key, urls]);
      }
    }
    expect(
      matched(["@match https://a.test/~user"], ["https://a.test/%7Euser", "https://a.test/%7euser"]),
    ).toHaveLength(2);
    expect(matched(["@match https://a.test/%7Euser"], ["https://a.test/~user"])).toHaveLength(1);
    expect(
      matched(["@match https://a.test/a b?c d*"], ["https://a.test/a%20b?c%20d", "https://a.test/a b?c d"]),
    ).toHaveLength(2);
    // An encoded slash is no slash.
    expect(matched(["@match https://a.test/a/b"], ["https://a.test/a%2Fb"])).toEqual([]);
    expect(compiled(["@match https://a.test/中/*"]).rules.registration).toMatchObject({
      matches: ["https://a.test/%E4%B8%AD/*"],
      needsCheck: false,
    });
  });

  it("C016 makes a pattern that the page itself matches", async () => {
    const { patternForPage } = await import("@/userscripts/match");
    for (const [url, pattern] of [
      ["https://a.test/", "https://a.test/*"],
      ["https://a.test/x/y.html?q=1#frag", "https://a.test/x/y.html*"],
      ["http://localhost:3000/#/route", "http://localhost:3000/*"],
      ["https://bücher.test/中?x", "https://xn--bcher-kva.test/%E4%B8%AD*"],
      ["https://u:p@a.test/**", "https://a.test/*"],
      ["http://[::1]:8080/x", "http://[::1]:8080/x*"],
      ["file:///C:/a%20b.html#x", "file:///C:/a%20b.html*"],
    ] as const) {
      expect(patternForPage(url)).toBe(pattern);
      const { rules, problems } = compiled([`@match ${pattern}`]);
      expect([url, rules.test(url), problems, rules.registration.needsCheck]).toEqual([url, true, [], false]);
    }
    for (const url of ["about:blank", "chrome://settings/", "data:text/html,x", "nonsense", ""]) {
      expect(patternForPage(url)).toBeNull();
    }
  });
});
