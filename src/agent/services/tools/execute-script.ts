import * as z from "zod/mini";
import { NamedError } from "@/rpc/errors";
import { LONGEST_TIMEOUT_MS, type SandboxOutcome } from "@/sandbox/types";
import type { BuiltinToolDeps } from "./index";
import { type BuiltinTool, tool } from "./tool";

/** In whose name the code calls: nobody's, and it is granted nothing. */
const OWNER = { uuid: "run:execute_script", name: "execute_script", grants: [] };
/** Console lines that go with the result. */
const MOST_LINES = 100;

const input = z.object({
  code: z.string(),
  args: z.optional(z.unknown()),
  timeoutMs: z.optional(z.number().check(z.int(), z.positive(), z.maximum(LONGEST_TIMEOUT_MS))),
});

/** Runs JavaScript in the sandbox. */
export function executeScript({ sandbox }: BuiltinToolDeps): BuiltinTool {
  return tool({
    name: "execute_script",
    description:
      "Runs JavaScript and returns its result: calculations, parsing, reshaping of data. The code is the body of an async function: use return for the result; arguments[0] is args. It has no network, no page and no files.",
    effect: "write",
    input,
    run: async ({ code, args, timeoutMs }, { signal, callId }) => {
      const runId = callId ?? crypto.randomUUID();
      const request = { runId, owner: OWNER, code, name: "code.js", args, timeoutMs };
      const outcome = await sandbox.run(request, signal);
      // Without an id of the call nobody can ask for it again.
      if (callId === undefined) await sandbox.acknowledge(runId);
      return resultOf(outcome);
    },
  });
}

function resultOf(outcome: SandboxOutcome): { result: unknown; console: string[] } {
  const console = outcome.console.slice(-MOST_LINES).map(({ level, text }) => `${level}: ${text}`);
  if (outcome.ok) return { result: outcome.value, console };
  const { name, message, line, stack } = outcome.error;
  const where = line === undefined || message.includes(`line ${line}`) ? "" : ` (line ${line})`;
  throw new NamedError(name, `${message}${where}`, { data: { line, stack, console } });
}
