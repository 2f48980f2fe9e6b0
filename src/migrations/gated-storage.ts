import type { KeyValueStorage } from "@/platform/storage";
import type { DataGate } from "./gate";

/**
 * A storage that is used only when the gate is open. While steps are due or have failed, it waits, as the database does; data of a
 * newer version makes it reject. A read is made beside the check, not after it, and made again when the data was
 * changed meanwhile: at a usual start it costs no time.
 */
export function gatedStorage(storage: KeyValueStorage, gate: DataGate): KeyValueStorage {
  const usable = async (): Promise<void> => {
    await gate.opened;
    // Open at first, and then the database turned out to be newer.
    if (gate.state.kind === "newer") await gate.ready();
  };
  return {
    async get<T>(key: string) {
      if (gate.state.kind === "ok") return storage.get<T>(key);
      const [early] = await Promise.allSettled([storage.get<T>(key), gate.opened]);
      await usable();
      if (early.status === "fulfilled" && !gate.migrated) return early.value;
      return storage.get<T>(key);
    },
    async set(key, value) {
      await usable();
      await storage.set(key, value);
    },
    async remove(key) {
      await usable();
      await storage.remove(key);
    },
  };
}
