import { SerialQueue } from "@/platform/serial-queue";
import type { KeyValueStorage } from "@/platform/storage";
import type { CallContext } from "@/rpc/caller";
import type { Handlers } from "@/rpc/contract";
import { follow } from "@/rpc/follow";
import { Listeners } from "@/rpc/listeners";
import {
  DEFAULT_SETTINGS,
  type ProductStatus,
  type Settings,
  type SettingsContract,
  settingsPatch,
} from "./contract";

const KEY = "settings";

/** Reads and changes the settings, and tells who listens. */
export class SettingsService {
  #current: Promise<Settings> | null = null;
  readonly #listeners = new Listeners<[Settings]>();
  /** A change reads what is there and writes it whole: two at once must not undo each other. */
  readonly #changes = new SerialQueue();

  constructor(
    private readonly storage: KeyValueStorage,
    private readonly product: { status(): Promise<ProductStatus>; openDetails(): Promise<void> },
  ) {}

  get(): Promise<Settings> {
    this.#current ??= this.storage.get<unknown>(KEY).then(
      (stored) => ({ ...DEFAULT_SETTINGS, ...usable(stored) }),
      (error: unknown) => {
        // The next call reads again.
        this.#current = null;
        throw error;
      },
    );
    return this.#current;
  }

  /** Checks and stores a patch. Rejects with what is wrong about it. */
  set(patch: unknown): Promise<Settings> {
    return this.#changes.run(async () => {
      const next = { ...(await this.get()), ...settingsPatch.parse(patch) };
      await this.storage.set(KEY, next);
      this.#current = Promise.resolve(next);
      this.#listeners.tell(next);
      return next;
    });
  }

  readonly onChange = this.#listeners.add;

  /** Forgets what was read, after the storage was erased from outside. */
  reset(): void {
    this.#current = null;
  }

  handlers(): Handlers<SettingsContract, CallContext> {
    return {
      get: () => this.get(),
      set: (patch) => this.set(patch),
      status: () => this.product.status(),
      openDetails: () => this.product.openDetails(),
      changes: (_input, { signal }) => follow(() => this.get(), this.onChange, signal),
    };
  }
}

/** What is stored and can be used: one setting that makes no sense, such as a blocklist that the browser refuses, must not stop the rest. */
function usable(stored: unknown): Partial<Settings> {
  if (typeof stored !== "object" || stored === null) return {};
  const fits = (name: string, value: unknown) => settingsPatch.safeParse({ [name]: value }).success;
  return Object.fromEntries(
    Object.entries(stored).flatMap(([name, value]) => {
      if (!Object.hasOwn(DEFAULT_SETTINGS, name)) return [];
      const kept = Array.isArray(value) ? value.filter((item) => fits(name, [item])) : value;
      return fits(name, kept) ? [[name, kept]] : [];
    }),
  );
}
