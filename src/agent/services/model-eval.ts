import { modelInput } from "@/agent/contract/models";
import type { ModelService } from "./model-service";

/** Names of vendors that speak a wire of this version; the eval build's messages may use them. */
const WIRES: Readonly<Record<string, string>> = { openai: "openai-compatible" };

/** The eval build's messages about models: `eval:setModel` stores a config, makes it the default and answers with its id. */
export function modelEvalMessages(
  models: ModelService,
): Record<string, (params: Record<string, unknown>) => Promise<unknown>> {
  return {
    "eval:setModel": async (params) => {
      const provider = WIRES[String(params.provider)] ?? params.provider;
      const input = modelInput.parse({ ...params, name: params.name ?? params.model, provider });
      const { id } = await models.save(input);
      await models.setDefault(id);
      return { id };
    },
  };
}
