import type { ModelApiContract } from "@/agent/contract/models";
import type { AgentSession, ModelApi } from "./types";

/** `CAT.agent.model`: what models there are. Their keys never leave the worker. */
export function modelApi({ rpc }: AgentSession): ModelApi {
  const model = rpc.of<ModelApiContract>("agent.model");
  const again = { repeatable: true };
  return {
    list: () => model.call("list", {}, again),
    get: (id) => model.call("get", { id }, again),
    getDefault: () => model.call("getDefault", {}, again),
    getSummary: () => model.call("getSummary", {}, again),
  };
}
