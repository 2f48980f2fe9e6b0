import type { KeyValueStorage } from "@/platform/storage";
import type { DataGate } from "./gate";

/**
 * A storage that is used only when the gate allows it. A read is made beside the check, not after it, and made again when the data was
 * changed meanwhile: at a usual start it costs no time.
 */
export function gatedStorage(storage: KeyValueStorage, gate: DataGate): KeyValueStorage {
  return {
    async get<T>(key: string) {
      if (gate.state.kind === "ok") return storage.get<T>(key);
      const [early] = await Promise.allSettled([storage.get<T>(key), gate.ready()]);
      await gate.ready();
      if (early.status === "fulfilled" && !gate.migrated) return early.value;
      return storage.get<T>(key);
    },
    async set(key, value) {
      await gate.ready();
      await storage.set(key, value);
    },
    async remove(key) {
      await gate.ready();
      await storage.remove(key);
    },
  };
}
