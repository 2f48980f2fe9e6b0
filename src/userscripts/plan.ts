import type { ScriptInfo } from "@/gm/types";
import type { RegisteredUserScript } from "@/platform/user-scripts";
import type { BootPayload } from "./boot-protocol";
import { exposedNames, isSensitive, readsValuesSynchronously } from "./grants";
import { type CompiledRules, canMeet, serializeRules } from "./match";
import { composeRuntime, OWN_SOURCE } from "./runtime-parts";
import type { ScriptHead, ScriptWorld } from "./types";
import { DEFAULT_WORLD, planWorlds, RELAY_WORLD, type WorldPlan } from "./worlds";
import { announce, sourceUrl, type TestSource, wrapIsolated, wrapPage } from "./wrapper";

/** A script with all that its registration is made of. */
export interface PlannedScript {
  head: ScriptHead;
  code: string;
  rules: CompiledRules;
  world: ScriptWorld;
  info: ScriptInfo;
  values: { snapshot: string; revision: number };
}

export interface RegistrationPlan {
  /** In id order: the relay and the runtimes, isolated scripts by position, page-world scripts by position. */
  scripts: RegisteredUserScript[];
  worlds: WorldPlan;
  /** Where scripts run whose registration carries values: a navigation there is a reason to bring these up to date. */
  snapshotMatches: string[];
}

export interface PlanOptions {
  /**
   * Texts of the files that runtimes are made of (RUNTIME_FILES). Registered as text, not as files: the browser injects a file once into a
   * document, whatever the number of worlds it is registered for.
   */
  runtimes: Readonly<Record<string, string>>;
  /** Expression: a function that makes a test of addresses from serialized rules. */
  tester: string;
  /** Expressions: what announces a page-world script, the function before its code, and the relay's. */
  pageAnnounce: string;
  pagePrelude: string;
  relay: string;
  relayToken: string;
  /** Match patterns of pages on which nothing runs. */
  blocklist: readonly string[];
}

/** Everything that has to be registered so that exactly these scripts run, in their order. Pure. */
export function planRegistrations(scripts: readonly PlannedScript[], options: PlanOptions): RegistrationPlan {
  const isolatedScripts = scripts.filter((s) => s.world === "isolated");
  const byUuid = new Map(isolatedScripts.map((s) => [s.head.uuid, s]));
  const worlds = planWorlds(
    isolatedScripts.map((s) => ({ uuid: s.head.uuid, sensitive: isSensitive(s.head.metadata.grants) })),
    (a, b) => {
      const left = byUuid.get(a);
      const right = byUuid.get(b);
      return left !== undefined && right !== undefined && canMeet(left.rules, right.rules);
    },
  );

  const grantsOf = new Map<string, string[]>();
  for (const { head } of isolatedScripts) {
    const worldId = worlds.worldOf.get(head.uuid);
    if (worldId !== undefined)
      grantsOf.set(worldId, [...(grantsOf.get(worldId) ?? []), ...head.metadata.grants]);
  }
  const runtimes = new RuntimeGroups(options.blocklist, (worldId) =>
    composeRuntime(options.runtimes, grantsOf.get(worldId) ?? []),
  );
  const relays = new RuntimeGroups(
    options.blocklist,
    () => `(${options.relay})(${JSON.stringify(options.relayToken)})\n//# sourceURL=${OWN_SOURCE}relay.js`,
  );
  const isolated: RegisteredUserScript[] = [];
  const page: RegisteredUserScript[] = [];
  for (const script of scripts) {
    const where = { ...script.rules.registration, allFrames: !script.head.metadata.noframes };
    if (script.world === "page") {
      relays.add(RELAY_WORLD, where);
      page.push({
        id: `2:${order(script.head.position)}:${script.head.uuid}`,
        ...target(where, options.blocklist),
        runAt: "document_start",
        world: "MAIN",
        js: [
          { code: `(${options.pageAnnounce})(${JSON.stringify(script.head.uuid)})` },
          { code: wrapPage(options.pagePrelude, payloadOf(script), testOf(script, options), script.code) },
        ],
      });
      continue;
    }
    const worldId = worlds.worldOf.get(script.head.uuid);
    if (worldId === undefined) continue;
    runtimes.add(worldId, where);
    isolated.push({
      id: `1:${order(script.head.position)}:${script.head.uuid}`,
      ...target(where, options.blocklist),
      runAt: runAt(script.head),
      ...inWorld(worldId),
      js: [
        { code: announce(script.head.token) },
        { code: wrapIsolated(script.head.token, payloadOf(script), testOf(script, options), script.code) },
      ],
    });
  }
  const followed = isolatedScripts.filter(({ head }) => readsValuesSynchronously(head.metadata.grants));
  return {
    scripts: [...relays.registrations(), ...runtimes.registrations(), ...isolated, ...page],
    worlds,
    snapshotMatches: [...new Set(followed.flatMap(({ rules }) => rules.registration.matches))],
  };
}

