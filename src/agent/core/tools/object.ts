import { schemaProblems } from "./arguments";

export type ObjectCheck = { ok: true; object: unknown } | { ok: false; problems: string };

/**
 * Finds the JSON value in an answer and checks it. Models wrap it in a code fence or in a sentence in spite of what they are told,
 * so those are looked through.
 */
export function readObject(text: string, schema: Record<string, unknown>): ObjectCheck {
  let problems = "it holds no JSON.";
  for (const candidate of candidates(text)) {
    let object: unknown;
    try {
      object = JSON.parse(candidate);
    } catch {
      continue; // Not this part of the text; the next candidate may be it.
    }
    const found = schemaProblems(schema, object);
    if (!found) return { ok: true, object };
    problems = found;
  }
  return { ok: false, problems };
}

function* candidates(text: string): Generator<string> {
  yield text.trim();
  for (const fenced of text.matchAll(/```(?:json)?\s*\n([\s\S]*?)```/g)) yield fenced[1] ?? "";
  for (const [open, close] of ["{}", "[]"]) {
    const from = text.indexOf(open ?? "");
    const to = text.lastIndexOf(close ?? "");
    if (from >= 0 && to > from) yield text.slice(from, to + 1);
  }
}
