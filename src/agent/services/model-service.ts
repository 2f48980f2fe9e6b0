import type {
  ModelApiContract,
  ModelConfigView,
  ModelInput,
  ModelSummary,
  ModelsContract,
  ModelTest,
} from "@/agent/contract/models";
import { createModelClient } from "@/agent/core/models/client";
import { listModels } from "@/agent/core/models/list";
import { type ModelClient, ModelError, type ResolvedModel } from "@/agent/core/models/types";
import { BaseUrlError, normalizeBaseUrl } from "@/agent/core/models/url";
import type { SecretBox } from "@/platform/secrets";
import type { KeyValueStorage } from "@/platform/storage";
import type { CallContext } from "@/rpc/caller";
import type { Handlers } from "@/rpc/contract";
import { NamedError } from "@/rpc/errors";
import { follow } from "@/rpc/follow";
import { ModelStore, plainFields, type StoredModel } from "./model-store";
import { testModel } from "./model-test";

export interface ModelServiceDeps {
  storage: KeyValueStorage;
  secrets: SecretBox;
  fetch: typeof fetch;
  now(): number;
}

/** From this length on, four characters of a key give nothing away. */
const HINT_MIN_KEY = 12;
const LIST_TIMEOUT_MS = 20_000;

/** Keeps the model configs, hands out clients of them, and never lets a key out. */
export class ModelService {
  readonly #deps: ModelServiceDeps;
  readonly #store: ModelStore;

  constructor(deps: ModelServiceDeps) {
    this.#deps = deps;
    this.#store = new ModelStore(deps.storage);
  }

  /** All configs, in the order in which they were made. */
  async list(): Promise<ModelConfigView[]> {
    const record = await this.#store.read();
    return record.models.map((stored) => view(stored, record));
  }

