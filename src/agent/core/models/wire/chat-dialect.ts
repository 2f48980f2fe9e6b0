import { isRecord } from "../errors/vendor-error";
import type { Dialect } from "./dialect";
import { inBandError } from "./in-band";
import { chatChoices } from "./quirks/chat-choices";
import { chatFinish } from "./quirks/chat-finish";
import { chatToolCalls } from "./quirks/chat-tool-calls";
import { errorFrames } from "./quirks/error-frames";

/** OpenAI chat completions, as OpenAI and its many imitators speak it. */
export const chatDialect: Dialect = {
  quirks: [errorFrames, chatChoices, () => chatToolCalls(), chatFinish],
  texts: { read: readText, write: writeText },
  failureFrame: (failure) => ({ error: inBandError(failure) }),
  end: "[DONE]",
  framesOfWhole(body) {
    const choice = Array.isArray(body.choices) ? body.choices.find(isRecord) : undefined;
    if (!choice || !(isRecord(choice.message) || isRecord(choice.delta))) return null;
    return [body];
  },
};

const TEXT_FIELDS = ["content", "reasoning_content", "reasoning"] as const;

function readText(json: Record<string, unknown>): { part: string; text: string } | null {
  const [choice] = json.choices as unknown[];
  if (!isRecord(choice) || !isRecord(choice.delta) || choice.finish_reason || json.usage) return null;
  let part: string | null = null;
  for (const [name, value] of Object.entries(choice.delta)) {
    if (value === null || value === undefined || value === "" || name === "role") continue;
    if (part !== null || typeof value !== "string" || !TEXT_FIELDS.some((field) => field === name))
      return null;
    part = name;
  }
  return part === null ? null : { part, text: choice.delta[part] as string };
}

function writeText(json: Record<string, unknown>, text: string): Record<string, unknown> {
  const [choice] = json.choices as { delta: Record<string, unknown> }[];
  const part = readText(json)?.part ?? "content";
  return { ...json, choices: [{ ...choice, delta: { ...choice?.delta, [part]: text } }] };
}
