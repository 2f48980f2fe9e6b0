import type { PlatformInfo } from "@/platform/product";
import type { SessionStorage } from "@/platform/session-storage";
import type { UserScriptsApi } from "@/platform/user-scripts";
import type { Settings } from "@/settings/contract";
import { type PlannedScript, type PlanOptions, planRegistrations, type RegistrationPlan } from "./plan";
import { Registrar } from "./registrar";
import type { ScriptRegistry } from "./registry";
import { rulesOf } from "./rules";
import { scriptInfo } from "./script-info";
import type { ScriptProblem } from "./types";
import { worldFor } from "./world-for";
import { DEFAULT_WORLD } from "./worlds";

export interface ManagerDeps {
  api: UserScriptsApi;
  session: SessionStorage;
  registry: ScriptRegistry;
  settings(): Promise<Settings>;
  /** Encoded values of a script and the revision they show. */
  values(uuid: string): Promise<{ entries: Record<string, string>; revision: number }>;
  /** What is registered beside page-world scripts. */
  pageParts(): Promise<Omit<PlanOptions, "blocklist">>;
  product: { version: string; platform(): Promise<PlatformInfo> };
  /** Calls back when a navigation to such an address begins, in place of what was watched before. */
  watchNavigations(patterns: readonly string[], onBegin: () => void): void;
  /** For a fault that concerns no caller. */
  report(during: string, error: unknown): void;
  now(): number;
}

/** A refresh for changed values may take this share of the time: re-registering costs in proportion to all registered code. */
const REFRESH_SHARE = 0.1;

/** After a navigation began, changes of values go at once for so long: a script that writes and reloads has its write still on the way. */
const URGENT_MS = 1000;

/** Watched while what is registered is not known to be right: any page may be the one that shows it. */
const EVERYWHERE = ["*://*/*"];

/** Set from a change of values until they are registered, so that a worker death in between is made up for. */
const STALE_KEY = "registrations-stale";

/** Keeps what the browser has registered equal to what is installed, enabled and stored. */
export class ScriptManager {
  readonly #deps: ManagerDeps;
  readonly #registrar: Registrar;
  #stale = false;
  /** The browser's switch was off when last looked at, so nothing of what was changed since is registered. */
  #off = false;
  #nextRefresh = 0;
  #urgentUntil = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(deps: ManagerDeps) {
    this.#deps = deps;
    this.#registrar = new Registrar(deps.api, deps.session, () => this.#plan());
  }

  /** At a start of the worker: does nothing when an earlier one left all in order. */
  async ensure(): Promise<void> {
    const stale = await this.#deps.session.get<boolean>(STALE_KEY);
    const state = await this.#registrar.state();
    if (stale || !state) await this.reconcile();
    else this.#watch(state.snapshotMatches);
  }

  /** After an installation or update of the extension, which may have changed what is registered around the scripts. */
  async renew(): Promise<void> {
    await this.#registrar.forget();
    await this.ensure();
  }

  /** Resolves when the registrations are right; false when the browser's user-script switch is off. */
  async reconcile(): Promise<boolean> {
    this.#stale = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const started = this.#deps.now();
    try {
      const done = await this.#registrar.reconcile();
      this.#off = !done;
      this.#watch((await this.#registrar.state())?.snapshotMatches ?? EVERYWHERE);
      if (!this.#stale) await this.#deps.session.remove(STALE_KEY);
      return done;
    } catch (error) {
      // The next navigation tries again.
      this.#stale = true;
      this.#watch(EVERYWHERE);
      throw error;
    } finally {
      const took = this.#deps.now() - started;
      this.#nextRefresh = this.#deps.now() + took * (1 / REFRESH_SHARE - 1);
    }
  }

  /**
   * Values that registrations carry have changed. Refreshes at once, or as soon as the last refresh is long enough ago, so
   * that a script which writes all the time does not keep the browser busy.
   */
  valuesChanged(): void {
    if (!this.#stale) {
      this.#stale = true;
      this.#deps.session.set(STALE_KEY, true).catch(this.#warn);
    }
    const now = this.#deps.now();
    if (now < this.#urgentUntil) {
      // Once a navigation, or the rule above would be none.
      this.#urgentUntil = 0;
      this.reconcile().catch(this.#warn);
      return;
    }
    this.#timer ??= setTimeout(
      () => {
        this.#timer = undefined;
        // The next change, navigation or start tries again; the values themselves are stored.
        this.reconcile().catch(this.#warn);
      },
      Math.max(0, this.#nextRefresh - now),
    );
  }

  /**
   * A navigation begins: what is out of date is worth bringing in line now. Nor does the browser tell anybody that its switch was
   * turned on, with which it brings back what was registered before.
   */
  async flush(): Promise<void> {
    this.#urgentUntil = this.#deps.now() + URGENT_MS;
    if (this.#stale || this.#off) await this.reconcile();
  }

  /** Of a refresh nobody waits for. */
  readonly #warn = (error: unknown): void =>
    this.#deps.report("Registering the scripts with their changed values", error);

  #watch(patterns: readonly string[]): void {
    this.#deps.watchNavigations(patterns, () => void this.flush().catch(this.#warn));
  }

  /** The world of an isolated script, as last registered. */
  async worldOf(uuid: string): Promise<string> {
    return (await this.#registrar.state())?.worldOf[uuid] ?? DEFAULT_WORLD;
  }

  /** Why a script does not run, or not as it asked. */
  async notices(uuid: string): Promise<ScriptProblem[]> {
    const state = await this.#registrar.state();
    const notices: ScriptProblem[] = [];
    if (state?.crowded.includes(uuid))
      notices.push({ code: "notice.crowded", severity: "warning", params: {}, line: 1 });
    if (state?.homeless.includes(uuid))
      notices.push({ code: "notice.homeless", severity: "error", params: {}, line: 1 });
    const reason = state?.rejected[uuid];
    if (reason !== undefined)
      notices.push({ code: "notice.rejected", severity: "error", params: { reason }, line: 1 });
    return notices;
  }

  async #plan(): Promise<RegistrationPlan> {
    const settings = await this.#deps.settings();
    const heads = settings.paused
      ? []
      : // Background scripts have no page; the sandbox runs them.
        (await this.#deps.registry.list()).filter((head) => head.enabled && !head.metadata.background);
    const platform = await this.#deps.product.platform();
    const scripts = await Promise.all(
      heads.map(async (head): Promise<PlannedScript> => {
        const code = await this.#deps.registry.code(head.uuid);
        const world = worldFor(head.metadata);
        const { entries, revision } = await this.#deps.values(head.uuid);
        return {
          head,
          code,
          rules: rulesOf(head).rules,
          world,
          info: scriptInfo(head, code, world, { version: this.#deps.product.version, platform }),
          values: { snapshot: JSON.stringify(entries), revision },
        };
      }),
    );
    return planRegistrations(
      scripts.filter(
        ({ rules: { registration } }) => registration.matches.length + registration.includeGlobs.length > 0,
      ),
      { ...(await this.#deps.pageParts()), blocklist: settings.blocklist },
    );
  }
}
