import type { Parser } from "@/rpc/contract";
import { NamedError } from "@/rpc/errors";

/** What a repeat after an interruption may do; see `ToolDefinition.effect` of the published types. */
export type ToolEffect = "read" | "idempotent" | "write";

/** What a call of a tool gets beside its arguments. */
export interface ToolContext {
  /** Aborted when the run ends before the tool does. */
  signal: AbortSignal;
  /** The same for the same call made again after a death of the worker; a tool that can tell by it does nothing twice. */
  callId?: string;
}

/** A tool that the extension itself has. */
export interface BuiltinTool {
  name: string;
  /** For the model: what it does and when to use it. */
  description: string;
  effect: ToolEffect;
  /** Checks the arguments and runs. @throws TypeError for arguments that do not fit, and what the tool itself throws */
  call(args: unknown, context: ToolContext): Promise<unknown>;
}

/** Declares a tool whose arguments a schema describes. */
export function tool<I>(definition: {
  name: string;
  description: string;
  effect: ToolEffect;
  input: Parser<I>;
  run(args: I, context: ToolContext): Promise<unknown>;
}): BuiltinTool {
  const { name, description, effect, input, run } = definition;
  return {
    name,
    description,
    effect,
    call: async (args, context) => run(parse(name, input, args), context),
  };
}

function parse<I>(name: string, input: Parser<I>, args: unknown): I {
  try {
    return input.parse(args);
  } catch (cause) {
    const { message } = cause as { message?: unknown };
    throw new NamedError("TypeError", `"${name}" was called with arguments that do not fit: ${message}`, {
      cause,
    });
  }
}
