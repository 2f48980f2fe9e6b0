import type { ProviderId } from "@/agent/contract/models";
import { anthropic } from "./anthropic";
import { openaiCompatible } from "./openai-compatible";
import type { Provider } from "./provider";

/** The wire protocols, by the id that a model config names. */
export const PROVIDERS: Readonly<Record<ProviderId, Provider>> = {
  "openai-compatible": openaiCompatible,
  anthropic,
};
