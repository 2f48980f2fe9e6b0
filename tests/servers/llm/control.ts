import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import { OPEN_CORS, readBody, requestUrl, sendJson } from "../http/exchange";
import { scriptByState, scriptInOrder } from "./script";
import type { FakeLlm } from "./server";
import { scriptBody } from "./turn-schema";

const PREFIX = "/__control/";

/**
 * The control routes, for browsers and other processes:
 * - `POST /__control/script` `{ turns, byState? }`
 * - `GET /__control/requests` → `{ requests, counters, effects, remainingTurns }`
 * - `POST /__control/reset`
 * - `GET /__control/gate/release?name=…`
 * @returns false when the request is for something else
 */
export async function handleControl(
  llm: FakeLlm,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<boolean> {
  const url = requestUrl(req);
  if (!url.pathname.startsWith(PREFIX)) return false;
  if (req.method === "OPTIONS") {
    res.writeHead(204, OPEN_CORS).end();
    return true;
  }
  const asked = `${req.method} ${url.pathname.slice(PREFIX.length)}`;
  const reply = (status: number, value: unknown) => sendJson(res, status, value, OPEN_CORS);
  switch (asked) {
    case "POST script": {
      const { body, error } = readScript((await readBody(req)).toString("utf8"));
      if (!body) {
        reply(400, { error });
        return true;
      }
      llm.use(body.byState ? scriptByState(body.turns) : scriptInOrder(body.turns));
      reply(200, { turns: body.turns.length, byState: body.byState });
      return true;
    }
    case "GET requests":
      reply(200, {
        requests: llm.ledger.requests,
        counters: llm.ledger.counters,
        effects: llm.effects.all(),
        remainingTurns: llm.script.remaining() ?? null,
      });
      return true;
    case "POST reset":
      llm.reset();
      reply(200, {});
      return true;
    case "GET gate/release": {
      const name = url.searchParams.get("name");
      if (!name) reply(400, { error: "say which gate: ?name=…", gates: llm.gates.names() });
      else {
        // A gate may be opened before the turn that names it is played: it then never closes.
        llm.gates.get(name).release();
        reply(200, { name });
      }
      return true;
    }
    default:
      reply(404, {
        error: `no control route ${asked}; there are POST script, GET requests, POST reset, GET gate/release`,
      });
      return true;
  }
}

function readScript(text: string): { body?: z.infer<typeof scriptBody>; error?: string } {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    return { error: `the script is no JSON: ${String(cause)}` };
  }
  const read = scriptBody.safeParse(json);
  return read.success ? { body: read.data } : { error: z.prettifyError(read.error) };
}
