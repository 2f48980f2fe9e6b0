import { callWorker } from "../../tests/e2e/harness/rpc";
import type { ModelFact } from "./contents";
import type { Area } from "./stage";

/** Two model configs whose keys are sealed, one of each wire. */
export const modelsArea: Area = {
  name: "models",
  session: "first",
  async fill({ browser, llm }) {
    const inputs = [
      {
        name: "Großes Modell 🐱",
        provider: "openai-compatible",
        apiBaseUrl: llm.openaiBaseUrl,
        model: "fixture-large",
        apiKey: "fixture-key-of-the-large-one-Zq4x",
        contextWindow: 128_000,
      },
      {
        name: "Small model",
        provider: "anthropic",
        apiBaseUrl: llm.anthropicV1BaseUrl,
        model: "fixture-small",
        apiKey: "fixture-key-of-the-small-one-7Kmp",
      },
    ];
    const ids: string[] = [];
    for (const input of inputs) {
      const { id } = await callWorker<{ id: string }>(browser.options, "agent.models.save", input);
      ids.push(id);
    }
    await callWorker(browser.options, "agent.models.setDefault", { id: ids[0] });
    await callWorker(browser.options, "agent.models.setSummary", { id: ids[1] });
    const views = await callWorker<ModelFact[]>(browser.options, "agent.models.list");
    return {
      models: views.map(
        ({ id, name, provider, apiBaseUrl, model, keyHint, isDefault, isSummary, contextWindow }) => ({
          id,
          name,
          provider,
          apiBaseUrl,
          model,
          keyHint,
          isDefault,
          isSummary,
          apiKey: inputs[ids.indexOf(id)]?.apiKey ?? "",
          ...(contextWindow !== undefined && { contextWindow }),
        }),
      ),
    };
  },
};
