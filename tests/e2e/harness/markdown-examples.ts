import type { Turn } from "../../servers/llm";

/** What is done with the page of an example, and what must be seen then. */
export type Step =
  | { do: "page" | "console" | "once"; text: string }
  | { do: "menu"; title: string }
  | { do: "reload" }
  /** Reload until a text is there: what a page reads synchronously may be behind for a moment. */
  | { do: "reload until"; text: string }
  /** Kill the worker when the model's answer stands at a gate. */
  | { do: "kill"; gate: string }
  /** Laid over what the demo model says; holds from the start. */
  | { do: "model"; turn: Partial<Turn> };

export interface Example {
  /** The script's name. */
  title: string;
  grants: string[];
  code: string;
  steps: Step[];
}

const BLOCK = /^```js userscript\n([\s\S]*?)^```\n(?:<!-- test\n([\s\S]*?)^-->)?/gm;

/**
 * The examples of a Markdown text: fenced blocks marked `js userscript`, each followed by a comment `<!-- test … -->` of steps:
 *
 *     page: text that appears on the page        once: text that stands there exactly once
 *     console: text of a console message         menu: a menu command to choose
 *     reload                                     reload until: text that appears, now or after another reload
 *     kill worker at: name of a gate of the model
 *     model: JSON of a turn, for the fake model
 *
 * White space in texts counts as one blank.
 * @throws Error with file and line for a comment that says something else
 */
export function examplesOf(markdown: string, file: string): Example[] {
  return [...markdown.matchAll(BLOCK)].map((found) => {
    const [, code = "", steps = ""] = found;
    const line = markdown.slice(0, found.index).split("\n").length;
    return {
      title: /^\/\/ @name\s+(.+)$/m.exec(code)?.[1] ?? `line ${line}`,
      grants: [...code.matchAll(/^\/\/ @grant\s+(\S+)/gm)].map(([, grant = ""]) => grant),
      code,
      steps: steps
        .split("\n")
        .filter((text) => text.trim() !== "")
        .map((text) => stepOf(text.trim(), `${file}, example in line ${line}`)),
    };
  });
}

function stepOf(text: string, where: string): Step {
  if (text === "reload") return { do: "reload" };
  const [, key = "", value = ""] = /^([a-z ]+?):\s*(.*)$/.exec(text) ?? [];
  switch (key) {
    case "page":
    case "console":
    case "once":
      return { do: key, text: value.trim() };
    case "reload until":
      return { do: key, text: value };
    case "menu":
      return { do: "menu", title: value };
    case "kill worker at":
      return { do: "kill", gate: value };
    case "model":
      return { do: "model", turn: JSON.parse(value) as Partial<Turn> };
    default:
      throw new Error(`${where}: “${text}” is no step. See tests/e2e/harness/markdown-examples.ts.`);
  }
}
