import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RegisteredUserScript, UserScriptsApi } from "@/platform/user-scripts";
import type { RegistrationPlan } from "@/userscripts/plan";
import { Registrar } from "@/userscripts/registrar";
import { memorySession } from "../../fixtures/memory-session";

/**
 * The browser as it was measured: within one call scripts come in id order, update() moves them behind the rest, a call with one
 * bad script fails as a whole, an unknown or double id is an error. update() leaves globs as they were, whatever it is given.
 */
class FakeBrowser implements UserScriptsApi {
  running: RegisteredUserScript[] = [];
  on = true;
  calls = 0;
  /** Let the n-th call from now fail, as a dying worker's would. */
  failIn = Number.POSITIVE_INFINITY;

  async available() {
    return this.on;
  }
  async registeredIds() {
    return this.running.map((s) => s.id);
  }
  async register(scripts: RegisteredUserScript[]) {
    await this.#turn(scripts);
    if (scripts.some((s) => this.running.some((r) => r.id === s.id))) throw new Error("Duplicate script ID");
    this.running.push(...byId(scripts));
  }
  async update(scripts: RegisteredUserScript[]) {
    await this.#turn(scripts);
    const ids = new Set(scripts.map((s) => s.id));
    if (scripts.some((s) => !this.running.some((r) => r.id === s.id)))
      throw new Error("Nonexistent script ID");
    const updated = byId(scripts).map(({ includeGlobs: _, ...rest }) => {
      const { includeGlobs } = this.running.find((r) => r.id === rest.id) ?? {};
      return includeGlobs ? { ...rest, includeGlobs } : rest;
    });
    this.running = [...this.running.filter((r) => !ids.has(r.id)), ...updated];
  }
  async unregister(ids: string[]) {
    await this.#turn([]);
    if (ids.some((id) => !this.running.some((r) => r.id === id))) throw new Error("Nonexistent script ID");
    this.running = this.running.filter((r) => !ids.includes(r.id));
  }
  async configureWorld() {
    await Promise.resolve();
  }
  async execute() {
    return true;
  }
  async #turn(scripts: RegisteredUserScript[]) {
    await Promise.resolve();
    this.calls += 1;
    if (--this.failIn === 0) throw new Error("The worker died.");
    if (scripts.some((s) => s.matches?.includes("bad"))) throw new Error("Script uses an invalid pattern");
  }
}

const byId = (scripts: RegisteredUserScript[]) => [...scripts].sort((a, b) => (a.id < b.id ? -1 : 1));

function script(position: number, code: string, match = "*://*/*", glob = ""): RegisteredUserScript {
  return {
    id: `1:${String(position).padStart(10, "0")}:s${position}`,
    matches: [match],
    js: [{ code }],
    ...(glob && { includeGlobs: [glob] }),
  };
}

function planOf(scripts: RegisteredUserScript[]): RegistrationPlan {
  return {
    scripts,
    snapshotMatches: [],
    worlds: { worldOf: new Map(), crowded: new Set(), homeless: new Set() },
  };
}

function setUp() {
  const browser = new FakeBrowser();
  const session = memorySession();
  let wanted: RegisteredUserScript[] = [];
  const make = () => new Registrar(browser, session, async () => planOf(wanted));
  return {
    browser,
    session,
    make,
    want: (scripts: RegisteredUserScript[]) => {
      wanted = scripts;
    },
  };
}

