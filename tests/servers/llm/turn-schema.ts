import { z } from "zod";
import type { Turn } from "./types";

/** A turn as JSON, for the control route: a typing error in a test's script is refused by name, not ignored. */

const count = z.number().int().min(0);
const times = { times: count.optional() };

const fault = z.union([
  z.strictObject({
    status: z.number().int().min(400).max(599),
    body: z.unknown().optional(),
    headers: z.record(z.string(), z.string()).optional(),
    ...times,
  }),
  z.strictObject({ dropAfterDeltas: count, ...times }),
  z.strictObject({
    errorFrameAfterDeltas: count,
    error: z.strictObject({ type: z.string().optional(), message: z.string().optional() }).optional(),
    ...times,
  }),
  z.strictObject({ hangAfterDeltas: count, ...times }),
  z.strictObject({ hangBeforeHeaders: z.literal(true), ...times }),
  z.strictObject({ emptyStream: z.literal(true), ...times }),
  z.strictObject({
    raw: z.array(z.string()),
    rawStatus: z.number().int().optional(),
    rawHeaders: z.record(z.string(), z.string()).optional(),
    ...times,
  }),
]);

const textOrDeltas = z.union([z.string(), z.array(z.string())]);

const turn = z.strictObject({
  text: textOrDeltas.optional(),
  thinking: textOrDeltas.optional(),
  toolCalls: z
    .array(
      z.strictObject({
        name: z.string(),
        args: z.unknown().optional(),
        rawArgs: z.string().optional(),
        id: z.string().optional(),
        extra: z.record(z.string(), z.unknown()).optional(),
      }),
    )
    .optional(),
  finish: z.enum(["stop", "tool_calls", "length"]).optional(),
  usage: z
    .strictObject({
      inputTokens: count.optional(),
      outputTokens: count.optional(),
      cachedInputTokens: count.optional(),
      reasoningTokens: count.optional(),
    })
    .nullable()
    .optional(),
  delays: z
    .strictObject({ beforeHeadersMs: z.number().min(0).optional(), betweenMs: z.number().min(0).optional() })
    .optional(),
  chunking: z
    .strictObject({
      deltaChars: z.number().int().min(1).optional(),
      bytes: z.union([z.number().int().min(1), z.array(z.number().int().min(1)).min(1)]).optional(),
    })
    .optional(),
  fault: fault.optional(),
  gate: z.union([z.string(), z.strictObject({ gate: z.string(), afterDeltas: count.optional() })]).optional(),
  match: z
    .strictObject({
      protocol: z.enum(["openai", "anthropic"]).optional(),
      model: z.string().optional(),
      contains: z.string().optional(),
    })
    .optional(),
}) satisfies z.ZodType<Turn>;

/** Body of `POST /__control/script`. */
export const scriptBody = z.strictObject({
  turns: z.array(turn),
  /** As `scriptByState` instead of in order. */
  byState: z.boolean().default(false),
});
