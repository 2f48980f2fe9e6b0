import { IntlMessageFormat } from "intl-messageformat";
import { describe, expect, it } from "vitest";
import { english } from "@/locales";
import type { Catalogue, MessageKey } from "@/locales/catalogue";
import { chinese } from "@/locales/chinese";

type Node = { type: number; value?: string; options?: Record<string, { value: Node[] }> };

/** The names of all parameters of an ICU message, those inside of plurals included. */
function namesIn(message: string): string[] {
  const names = new Set<string>();
  const walk = (nodes: Node[]): void => {
    for (const node of nodes) {
      // 0 is literal text, 7 the "#" of a plural; everything else names a parameter.
      if (node.type !== 0 && node.type !== 7 && node.value !== undefined) names.add(node.value);
      for (const option of Object.values(node.options ?? {})) walk(option.value);
    }
  };
  walk(new IntlMessageFormat(message, "en", undefined, { ignoreTag: true }).getAst() as Node[]);
  return [...names].sort();
}

const all = (catalogue: Catalogue): Record<string, string> => ({
  ...catalogue.problems,
  ...catalogue.messages,
});

describe.each([english, chinese])("the catalogue of $language", (catalogue) => {
  it("has only messages that ICU can read, and no empty one", () => {
    for (const [key, message] of Object.entries(all(catalogue))) {
      expect(message.trim(), key).not.toBe("");
      expect(() => namesIn(message), key).not.toThrow();
    }
  });

  it("has words for the same problems as English", () => {
    expect(Object.keys(catalogue.problems).sort()).toEqual(Object.keys(english.problems).sort());
  });

  it("asks for the same parameters as English", () => {
    const mine = all(catalogue);
    for (const [key, message] of Object.entries(all(english))) {
      expect(namesIn(mine[key] ?? ""), key).toEqual(namesIn(message));
    }
  });

  it("speaks to people without shouting", () => {
    for (const [key, message] of Object.entries(catalogue.messages))
      expect(message, key).not.toMatch(/[!！]/);
  });
});

it("Chinese is Chinese: what has words in English is not left in Latin letters", () => {
  const same = (Object.keys(english.messages) as MessageKey[]).filter(
    (key) => chinese.messages[key] === english.messages[key] && /[a-z]{3}/i.test(english.messages[key]),
  );
  // Names of products, protocols and keys, and addresses.
  expect(same.sort()).toEqual([
    "install.url.example",
    "key.escape",
    "models.field.url.example",
    "models.provider.anthropic",
    "models.provider.openai-compatible",
    "product.name",
  ]);
});
