import { describe, expect, it } from "vitest";
import { canMeet } from "@/userscripts/match";
import { compiled } from "./support/compiled";

const meet = (a: string, b: string) => {
  const [left, right] = [compiled([a]).rules, compiled([b]).rules];
  expect(canMeet(left, right)).toBe(canMeet(right, left));
  return canMeet(left, right);
};

describe("canMeet", () => {
  it.each([
    ["@match https://a.test/*", "@match https://b.test/*"],
    ["@match https://a.test/*", "@match http://a.test/*"],
    ["@match https://a.test/*", "@match https://*.b.test/*"],
    ["@match https://*.a.test/*", "@match https://*.b.test/*"],
    ["@match https://ba.test/*", "@match https://*.a.test/*"],
    ["@match http://localhost:3000/*", "@match http://localhost:4000/*"],
    ["@match file:///*", "@match *://*/*"],
    ["@include /^https:\\/\\/a\\.test\\//", "@match https://b.test/*"],
    ["@match foo://x/*", "@match <all_urls>"],
  ])("is false for %s and %s, whose hosts are apart", (a, b) => {
    expect(meet(a, b)).toBe(false);
  });

  it.each([
    ["@match https://a.test/x", "@match https://a.test/y"],
    ["@match https://x.a.test/*", "@match *://*.a.test/*"],
    ["@match https://a.test/*", "@match *://*.a.test/*"],
    ["@match https://*.a.test/*", "@match https://*.x.a.test/*"],
    ["@match https://a.test:8443/*", "@match https://a.test/*"],
    ["@match <all_urls>", "@match file:///x"],
    ["@match <all_urls>", "@match https://a.test/*"],
    ["@include https://www.google.*/*", "@match https://a.test/*"],
    ["@include /x/", "@match file:///x"],
    ["@match http://[::1]/*", "@match http://[::1]:80/*"],
  ])("is true for %s and %s", (a, b) => {
    expect(meet(a, b)).toBe(true);
  });
});
