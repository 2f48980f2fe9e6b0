import type { ModelApiContract } from "@/agent/contract/models";
import { REPEATABLE } from "@/rpc/client";
import type { AgentSession, ModelApi } from "./types";

/** `CAT.agent.model`: what models there are. Their keys never leave the worker. */
export function modelApi({ rpc }: AgentSession): ModelApi {
  const model = rpc.of<ModelApiContract>("agent.model");
  return {
    list: () => model.call("list", {}, REPEATABLE),
    get: (id) => model.call("get", { id }, REPEATABLE),
    getDefault: () => model.call("getDefault", {}, REPEATABLE),
    getSummary: () => model.call("getSummary", {}, REPEATABLE),
  };
}
