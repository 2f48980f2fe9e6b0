import type { PlatformInfo } from "@/platform/product";
import type { SessionStorage } from "@/platform/session-storage";
import type { UserScriptsApi } from "@/platform/user-scripts";
import type { Settings } from "@/settings/contract";
import { worldFor } from "./install";
import { compileRules } from "./match";
import { type PlannedScript, planRegistrations, type RegistrationPlan } from "./plan";
import { Registrar } from "./registrar";
import type { ScriptRegistry } from "./registry";
import { scriptInfo } from "./script-info";
import type { ScriptProblem } from "./types";
import { DEFAULT_WORLD, type WorldPlan } from "./worlds";

export interface ManagerDeps {
  api: UserScriptsApi;
  session: SessionStorage;
  registry: ScriptRegistry;
  settings(): Promise<Settings>;
  /** Encoded values of a script and the revision they show. */
  values(uuid: string): Promise<{ entries: Record<string, string>; revision: number }>;
  /** Source of the page world's prelude, an expression. */
  pagePrelude(): Promise<string>;
  product: { version: string; platform(): Promise<PlatformInfo> };
  now(): number;
}

/** A refresh for changed values may take this share of the time: re-registering costs in proportion to all registered code. */
const REFRESH_SHARE = 0.1;

/** Keeps what the browser has registered equal to what is installed, enabled and stored. */
export class ScriptManager {
  readonly #deps: ManagerDeps;
  readonly #registrar: Registrar;
  #worlds: WorldPlan = { worldOf: new Map(), crowded: new Set(), homeless: new Set() };
  #stale = false;
  #nextRefresh = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(deps: ManagerDeps) {
    this.#deps = deps;
    this.#registrar = new Registrar(deps.api, deps.session, () => this.#plan());
  }

  /** Resolves when the registrations are right; false when the browser's user-script switch is off. */
  async reconcile(): Promise<boolean> {
    this.#stale = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const started = this.#deps.now();
    try {
      return await this.#registrar.reconcile();
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
    this.#stale = true;
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => void this.#refresh(), Math.max(0, this.#nextRefresh - this.#deps.now()));
  }

  /** A navigation begins: what is out of date is worth bringing in line now. */
  async flush(): Promise<void> {
    if (this.#stale) await this.reconcile();
  }

  /** The world of an isolated script, as last registered. */
  worldOf(uuid: string): string {
    return this.#worlds.worldOf.get(uuid) ?? DEFAULT_WORLD;
  }

  /** Why a script does not run, or not as it asked. */
  notices(uuid: string): ScriptProblem[] {
    const rejected = this.#registrar.rejected.get(uuid);
    const of = (code: ScriptProblem["code"], severity: "warning" | "error", params = {}): ScriptProblem => ({
      code,
      severity,
      params,
      line: 1,
    });
    return [
      ...(this.#worlds.crowded.has(uuid) ? [of("notice.crowded", "warning")] : []),
      ...(this.#worlds.homeless.has(uuid) ? [of("notice.homeless", "error")] : []),
      ...(rejected === undefined ? [] : [of("notice.rejected", "error", { reason: rejected })]),
    ];
  }

  async #refresh(): Promise<void> {
    this.#timer = undefined;
    try {
      await this.reconcile();
    } catch (error) {
      // The next change or start tries again; the values themselves are stored.
      console.error("Refreshing the registered values failed:", error);
    }
  }

  async #plan(): Promise<RegistrationPlan> {
    const settings = await this.#deps.settings();
    const heads = settings.paused ? [] : (await this.#deps.registry.list()).filter((head) => head.enabled);
    const platform = await this.#deps.product.platform();
    const scripts = await Promise.all(
      heads.map(async (head): Promise<PlannedScript> => {
        const code = await this.#deps.registry.code(head.uuid);
        const world = worldFor(head.metadata);
        const { entries, revision } = await this.#deps.values(head.uuid);
        return {
          head,
          code,
          rules: compileRules(head.metadata).rules,
          world,
          info: scriptInfo(head, code, world, { version: this.#deps.product.version, platform }),
          values: { snapshot: JSON.stringify(entries), revision },
        };
      }),
    );
    const plan = planRegistrations(
      scripts.filter(
        ({ rules }) => rules.registration.matches.length + rules.registration.includeGlobs.length > 0,
      ),
      { pagePrelude: await this.#deps.pagePrelude(), blocklist: settings.blocklist },
    );
    this.#worlds = plan.worlds;
    return plan;
  }
}
