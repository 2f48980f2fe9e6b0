import type { SessionStorage } from "@/platform/session-storage";
import type { RegisteredUserScript, UserScriptsApi } from "@/platform/user-scripts";
import type { RegistrationPlan } from "./plan";
import { SerialQueue } from "./serial-queue";
import { DEFAULT_WORLD, POOLED_WORLDS } from "./worlds";

/** What the browser has registered, as far as we know: id → fingerprint. Lives as long as the registrations do. */
const KEY = "registrations";

/**
 * The only code that registers, updates or unregisters: unserialised calls can leave a removed script registered for ever.
 * It compares what should be with what is and changes the difference, so it may be run at any time and as often as one likes.
 */
export class Registrar {
  readonly #queue = new SerialQueue();
  /** Scripts that the browser would not take, with its words. */
  readonly rejected = new Map<string, string>();

  constructor(
    private readonly api: UserScriptsApi,
    private readonly session: SessionStorage,
    private readonly plan: () => Promise<RegistrationPlan>,
  ) {}

  /** Makes the browser's registrations those of the plan. Resolves false when user scripts are switched off. */
  reconcile(): Promise<boolean> {
    return this.#queue.run(async () => {
      if (!(await this.api.available())) {
        await this.session.remove(KEY);
        return false;
      }
      let known = await this.session.get<Record<string, string>>(KEY);
      if (!known) {
        // A first start, a browser relaunch, or a death in the middle of the last change: ask the browser itself.
        for (const worldId of [DEFAULT_WORLD, ...POOLED_WORLDS]) await this.api.configureWorld(worldId);
        known = Object.fromEntries((await this.api.registeredIds()).map((id) => [id, ""]));
      }
      const plan = await this.plan();
      const wanted = [...plan.isolated, ...plan.page];
      const fingerprints = await fingerprintAll(wanted);
      const removed = Object.keys(known).filter((id) => !fingerprints.has(id));
      const differs = wanted.some(({ id }) => known[id] !== fingerprints.get(id));
      if (removed.length === 0 && !differs) return true;

      // Without the key a death from here on leads to a full comparison at the next start.
      await this.session.remove(KEY);
      this.rejected.clear();
      if (removed.length > 0) await this.api.unregister(removed);
      for (const group of [plan.isolated, plan.page]) await this.#applyGroup(group, known, fingerprints);
      const taken = [...fingerprints].filter(([id]) => !this.rejected.has(scriptOf(id)));
      await this.session.set(KEY, Object.fromEntries(taken));
      return true;
    });
  }

  /** Within one call scripts run in id order, and `update` moves them behind the rest: so a change updates the whole group. */
  async #applyGroup(
    group: readonly RegisteredUserScript[],
    known: Record<string, string>,
    fingerprints: ReadonlyMap<string, string>,
  ): Promise<void> {
    const added = group.filter(({ id }) => known[id] === undefined);
    const kept = group.filter(({ id }) => known[id] !== undefined);
    const changed = kept.some(({ id }) => known[id] !== fingerprints.get(id));
    const lastKept = kept.at(-1)?.id ?? "";
    const appendOnly = !changed && added.every(({ id }) => id > lastKept);
    const accepted = await this.#register(added);
    if (appendOnly || (!changed && accepted.length === 0)) return;
    const all = group.filter((script) => kept.includes(script) || accepted.includes(script));
    try {
      await this.api.update(all);
    } catch {
      // The call is all or nothing, so one script that the browser refuses would keep the others from their change.
      await this.#updateEach(all);
    }
  }

  async #register(scripts: readonly RegisteredUserScript[]): Promise<RegisteredUserScript[]> {
    if (scripts.length === 0) return [];
    try {
      await this.api.register([...scripts]);
      return [...scripts];
    } catch (batchError) {
      if (scripts.length === 1 && scripts[0]) {
        this.#reject(scripts[0], batchError);
        return [];
      }
      const accepted: RegisteredUserScript[] = [];
      for (const script of scripts) accepted.push(...(await this.#register([script])));
      return accepted;
    }
  }

  async #updateEach(scripts: readonly RegisteredUserScript[]): Promise<void> {
    for (const script of scripts) {
      try {
        await this.api.update([script]);
      } catch (error) {
        this.#reject(script, error);
        await this.api.unregister([script.id]);
      }
    }
  }

  #reject(script: RegisteredUserScript, error: unknown): void {
    this.rejected.set(scriptOf(script.id), error instanceof Error ? error.message : String(error));
  }
}

/** The uuid in a registration id `kind:position:uuid`. */
function scriptOf(id: string): string {
  return id.slice(id.lastIndexOf(":") + 1);
}

async function fingerprintAll(scripts: readonly RegisteredUserScript[]): Promise<Map<string, string>> {
  const encoder = new TextEncoder();
  const pairs = scripts.map(async (script): Promise<[string, string]> => {
    const digest = await crypto.subtle.digest("SHA-256", encoder.encode(JSON.stringify(script)));
    return [script.id, btoa(String.fromCharCode(...new Uint8Array(digest)))];
  });
  return new Map(await Promise.all(pairs));
}
