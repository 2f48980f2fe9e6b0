import { expect, it } from "vitest";
import { urlFilters } from "@/platform/navigations";

it("follows the hosts of match patterns, subdomains and the domain itself", () => {
  expect(
    urlFilters(["https://a.test/x*", "*://*.b.test/*", "http://127.0.0.1:8080/*", "https://a.test/y"]),
  ).toEqual([
    { hostEquals: "a.test" },
    { hostSuffix: ".b.test" },
    { hostEquals: "b.test" },
    { hostEquals: "127.0.0.1" },
  ]);
});

it("follows everything as soon as one pattern is for every host or none", () => {
  const all = [{ schemes: ["http", "https", "file"] }];
  for (const pattern of ["*://*/*", "<all_urls>", "file:///*", "http://*/x", "http://[::1]/*"]) {
    expect(urlFilters(["https://a.test/*", pattern])).toEqual(all);
  }
});
