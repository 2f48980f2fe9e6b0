import type { ProviderId } from "@/agent/contract/models";
import type { MessageKey } from "@/locales/catalogue";

/** A well-known place to get models from. */
export interface Preset {
  id: string;
  /** A product name, the same in every language; "custom" takes its name from the catalogue. */
  name: string;
  provider: ProviderId;
  apiBaseUrl: string;
  /** Servers on one's own machine take no key. */
  needsKey: boolean;
  /** What to know about it. */
  hint?: MessageKey;
}

/** In the order shown. A new one is one line. */
export const PRESETS: readonly Preset[] = [
  {
    id: "openai",
    name: "OpenAI",
    provider: "openai-compatible",
    apiBaseUrl: "https://api.openai.com/v1",
    needsKey: true,
  },
  {
    id: "anthropic",
    name: "Anthropic",
    provider: "anthropic",
    apiBaseUrl: "https://api.anthropic.com/v1",
    needsKey: true,
  },
  {
    id: "openrouter",
    name: "OpenRouter",
    provider: "openai-compatible",
    apiBaseUrl: "https://openrouter.ai/api/v1",
    needsKey: true,
  },
  {
    id: "deepseek",
    name: "DeepSeek",
    provider: "openai-compatible",
    apiBaseUrl: "https://api.deepseek.com/v1",
    needsKey: true,
  },
  {
    id: "ollama",
    name: "Ollama",
    provider: "openai-compatible",
    apiBaseUrl: "http://localhost:11434/v1",
    needsKey: false,
    hint: "models.preset.ollama",
  },
  {
    id: "lmstudio",
    name: "LM Studio",
    provider: "openai-compatible",
    apiBaseUrl: "http://localhost:1234/v1",
    needsKey: false,
    hint: "models.preset.lmstudio",
  },
  { id: "custom", name: "", provider: "openai-compatible", apiBaseUrl: "", needsKey: false },
];
