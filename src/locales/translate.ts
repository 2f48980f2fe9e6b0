import { IntlMessageFormat } from "intl-messageformat";
import type { Catalogue, MessageKey, Messages, ProblemLike } from "./catalogue";
import type { Language } from "./language";
import type { ParamsOf, Value } from "./params";

/** Says things in one language. `t("key", { … })` is checked against the message's own placeholders. */
export interface Translate {
  <K extends MessageKey>(key: K, ...params: ParamsOf<Messages[K]>): string;
  /** For a key that is only known at run time, such as `models.diagnosis.${code}`; the parameters are not checked. */
  any(key: MessageKey, params?: Record<string, Value>): string;
  /** A userscript problem in words. */
  problem(problem: ProblemLike): string;
  /** "a, b and c" in the language's own way. */
  list(items: readonly string[]): string;
  language: Language;
}

/** A translator over a catalogue. Formats are compiled on first use and kept. */
export function createTranslate(catalogue: Catalogue): Translate {
  const { language, messages, problems } = catalogue;
  const compiled = new Map<string, IntlMessageFormat>();
  const listFormat = new Intl.ListFormat(language, { type: "conjunction" });

  const format = (text: string, params: Record<string, Value>): string => {
    // Most messages hold no placeholder; an apostrophe is special in ICU only when doubled or before a brace.
    if (!text.includes("{") && !text.includes("''")) return text;
    let message = compiled.get(text);
    if (!message) {
      message = new IntlMessageFormat(text, language, undefined, { ignoreTag: true });
      compiled.set(text, message);
    }
    return String(message.format(params));
  };

  const translate = (key: MessageKey, params: Record<string, Value> = {}): string =>
    format(messages[key], params);

  return Object.assign(translate, {
    any: translate,
    problem: ({ code, params }: ProblemLike) => {
      const text = problems[code];
      return text === undefined
        ? format(messages["problem.unknown"], { code })
        : format(text, withoutGaps(text, params));
    },
    list: (items: readonly string[]) => listFormat.format(items),
    language,
  }) as Translate;
}

/** A problem may come from an older worker without a parameter that the words want: better a gap than no sentence at all. */
function withoutGaps(text: string, params: Record<string, string>): Record<string, string> {
  const all = { ...params };
  for (const [, name] of text.matchAll(/\{(\w+)/g)) {
    if (name !== undefined && all[name] === undefined) all[name] = "…";
  }
  return all;
}
