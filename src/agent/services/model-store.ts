import type { ModelInput, ProviderId } from "@/agent/contract/models";
import type { Sealed } from "@/platform/secrets";
import { SerialQueue } from "@/platform/serial-queue";
import type { KeyValueStorage } from "@/platform/storage";
import { Listeners } from "@/rpc/listeners";

/** A model config as it is stored: the key only encrypted. */
export interface StoredModel {
  id: string;
  name: string;
  provider: ProviderId;
  apiBaseUrl: string;
  model: string;
  maxTokens?: number;
  contextWindow?: number;
  supportsVision?: boolean;
  key?: Sealed;
  /** The last characters of the key, for telling keys apart. */
  keyHint?: string;
  createtime: number;
  updatetime: number;
}

/** Everything about models, in one value, so that a change of it is atomic. */
export interface ModelRecord {
  version: 1;
  /** Counts changes; tells listeners that there is something new. */
  revision: number;
  models: StoredModel[];
  /** "" when there is none. */
  defaultId: string;
  summaryId: string;
}

const KEY = "models";
const EMPTY: ModelRecord = { version: 1, revision: 0, models: [], defaultId: "", summaryId: "" };

/** The stored model configs. Changes are made one after the other, however many windows ask at once. */
export class ModelStore {
  readonly #storage: KeyValueStorage;
  readonly #listeners = new Listeners();
  readonly #changes = new SerialQueue();

  constructor(storage: KeyValueStorage) {
    this.#storage = storage;
  }

  async read(): Promise<ModelRecord> {
    return (await this.#storage.get<ModelRecord>(KEY)) ?? EMPTY;
  }

  /** Applies `change` to the newest record and stores what it returns. Nothing is stored when it throws. */
  update<T>(change: (record: ModelRecord) => { next: ModelRecord; result: T }): Promise<T> {
    return this.#changes.run(async () => {
      const before = await this.read();
      const { next, result } = change(before);
      await this.#storage.set(KEY, { ...next, revision: before.revision + 1 });
      this.#listeners.tell();
      return result;
    });
  }

  readonly onChange = this.#listeners.add;
}

/** The members of a form that are stored as they are. */
export function plainFields(
  input: ModelInput,
): Pick<StoredModel, "maxTokens" | "contextWindow" | "supportsVision"> {
  const { maxTokens, contextWindow, supportsVision } = input;
  return {
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(supportsVision === undefined ? {} : { supportsVision }),
  };
}