describe("reconciling registrations (C074)", () => {
  it("registers, updates and unregisters until the browser has just what is wanted, in order", async () => {
    const { browser, make, want } = setUp();
    const registrar = make();
    want([script(1, "a"), script(2, "b"), script(3, "c")]);
    await registrar.reconcile();
    want([script(1, "a2"), script(3, "c")]);
    await registrar.reconcile();
    expect(browser.running).toEqual([script(1, "a2"), script(3, "c")]);
  });

  it("globs that change, come or go are in force, and the order is kept", async () => {
    const { browser, make, want } = setUp();
    const registrar = make();
    for (const glob of ["*x*", "*y*", "", "*x*"]) {
      const wanted = [script(1, "a", "*://*/*", glob), script(2, "b"), script(3, "c", "*://*/*", "*z*")];
      want(wanted);
      await registrar.reconcile();
      expect(browser.running).toEqual(wanted);
    }
  });

  it("does nothing when nothing changed", async () => {
    const { browser, make, want } = setUp();
    const registrar = make();
    want([script(1, "a")]);
    await registrar.reconcile();
    const { calls } = browser;
    await registrar.reconcile();
    expect(browser.calls).toBe(calls);
  });

  it("appends a new last script with one call", async () => {
    const { browser, make, want } = setUp();
    const registrar = make();
    want([script(1, "a"), script(2, "b")]);
    await registrar.reconcile();
    const { calls } = browser;
    want([script(1, "a"), script(2, "b"), script(3, "c")]);
    await registrar.reconcile();
    expect(browser.calls).toBe(calls + 1);
  });

  it("cleans up what an earlier life of the browser's storage left (duplicate ids, zombies)", async () => {
    const { browser, make, want } = setUp();
    browser.running = [script(9, "zombie"), script(1, "old")];
    want([script(1, "a"), script(2, "b")]);
    await make().reconcile();
    expect(browser.running).toEqual([script(1, "a"), script(2, "b")]);
  });

  it("C010, C011: a script that the browser refuses is named, and the others run", async () => {
    const { browser, make, want } = setUp();
    const registrar = make();
    want([script(1, "a"), script(2, "b", "bad"), script(3, "c")]);
    await registrar.reconcile();
    expect(browser.running.map((s) => s.id)).toEqual([script(1, "").id, script(3, "").id]);
    expect(Object.keys((await registrar.state())?.rejected ?? {})).toEqual(["s2"]);
  });

  it("keeps the order and the freshness when an update turns bad", async () => {
    const { browser, make, want } = setUp();
    const registrar = make();
    want([script(1, "a"), script(2, "b"), script(3, "c")]);
    await registrar.reconcile();
    want([script(1, "a2"), script(2, "b", "bad"), script(3, "c2")]);
    await registrar.reconcile();
    expect(browser.running).toEqual([script(1, "a2"), script(3, "c2")]);
    expect(Object.keys((await registrar.state())?.rejected ?? {})).toEqual(["s2"]);
  });

  it("says false and registers nothing while the switch is off, and all once it is on", async () => {
    const { browser, make, want } = setUp();
    browser.on = false;
    want([script(1, "a")]);
    const registrar = make();
    await expect(registrar.reconcile()).resolves.toBe(false);
    browser.on = true;
    await expect(registrar.reconcile()).resolves.toBe(true);
    expect(browser.running).toEqual([script(1, "a")]);
  });

  it("ends right after any changes, asked for at once, with the worker killed at any call", async () => {
    const change = fc.array(
      fc.record({
        position: fc.integer({ min: 1, max: 6 }),
        code: fc.constantFrom("x", "y"),
        glob: fc.constantFrom("", "*1*", "*2*"),
        bad: fc.boolean(),
      }),
      { maxLength: 6 },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ change, failIn: fc.integer({ min: 1, max: 6 }) }), { maxLength: 6 }),
        async (steps) => {
          const { browser, make, want } = setUp();
          let last: RegisteredUserScript[] = [];
          for (const step of steps) {
            const unique = new Map(
              step.change.map((c) => [
                c.position,
                script(c.position, c.code, c.bad ? "bad" : "*://*/*", c.glob),
              ]),
            );
            last = byId([...unique.values()]);
            want(last);
            browser.failIn = step.failIn;
            const dying = make();
            await Promise.allSettled([dying.reconcile(), dying.reconcile()]);
          }
          browser.failIn = Number.POSITIVE_INFINITY;
          await make().reconcile();
          expect(browser.running).toEqual(last.filter((s) => !s.matches?.includes("bad")));
        },
      ),
      { numRuns: 300 },
    );
  });
});