  /**
   * Stores a new config, or changes the one with the given id. The first config becomes the default.
   * @throws NamedError InvalidModelError, with a sentence for the form; NotFoundError
   */
  async save(input: ModelInput): Promise<ModelConfigView> {
    const { apiBaseUrl, name, model } = checked(input);
    const key = input.apiKey?.trim();
    const sealed = key ? { key: await this.#deps.secrets.encrypt(key), keyHint: hint(key) } : {};
    const now = this.#deps.now();
    return this.#store.update((record) => {
      const before = input.id === undefined ? undefined : record.models.find(({ id }) => id === input.id);
      if (input.id !== undefined && !before) throw unknownModel(input.id);
      const kept = key === undefined && before?.key ? { key: before.key, keyHint: before.keyHint } : {};
      const stored: StoredModel = {
        id: before?.id ?? crypto.randomUUID(),
        name,
        provider: input.provider,
        apiBaseUrl,
        model,
        ...plainFields(input),
        ...kept,
        ...sealed,
        createtime: before?.createtime ?? now,
        updatetime: now,
      };
      const models = before
        ? record.models.map((other) => (other === before ? stored : other))
        : [...record.models, stored];
      const next = { ...record, models, defaultId: record.defaultId || stored.id };
      return { next, result: view(stored, next) };
    });
  }

  /** Removes a config and its key. When it was the default, the oldest that is left takes its place. */
  async remove(id: string): Promise<void> {
    await this.#store.update((record) => {
      const models = record.models.filter((model) => model.id !== id);
      if (models.length === record.models.length) throw unknownModel(id);
      const defaultId = record.defaultId === id ? (models[0]?.id ?? "") : record.defaultId;
      const summaryId = record.summaryId === id ? "" : record.summaryId;
      return { next: { ...record, models, defaultId, summaryId }, result: undefined };
    });
  }

  setDefault(id: string): Promise<void> {
    return this.#point("defaultId", id);
  }

  /** Names the light model for summaries; "" takes the name away. */
  setSummary(id: string): Promise<void> {
    return this.#point("summaryId", id);
  }

  async #point(which: "defaultId" | "summaryId", id: string): Promise<void> {
    await this.#store.update((record) => {
      const isNone = which === "summaryId" && id === "";
      if (!isNone && !record.models.some((model) => model.id === id)) throw unknownModel(id);
      return { next: { ...record, [which]: id }, result: undefined };
    });
  }

  /**
   * A config with its key, and a client of it; the default one without an id.
   * @throws NamedError with the code `no_model` when there is none, ModelError `auth` when its key cannot be read any more
   */
  async resolve(id?: string): Promise<{ model: ResolvedModel; client: ModelClient }> {
    const record = await this.#store.read();
    const wanted = id || record.defaultId;
    const stored = record.models.find((model) => model.id === wanted);
    if (!stored) throw noModel(id);
    const model = { ...resolved(stored), apiKey: await this.#keyOf(stored) };
    return { model, client: createModelClient(model, this.#deps) };
  }

  /** Sends a tiny request with what is in the form. */
  async test(input: ModelInput, signal: AbortSignal): Promise<ModelTest> {
    return testModel(await this.#fromForm(input), this.#deps, signal);
  }

  /** The names of the models that the endpoint in the form offers. Rejects with a sentence. */
  async listRemote(input: ModelInput, signal: AbortSignal): Promise<string[]> {
    const timeout = AbortSignal.timeout(LIST_TIMEOUT_MS);
    const model = await this.#fromForm({ ...input, model: input.model || "any" });
    try {
      return await listModels(model, this.#deps, AbortSignal.any([signal, timeout]));
    } catch (error) {
      signal.throwIfAborted();
      if (!timeout.aborted) throw error;
      throw new NamedError(
        "TimeoutError",
        `${new URL(model.apiBaseUrl).host} did not send its list of models within ${LIST_TIMEOUT_MS / 1000} seconds. Try again, or type the name.`,
      );
    }
  }

  /** What a form describes; its stored key when none is typed. */
  async #fromForm(input: ModelInput): Promise<ResolvedModel> {
    const fields = checked(input);
    const { models } = await this.#store.read();
    const stored = models.find(({ id }) => id === input.id);
    const apiKey = input.apiKey?.trim() ?? (stored ? await this.#keyOf(stored) : "");
    return { id: input.id ?? "", provider: input.provider, ...plainFields(input), ...fields, apiKey };
  }

  async #keyOf(stored: StoredModel): Promise<string> {
    if (!stored.key) return "";
    try {
      return await this.#deps.secrets.decrypt(stored.key);
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new ModelError(
        `The key of “${stored.name}” cannot be used. ${why} Do so in Moggy's options, under Models.`,
        {
          code: "auth",
          failure: "key",
          retryable: false,
          cause,
        },
      );
    }
  }

  /** What scripts may know of the models: everything but the keys. */
  async summaries(): Promise<ModelSummary[]> {
    return (await this.#store.read()).models.map(summary);
  }

  /** The contract for our own pages. */
  pageHandlers(): Handlers<ModelsContract, CallContext> {
    return {
      list: () => this.list(),
      save: (input) => this.save(input),
      remove: ({ id }) => this.remove(id),
      setDefault: ({ id }) => this.setDefault(id),
      setSummary: ({ id }) => this.setSummary(id),
      test: (input, { signal }) => this.test(input, signal),
      listRemote: (input, { signal }) => this.listRemote(input, signal),
      changes: (_input, { signal }) =>
        follow(
          async () => ({ revision: (await this.#store.read()).revision }),
          (listener) => this.#store.onChange(listener),
          signal,
        ),
    };
  }

  /** The contract for scripts. */
  scriptHandlers(): Handlers<ModelApiContract, CallContext> {
    return {
      list: () => this.summaries(),
      get: async ({ id }) => (await this.summaries()).find((model) => model.id === id) ?? null,
      getDefault: async () => (await this.#store.read()).defaultId,
      getSummary: async () => (await this.#store.read()).summaryId,
    };
  }
}

/** The text fields of a form, trimmed and complete. @throws NamedError InvalidModelError */
function checked(input: ModelInput): { apiBaseUrl: string; name: string; model: string } {
  const model = input.model.trim();
  if (!model) throw invalid("The model's name is empty. Enter the name that the host gives it.");
  // What an HTTP header cannot carry (Fetch Standard, "header value") is no key, but what came along when it was copied.
  if (/[^\x20-\x7e\xa0-\xff]/.test(input.apiKey?.trim() ?? "")) {
    throw invalid(
      "The API key has characters that no key has, such as a line break or “…”. Copy it again, whole.",
    );
  }
  try {
    return { apiBaseUrl: normalizeBaseUrl(input.apiBaseUrl), model, name: input.name.trim() || model };
  } catch (error) {
    throw error instanceof BaseUrlError ? invalid(error.message) : error;
  }
}

function view(stored: StoredModel, record: { defaultId: string; summaryId: string }): ModelConfigView {
  const { key, keyHint, ...rest } = stored;
  return {
    ...rest,
    hasKey: key !== undefined,
    ...(keyHint === undefined ? {} : { keyHint }),
    isDefault: record.defaultId === stored.id,
    isSummary: record.summaryId === stored.id,
  };
}

function summary({
  key: _key,
  keyHint: _hint,
  createtime: _c,
  updatetime: _u,
  ...rest
}: StoredModel): ModelSummary {
  return rest;
}

function resolved(stored: StoredModel): Omit<ResolvedModel, "apiKey"> {
  const { id, name, provider, apiBaseUrl, model, maxTokens, contextWindow } = stored;
  return { id, name, provider, apiBaseUrl, model, maxTokens, contextWindow };
}

function hint(key: string): string | undefined {
  return key.length >= HINT_MIN_KEY ? key.slice(-4) : undefined;
}

function invalid(message: string): NamedError {
  return new NamedError("InvalidModelError", message);
}

function unknownModel(id: string): NamedError {
  return new NamedError(
    "NotFoundError",
    `There is no model config “${id}” any more. Reload the list of models.`,
  );
}

function noModel(id: string | undefined): NamedError {
  return new NamedError(
    "NoModelError",
    id
      ? `There is no model config “${id}”. Choose another model, or leave it out to use the default one.`
      : "No model is set up. Add one in Moggy's options, under Models.",
    { code: "no_model" },
  );
}
