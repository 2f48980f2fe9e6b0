import { ModelService } from "@/agent/services/model-service";
import type { Sealed, SecretBox } from "@/platform/secrets";
import type { KeyValueStorage } from "@/platform/storage";
import { NamedError } from "@/rpc/errors";

export const KEY = "sk-very-secret-0123456789";

/** Storage in memory that copies through JSON, as the browser's does. */
export function memoryStorage(): KeyValueStorage & { text(): string } {
  const items = new Map<string, string>();
  return {
    get: async <T>(key: string) => {
      const text = items.get(key);
      return text === undefined ? undefined : (JSON.parse(text) as T);
    },
    set: async (key, value) => void items.set(key, JSON.stringify(value)),
    remove: async (key) => void items.delete(key),
    text: () => [...items.values()].join("\n"),
  };
}

/** A box that turns the text around: no secret in it can be found by looking for it. */
export function fakeSecrets(): SecretBox & { lose(): void } {
  let lost = false;
  const turn = (text: string) => [...text].reverse().join("");
  return {
    encrypt: async (text): Promise<Sealed> => ({ iv: "", data: turn(text) }),
    decrypt: async ({ data }) => {
      if (lost)
        throw new NamedError("SecretError", "A stored key can no longer be read. Enter the key again.");
      return turn(data);
    },
    lose: () => {
      lost = true;
    },
  };
}

export function modelService(fetchFn: typeof fetch = fetch, storage = memoryStorage()) {
  const secrets = fakeSecrets();
  let time = 1000;
  const deps = { storage, secrets, fetch: fetchFn, now: () => (time += 1) };
  return { service: new ModelService(deps), storage, secrets, again: () => new ModelService(deps) };
}

export const FORM = {
  name: "Mine",
  provider: "openai-compatible" as const,
  apiBaseUrl: "http://host.test/v1",
  apiKey: KEY,
  model: "m-1",
};
