import * as z from "zod/mini";
import { call, contract, stream } from "@/rpc/contract";

/** Wire protocols that the first version speaks. */
export const PROVIDERS = ["openai-compatible", "anthropic"] as const;
export type ProviderId = (typeof PROVIDERS)[number];

/** A model config as pages see it: the key itself never leaves the worker. */
export interface ModelConfigView {
  id: string;
  name: string;
  provider: ProviderId;
  apiBaseUrl: string;
  model: string;
  /** Upper limit of one answer, in tokens. */
  maxTokens?: number;
  contextWindow?: number;
  supportsVision?: boolean;
  hasKey: boolean;
  /** The last four characters, to tell keys apart. */
  keyHint?: string;
  isDefault: boolean;
  /** The light model for summaries; at most one has it. */
  isSummary?: boolean;
  createtime: number;
  updatetime: number;
}

/**
 * Result of a test call, with a diagnosis on failure: a message key of the catalogue and its parameters, always all of `host`,
 * `baseUrl`, `model`, `status` ("" without one) and `suggestion` (a base URL that answers, "" when none was found).
 * `detail` is an English sentence with the host's own words.
 */
export type ModelTest =
  | { ok: true; reply: string; firstTokenMs: number; totalMs: number }
  | { ok: false; diagnosis: ModelDiagnosis; params: Record<string, string>; detail: string };

export type ModelDiagnosis =
  | "wrong-key"
  | "unreachable"
  | "wrong-url"
  | "model-missing"
  | "rate-limited"
  | "server-error"
  | "origin-refused"
  | "not-an-api"
  | "other";

export const modelInput = z.object({
  id: z.optional(z.string()),
  name: z.string(),
  provider: z.enum(PROVIDERS),
  apiBaseUrl: z.string(),
  /** Left out: the stored key stays. Empty: the key is removed. */
  apiKey: z.optional(z.string()),
  model: z.string(),
  maxTokens: z.optional(z.number().check(z.int(), z.positive())),
  contextWindow: z.optional(z.number().check(z.int(), z.positive())),
  supportsVision: z.optional(z.boolean()),
});
export type ModelInput = z.infer<typeof modelInput>;

/** Model configs, for our own pages. */
export const modelsContract = contract("agent.models", "page", {
  list: call(z.object({})).returns<ModelConfigView[]>(),
  save: call(modelInput).returns<ModelConfigView>(),
  remove: call(z.object({ id: z.string() })).returns<void>(),
  setDefault: call(z.object({ id: z.string() })).returns<void>(),
  /** Names the light model for summaries; "" leaves them to the model of the conversation. */
  setSummary: call(z.object({ id: z.string() })).returns<void>(),
  /** Sends one tiny request with what is in the form (stored key when none is typed). */
  test: call(modelInput).returns<ModelTest>(),
  /** Model names that the endpoint offers; rejects with a sentence. */
  listRemote: call(modelInput).returns<string[]>(),
  changes: stream(z.object({})).yields<{ revision: number }>(),
});
export type ModelsContract = typeof modelsContract;

/** The script's view of models: `CATAgentModel.ModelSummary` of the published types. */
export interface ModelSummary {
  id: string;
  name: string;
  provider: string;
  apiBaseUrl: string;
  model: string;
  maxTokens?: number;
  contextWindow?: number;
  supportsVision?: boolean;
  supportsImageOutput?: boolean;
}

const MODEL_GRANT = ["CAT.agent.model"] as const;

/** `CAT.agent.model`, for scripts. */
export const modelApiContract = contract("agent.model", "script", {
  list: call(z.object({}), MODEL_GRANT).returns<ModelSummary[]>(),
  get: call(z.object({ id: z.string() }), MODEL_GRANT).returns<ModelSummary | null>(),
  getDefault: call(z.object({}), MODEL_GRANT).returns<string>(),
  getSummary: call(z.object({}), MODEL_GRANT).returns<string>(),
});
export type ModelApiContract = typeof modelApiContract;
