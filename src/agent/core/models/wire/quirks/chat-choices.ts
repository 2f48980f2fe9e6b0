import { isRecord } from "../../errors/vendor-error";
import { data, type Quirk } from "../events";

/**
 * Chunks whose `choices` are missing, null or hold no object (C091: usage alone, a content filter's verdict alone) become
 * `choices: []`, which keeps their usage. A `message` where a `delta` belongs is taken as the delta, and its `content` of
 * null or of a wrong type as none. Only the first choice counts: more are never asked for.
 */
export function chatChoices(): Quirk {
  return (event) => {
    if (event.kind !== "data") return [event];
    const { json } = event;
    const first = Array.isArray(json.choices) ? json.choices.find(isRecord) : undefined;
    if (!first) {
      const isEmptyList = Array.isArray(json.choices) && json.choices.length === 0;
      return isEmptyList && isCleanUsage(json.usage)
        ? [event]
        : [data({ ...json, usage: cleanUsage(json.usage), choices: [] })];
    }
    const delta = isRecord(first.delta) ? first.delta : isRecord(first.message) ? first.message : undefined;
    const isClean =
      first === (json.choices as unknown[])[0] &&
      delta !== undefined &&
      delta === first.delta &&
      isCleanDelta(delta) &&
      isCleanReason(first.finish_reason) &&
      isCleanUsage(json.usage);
    if (isClean) return [event];
    const choice = {
      index: 0,
      delta: delta ? cleanDelta(delta) : {},
      finish_reason: isCleanReason(first.finish_reason) ? first.finish_reason : null,
    };
    return [data({ ...json, usage: cleanUsage(json.usage), choices: [choice] })];
  };
}

function isCleanReason(reason: unknown): boolean {
  return reason === null || reason === undefined || (typeof reason === "string" && reason !== "");
}

function isText(value: unknown): boolean {
  return value === null || value === undefined || typeof value === "string";
}

function isCleanContent(content: unknown): boolean {
  return (
    isText(content) ||
    (Array.isArray(content) && content.every((part) => isRecord(part) && typeof part.type === "string"))
  );
}

function isCleanDelta(delta: Record<string, unknown>): boolean {
  return (
    isCleanContent(delta.content) &&
    isText(delta.reasoning_content) &&
    isText(delta.reasoning) &&
    (delta.role === undefined || delta.role === null || delta.role === "assistant" || delta.role === "")
  );
}

function cleanDelta(delta: Record<string, unknown>): Record<string, unknown> {
  const { role: _role, content, reasoning_content, reasoning, ...rest } = delta;
  return {
    ...rest,
    ...(isCleanContent(content) ? { content } : {}),
    ...(isText(reasoning_content) ? { reasoning_content } : {}),
    ...(isText(reasoning) ? { reasoning } : {}),
  };
}

function isCount(value: unknown): boolean {
  return value === null || value === undefined || typeof value === "number";
}

function isDetails(value: unknown): boolean {
  return value === null || value === undefined || (isRecord(value) && Object.values(value).every(isCount));
}

function isCleanUsage(usage: unknown): boolean {
  if (usage === null || usage === undefined) return true;
  return (
    isRecord(usage) &&
    isCount(usage.prompt_tokens) &&
    isCount(usage.completion_tokens) &&
    isCount(usage.total_tokens) &&
    isDetails(usage.prompt_tokens_details) &&
    isDetails(usage.completion_tokens_details)
  );
}

/** Counts that are no numbers are left out, rather than losing the answer over them. */
function cleanUsage(usage: unknown): unknown {
  if (isCleanUsage(usage)) return usage;
  if (!isRecord(usage)) return null;
  const { prompt_tokens, completion_tokens, prompt_tokens_details, completion_tokens_details } = usage;
  return {
    ...(isCount(prompt_tokens) ? { prompt_tokens } : {}),
    ...(isCount(completion_tokens) ? { completion_tokens } : {}),
    ...(isDetails(prompt_tokens_details) ? { prompt_tokens_details } : {}),
    ...(isDetails(completion_tokens_details) ? { completion_tokens_details } : {}),
  };
}