function testOf({ rules }: PlannedScript, { tester }: PlanOptions): TestSource | null {
  return rules.registration.needsCheck ? { tester, rules: serializeRules(rules) } : null;
}

function payloadOf(script: PlannedScript): BootPayload {
  const { head, info, values } = script;
  const carriesValues = readsValuesSynchronously(head.metadata.grants);
  return {
    uuid: head.uuid,
    names: exposedNames(head.metadata.grants),
    info,
    at: whenToRun(head, script.world),
    snapshot: carriesValues ? values.snapshot : null,
    // Of no use without the snapshot, and a registration that is the same need not be made anew.
    revision: carriesValues ? values.revision : -1,
    source: sourceUrl(head.uuid, head.name),
  };
}

/** The page world is always registered for document-start, to be there before the page; see page.ts. */
function whenToRun(head: ScriptHead, world: ScriptWorld): BootPayload["at"] {
  const at = effectiveRunAt(head);
  if (at === "document-body") return "body";
  if (world === "isolated" || at === "document-start") return "registered";
  return at === "document-end" ? "end" : "idle";
}

interface Where {
  matches: string[];
  includeGlobs: string[];
  excludeMatches: string[];
  excludeGlobs: string[];
  allFrames: boolean;
}

/**
 * Our own code for a world (its runtime, or the relay), registered for exactly the documents in which a script needs it. A registration knows only
 * (any of these) and (none of those), so scripts with different exclusions form groups of their own.
 */
class RuntimeGroups {
  readonly #groups = new Map<string, { worldId: string; where: Where }>();

  constructor(
    private readonly blocklist: readonly string[],
    private readonly code: (worldId: string) => string,
  ) {}

  add(worldId: string, where: Where): void {
    const key = JSON.stringify([
      worldId,
      where.allFrames,
      [...where.excludeMatches].sort(),
      [...where.excludeGlobs].sort(),
    ]);
    const group = this.#groups.get(key);
    if (!group) {
      this.#groups.set(key, {
        worldId,
        where: { ...where, matches: [...where.matches], includeGlobs: [...where.includeGlobs] },
      });
      return;
    }
    group.where.matches = [...new Set([...group.where.matches, ...where.matches])];
    group.where.includeGlobs = [...new Set([...group.where.includeGlobs, ...where.includeGlobs])];
  }

  registrations(): RegisteredUserScript[] {
    return [...this.#groups.values()].map(({ worldId, where }, index) => ({
      id: `0:${order(index)}:${worldId}`,
      ...target(where, this.blocklist),
      runAt: "document_start",
      ...inWorld(worldId),
      js: [{ code: this.code(worldId) }],
    }));
  }
}

function target(where: Where, blocklist: readonly string[]) {
  const excludeMatches = [...where.excludeMatches, ...blocklist];
  return {
    ...(where.matches.length > 0 ? { matches: where.matches } : {}),
    ...(where.includeGlobs.length > 0 ? { includeGlobs: where.includeGlobs } : {}),
    ...(excludeMatches.length > 0 ? { excludeMatches } : {}),
    ...(where.excludeGlobs.length > 0 ? { excludeGlobs: where.excludeGlobs } : {}),
    allFrames: where.allFrames,
  };
}

function inWorld(worldId: string): { world: "USER_SCRIPT"; worldId?: string } {
  return worldId === DEFAULT_WORLD ? { world: "USER_SCRIPT" } : { world: "USER_SCRIPT", worldId };
}

/** Positions as text of one width, since the browser orders registrations by id. */
function order(position: number): string {
  return String(position).padStart(10, "0");
}

export function effectiveRunAt(head: ScriptHead): string {
  return head.overrides.runAt ?? head.metadata.runAt;
}

function runAt(head: ScriptHead): "document_start" | "document_end" | "document_idle" {
  switch (effectiveRunAt(head)) {
    case "document-start":
    case "document-body":
      return "document_start";
    case "document-end":
      return "document_end";
    default:
      return "document_idle";
  }
}
