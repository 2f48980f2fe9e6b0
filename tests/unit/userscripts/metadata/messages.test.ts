import { IntlMessageFormat } from "intl-messageformat";
import { describe, expect, it } from "vitest";
import { PROBLEM_CODES, PROBLEM_PARAMS } from "@/userscripts/metadata/problem-codes";
import { PROBLEM_MESSAGES as english } from "@/userscripts/metadata/problem-messages.en";
import { PROBLEM_MESSAGES as chinese } from "@/userscripts/metadata/problem-messages.zh-CN";

describe.each([
  ["en", english],
  ["zh-CN", chinese],
])("problem messages in %s", (locale, messages) => {
  it("are there for every code, and for no other", () => {
    expect(Object.keys(messages).sort()).toEqual([...PROBLEM_CODES].sort());
  });

  it.each(PROBLEM_CODES)("%s says no more than its parameters give", (code) => {
    const values = Object.fromEntries(PROBLEM_PARAMS[code].map((name) => [name, `<${name}>`]));
    const text = String(
      new IntlMessageFormat(messages[code], locale, undefined, { ignoreTag: true }).format(values),
    );
    expect(text).not.toContain("{");
    expect(text.length).toBeGreaterThan(5);
  });

  it.each(PROBLEM_CODES)("%s leaves out no parameter that English has", (code) => {
    const names = (text: string) => [...text.matchAll(/\{(\w+)/g)].map(([, name]) => name).sort();
    expect(new Set(names(messages[code]))).toEqual(new Set(names(english[code])));
  });
});
