import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import type { MigrationStep, MigrationStores, StepFiles } from "@/migrations/stores";
import { MoggyDatabase } from "@/platform/db";
import { areaStorage } from "@/platform/storage";

/** Stores in memory that can die at the nth thing done to them, before or after it took effect. */
export class World {
  readonly stored = new Map<string, unknown>();
  readonly files = new Map<string, string>();
  readonly factory: IDBFactory = new IDBFactory();
  /** Things done so far in this attempt. */
  done = 0;
  /** Dies there; never when undefined. */
  diesAt: { at: number; after: boolean } | undefined;

  /** Everything that is stored, to be compared. */
  async snapshot(): Promise<Record<string, unknown>> {
    const db = this.open();
    const values = await db.values.toArray();
    db.close();
    return {
      stored: Object.fromEntries([...this.stored].sort(([a], [b]) => a.localeCompare(b))),
      files: Object.fromEntries([...this.files].sort(([a], [b]) => a.localeCompare(b))),
      values,
    };
  }

  open(): MoggyDatabase {
    return new MoggyDatabase("moggy", this.factory as unknown as globalThis.IDBFactory);
  }

  /** The death of the worker: from here on nothing happens any more, and the attempt is over. */
  async step<T>(action: () => T | Promise<T>): Promise<T> {
    const at = this.done++;
    const dies = this.diesAt;
    if (dies && at >= dies.at && !(dies.after && at === dies.at)) throw new Error("the worker is dead");
    const result = await action();
    if (dies && at === dies.at) throw new Error("the worker is dead");
    return result;
  }

  stores(): MigrationStores {
    const { stored, files } = this;
    const copy = (value: unknown) => structuredClone(value);
    const storage = areaStorage(() => ({
      get: (key) => this.step(() => (stored.has(key) ? { [key]: copy(stored.get(key)) } : {})),
      set: (items) =>
        this.step(() => {
          for (const [key, value] of Object.entries(items)) stored.set(key, copy(value));
        }),
      remove: (key) => this.step(() => void stored.delete(key)),
    }));
    const bytes = (text: string) => new Uint8Array(new TextEncoder().encode(text));
    const stepFiles: StepFiles = {
      list: (folder) =>
        this.step(() => [...files.keys()].filter((path) => path.startsWith(`${folder}/`)).sort()),
      read: (path) =>
        this.step(() => {
          const text = files.get(path);
          return text === undefined ? null : bytes(text);
        }),
      write: (path, content) => this.step(() => void files.set(path, new TextDecoder().decode(content))),
      remove: (path) => this.step(() => void files.delete(path)),
    };
    return { storage, openDatabase: () => this.open(), files: stepFiles };
  }
}

/** Steps of each kind of store, such as a later version will have; each dies at every point that `world` says. */
export function sampleSteps(world: World): MigrationStep[] {
  return [
    {
      id: "3-rename-settings",
      to: 3,
      store: "storage",
      run: async (read) => {
        const old = (await read("old-settings")) as { theme: string } | undefined;
        if (!old) return {};
        return { set: { settings: { look: old.theme } }, remove: ["old-settings"] };
      },
    },
    {
      id: "3-values-upper",
      to: 3,
      store: "database",
      run: async (db) => {
        const keys = await world.step(() => db.values.toCollection().primaryKeys());
        for (const key of keys) {
          const row = await world.step(() => db.values.get(key));
          if (row) await world.step(() => db.values.put({ ...row, value: row.value.toUpperCase() }));
        }
      },
    },
    {
      id: "4-notes-moved",
      to: 4,
      store: "files",
      run: async (files) => {
        for (const path of await files.list("notes")) {
          const bytes = await files.read(path);
          if (bytes) await files.write(path.replace("notes/", "workspace/notes/"), bytes);
          await files.remove(path);
        }
      },
    },
    {
      id: "4-settings-count",
      to: 4,
      store: "storage",
      run: async (read) => {
        const settings = (await read("settings")) as Record<string, unknown>;
        return { set: { settings: { ...settings, counted: Number(settings.counted ?? 0) + 1 } } };
      },
    },
  ];
}
