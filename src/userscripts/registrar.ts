import { SerialQueue } from "@/platform/serial-queue";
import type { SessionStorage } from "@/platform/session-storage";
import type { RegisteredUserScript, UserScriptsApi } from "@/platform/user-scripts";
import type { RegistrationPlan } from "./plan";
import { DEFAULT_WORLD, POOLED_WORLDS, RELAY_WORLD } from "./worlds";

const KEY = "registrations";

/** What the browser has registered, as far as we know. Kept in session storage, which lives as long as registrations do. */
export interface RegistrationState {
  /** Registration id → digests of its globs and of all its content. */
  fingerprints: Record<string, string>;
  /** Script uuid → id of its isolated world. */
  worldOf: Record<string, string>;
  crowded: string[];
  homeless: string[];
  /** Script uuid → why the browser would not take it, in its words. */
  rejected: Record<string, string>;
  /** See RegistrationPlan. */
  snapshotMatches: string[];
}

/**
 * The only code that registers, updates or unregisters: unserialised calls can leave a removed script registered for ever.
 * It compares what should be with what is and changes the difference, so it may be run at any time and as often as one likes.
 */
export class Registrar {
  readonly #queue = new SerialQueue();

  constructor(
    private readonly api: UserScriptsApi,
    private readonly session: SessionStorage,
    private readonly plan: () => Promise<RegistrationPlan>,
  ) {}

  /** What was last registered; undefined when that is not known (a new browser session, or a death in mid-change). */
  state(): Promise<RegistrationState | undefined> {
    return this.session.get<RegistrationState>(KEY);
  }

  /** Forgets it, so that the next `reconcile` compares with the browser itself. */
  forget(): Promise<void> {
    return this.#queue.run(() => this.session.remove(KEY));
  }

  /** Makes the browser's registrations those of the plan. Resolves false when user scripts are switched off. */
  reconcile(): Promise<boolean> {
    return this.#queue.run(async () => {
      if (!(await this.api.available())) {
        await this.session.remove(KEY);
        return false;
      }
      const known = (await this.state())?.fingerprints ?? (await this.#discover());
      const plan = await this.plan();
      const wanted = await fingerprintAll(plan.scripts);
      // The browser's `update` does not change globs, so what has others is registered anew.
      const removed = Object.keys(known).filter((id) => globsOf(known[id]) !== globsOf(wanted.get(id)));
      const rejected: Record<string, string> = {};
      if (removed.length > 0 || [...wanted].some(([id, print]) => known[id] !== print)) {
        // Without the key a death from here on leads to a full comparison at the next start.
        await this.session.remove(KEY);
        if (removed.length > 0) await this.api.unregister(removed);
        const left = Object.fromEntries(Object.entries(known).filter(([id]) => !removed.includes(id)));
        await this.#apply(plan.scripts, left, wanted, rejected);
      }
      await this.session.set(KEY, {
        fingerprints: Object.fromEntries([...wanted].filter(([id]) => !(scriptOf(id) in rejected))),
        worldOf: Object.fromEntries(plan.worlds.worldOf),
        crowded: [...plan.worlds.crowded],
        homeless: [...plan.worlds.homeless],
        rejected,
        snapshotMatches: plan.snapshotMatches,
      } satisfies RegistrationState);
      return true;
    });
  }

  /** Asks the browser itself, and sets the worlds up: both last until the extension is reloaded. */
  async #discover(): Promise<Record<string, string>> {
    for (const worldId of [DEFAULT_WORLD, RELAY_WORLD, ...POOLED_WORLDS])
      await this.api.configureWorld(worldId);
    return Object.fromEntries((await this.api.registeredIds()).map((id) => [id, ""]));
  }

  /**
   * Within one call scripts run in id order, and `update` moves them behind the rest, whatever their worlds: so a change that
   * does not only append updates all in one call.
   */
  async #apply(
    scripts: readonly RegisteredUserScript[],
    known: Record<string, string>,
    wanted: ReadonlyMap<string, string>,
    rejected: Record<string, string>,
  ): Promise<void> {
    const kept = scripts.filter(({ id }) => known[id] !== undefined);
    const changed = kept.some(({ id }) => known[id] !== wanted.get(id));
    const lastKept = kept.at(-1)?.id ?? "";
    const added = scripts.filter(({ id }) => known[id] === undefined);
    const accepted = new Set([...kept, ...(await this.#register(added, rejected))]);
    const inOrder = added.every(({ id }) => id > lastKept);
    if (!changed && inOrder) return;
    const all = scripts.filter((script) => accepted.has(script));
    try {
      await this.api.update(all);
    } catch {
      // The call is all or nothing, so one script that the browser refuses would keep the others from their change.
      await this.#updateEach(all, rejected);
    }
  }

  /** Registers what the browser takes, in one call if it takes all. Returns those. */
  async #register(
    scripts: readonly RegisteredUserScript[],
    rejected: Record<string, string>,
  ): Promise<readonly RegisteredUserScript[]> {
    if (scripts.length === 0) return [];
    try {
      await this.api.register([...scripts]);
      return scripts;
    } catch (error) {
      const [only, ...others] = scripts;
      if (only && others.length === 0) {
        rejected[scriptOf(only.id)] = words(error);
        return [];
      }
      const accepted: RegisteredUserScript[] = [];
      for (const script of scripts) accepted.push(...(await this.#register([script], rejected)));
      return accepted;
    }
  }

  async #updateEach(
    scripts: readonly RegisteredUserScript[],
    rejected: Record<string, string>,
  ): Promise<void> {
    for (const script of scripts) {
      try {
        await this.api.update([script]);
      } catch (error) {
        rejected[scriptOf(script.id)] = words(error);
        await this.api.unregister([script.id]);
      }
    }
  }
}

/** The uuid in a registration id `kind:position:uuid`. */
function scriptOf(id: string): string {
  return id.slice(id.lastIndexOf(":") + 1);
}

function words(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The part of a fingerprint that tells the globs; undefined for none. */
function globsOf(fingerprint: string | undefined): string | undefined {
  return fingerprint?.split(" ")[0];
}

async function fingerprintAll(scripts: readonly RegisteredUserScript[]): Promise<Map<string, string>> {
  const pairs = scripts.map(async (script): Promise<[string, string]> => {
    const globs = await digest([script.includeGlobs ?? [], script.excludeGlobs ?? []]);
    return [script.id, `${globs} ${await digest(script)}`];
  });
  return new Map(await Promise.all(pairs));
}

async function digest(value: unknown): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify(value)));
  return btoa(String.fromCharCode(...new Uint8Array(hash)));
}
