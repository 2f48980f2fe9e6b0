import type { ToolOffer } from "../llm/types";
import { identifierWords, keywords } from "./words";

/** Verbs that only look: a request need not say them. */
const LOOKING = new Set(
  "get list read fetch show find look query lookup load current user tool the of".split(" "),
);

/** Verbs that change something: a tool so named is used only when the request says the verb. */
const CHANGING = new Set(
  (
    "create delete remove update write save send post set open close click type execute run ask add put activate upload " +
    "download"
  ).split(" "),
);

const NAME_WEIGHT = 3;
const ENOUGH = 2;

/**
 * The tool that the request asks for, or undefined when none fits. A tool named in full always wins; else the words of
 * its name weigh three times those of its description, and both must be enough.
 */
export function chooseTool(request: string, tools: ToolOffer[]): ToolOffer | undefined {
  const named = tools.find((tool) => mentions(request, tool.name));
  if (named) return named;
  const said = new Set(keywords(request));
  let best: ToolOffer | undefined;
  let bestScore = 0;
  for (const tool of tools) {
    const score = scoreOf(said, tool);
    if (score > bestScore) {
      best = tool;
      bestScore = score;
    }
  }
  return bestScore >= ENOUGH ? best : undefined;
}

function mentions(request: string, name: string): boolean {
  const at = request.toLowerCase().indexOf(name.toLowerCase());
  if (at < 0) return false;
  // A one-word name such as "time" is an everyday word: it goes by the score.
  if (identifierWords(name).length < 2) return false;
  const around = `${request[at - 1] ?? " "}${request[at + name.length] ?? " "}`;
  return !/[a-z0-9]/i.test(around);
}

function scoreOf(said: Set<string>, tool: ToolOffer): number {
  const words = identifierWords(tool.name);
  if (words.some((word) => CHANGING.has(word) && !said.has(word))) return 0;
  const telling = words.filter((word) => !LOOKING.has(word));
  const hits = telling.filter((word) => said.has(word)).length;
  const named = telling.length > 0 && hits * 2 >= telling.length ? (NAME_WEIGHT * hits) / telling.length : 0;
  const described = new Set(
    keywords(tool.description).filter((word) => said.has(word) && !telling.includes(word)),
  );
  // Names are English, so a Chinese request meets the description only, where a word of two signs is telling.
  const weight = [...described].reduce(
    (sum, word) => sum + (/^\p{Script=Han}{2,}$/u.test(word) ? ENOUGH : 1),
    0,
  );
  return named + weight;
}
