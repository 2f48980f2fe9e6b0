import { beforeEach, describe, expect, it, vi } from "vitest";
import { MOST_ATTEMPTS, migrate } from "@/migrations/run";
import { readSchema, SCHEMA_KEY, SCHEMA_VERSION, SCHEMAS } from "@/migrations/schema";
import { STEPS } from "@/migrations/steps";
import type { MigrationStep } from "@/migrations/stores";
import { sampleSteps, World } from "./support";

const VERSION = 4;

async function oldWorld(): Promise<World> {
  const world = new World();
  world.stored.set("old-settings", { theme: "dark" });
  world.stored.set("models", { version: 1 });
  world.stored.set(SCHEMA_KEY, { version: 2, writer: "0.2.0" });
  for (const name of ["a.txt", "b/ü 🐱.txt"]) world.files.set(`notes/${name}`, `content of ${name}`);
  const db = world.open();
  await db.values.bulkAdd(["one", "two"].map((key) => ({ store: "s", key, value: `"${key}"`, revision: 1 })));
  db.close();
  return world;
}

function attempt(
  world: World,
  more: { forced?: boolean; steps?: readonly MigrationStep[] } = {},
): Promise<void> {
  world.done = 0;
  return migrate(world.stores(), readSchema(world.stored.get(SCHEMA_KEY)), {
    writer: "0.4.0",
    forced: false,
    report: () => undefined,
    steps: sampleSteps(world),
    version: VERSION,
    ...more,
  });
}

const END = {
  stored: {
    models: { version: 1 },
    schema: { version: VERSION, writer: "0.4.0" },
    settings: { look: "dark", counted: 1 },
  },
  files: {
    "workspace/notes/a.txt": "content of a.txt",
    "workspace/notes/b/ü 🐱.txt": "content of b/ü 🐱.txt",
  },
  values: ["one", "two"].map((key) => ({ store: "s", key, value: `"${key.toUpperCase()}"`, revision: 1 })),
};

beforeEach(() => {
  // A death is not noted: nothing is, after it.
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});

describe("the steps between two forms of the data", () => {
  it("run in order, each once, and leave nothing pending", async () => {
    const world = await oldWorld();
    const reported: string[] = [];
    await migrate(world.stores(), readSchema(world.stored.get(SCHEMA_KEY)), {
      writer: "0.4.0",
      forced: false,
      report: (done, steps) => reported.push(`${done}/${steps}`),
      steps: sampleSteps(world),
      version: VERSION,
    });
    expect(await world.snapshot()).toEqual(END);
    expect(reported).toEqual(["0/4", "1/4", "2/4", "3/4"]);
  });

  it.each([false, true])(
    "come to the same end when the worker dies at any point (after it: %s)",
    async (after) => {
      const undisturbed = await oldWorld();
      await attempt(undisturbed);
      const points = undisturbed.done;
      expect(points).toBeGreaterThan(20);
      for (let at = 0; at < points; at++) {
        const world = await oldWorld();
        world.diesAt = { at, after };
        await attempt(world).catch(() => undefined);
        world.diesAt = undefined;
        await attempt(world);
        expect(await world.snapshot(), `dead at ${at}`).toEqual(END);
      }
    },
  );

  it("come to the same end when each attempt gets a little further", async () => {
    const world = await oldWorld();
    let attempts = 0;
    for (let at = 3; at < 200; at += 1) {
      attempts += 1;
      world.diesAt = { at, after: attempts % 2 === 0 };
      const ended = await attempt(world, { forced: true }).then(
        () => true,
        () => false,
      );
      if (ended) break;
    }
    expect(attempts).toBeGreaterThan(4);
    expect(await world.snapshot()).toEqual(END);
  });

  it("keep older versions off from the first moment on", async () => {
    const world = await oldWorld();
    world.diesAt = { at: 0, after: true };
    await expect(attempt(world)).rejects.toThrow();
    expect(world.stored.get(SCHEMA_KEY)).toMatchObject({ version: VERSION, pending: { from: 2, done: [] } });
  });

  it("go on from where an update was cut off when a still newer version takes over", async () => {
    const world = await oldWorld();
    world.stored.set(SCHEMA_KEY, {
      version: 3,
      writer: "0.3.0",
      pending: { from: 2, done: ["3-rename-settings"], attempts: 1, remove: ["old-settings"] },
    });
    world.stored.set("settings", { look: "dark" });
    await attempt(world);
    expect(await world.snapshot()).toEqual(END);
  });
});

describe("a step that fails", () => {
  const failing = (world: World): MigrationStep[] =>
    sampleSteps(world).map((step) =>
      step.id === "3-values-upper"
        ? { id: step.id, to: 3, store: "database", run: () => Promise.reject(new Error("the disk is full")) }
        : step,
    );

  it("is told by name and leaves what it did not come to as it was", async () => {
    const world = await oldWorld();
    await expect(attempt(world, { steps: failing(world) })).rejects.toMatchObject({
      name: "MigrationError",
      message: expect.stringContaining("the disk is full. What was stored before is kept."),
    });
    const { values, files } = await world.snapshot();
    expect(values).toEqual(
      ["one", "two"].map((key) => ({ store: "s", key, value: `"${key}"`, revision: 1 })),
    );
    expect(Object.keys(files as object)).toEqual(["notes/a.txt", "notes/b/ü 🐱.txt"]);
    await attempt(world);
    expect(await world.snapshot()).toEqual(END);
  });

  it(`is not tried more than ${MOST_ATTEMPTS} times by itself, and again when a person asks`, async () => {
    const world = await oldWorld();
    let runs = 0;
    const steps = failing(world).map((step) =>
      step.id === "3-values-upper" && step.store === "database"
        ? {
            ...step,
            run: (db: Parameters<typeof step.run>[0]) => {
              runs += 1;
              return step.run(db);
            },
          }
        : step,
    );
    for (let i = 0; i < MOST_ATTEMPTS + 3; i++) {
      await expect(attempt(world, { steps })).rejects.toMatchObject({
        message: expect.stringContaining("the disk is full"),
      });
    }
    // The step before it went well, and the count began anew with it.
    expect(runs).toBe(MOST_ATTEMPTS);
    await attempt(world, { forced: true });
    expect(await world.snapshot()).toEqual(END);
  });

  it("that never comes back does not start for ever either", async () => {
    const world = await oldWorld();
    let begun = 0;
    for (let i = 0; i < MOST_ATTEMPTS + 3; i++) {
      const steps: MigrationStep[] = [
        {
          id: "4-deadly",
          to: 4,
          store: "storage",
          run: async () => {
            begun += 1;
            // Whatever it does then, it does not see the light of day.
            world.diesAt = { at: 0, after: false };
            return {};
          },
        },
      ];
      await attempt(world, { steps }).catch(() => undefined);
      world.diesAt = undefined;
    }
    expect(begun).toBe(MOST_ATTEMPTS);
    await expect(attempt(world)).rejects.toMatchObject({
      name: "MigrationError",
      message: expect.stringContaining("cut off 5 times in a row"),
    });
  });
});

describe("the forms of the data", () => {
  it("are numbered without gaps, and the last is that of the database's declaration", () => {
    expect(SCHEMAS.map(({ version }) => version)).toEqual(SCHEMAS.map((_, i) => i + 1));
    expect(SCHEMAS.at(-1)?.version).toBe(SCHEMA_VERSION);
    // A new version of the database is a new form: without a new number, an older product would not keep off.
    expect(new World().open().verno).toBe(SCHEMAS.at(-1)?.database);
  });

  it("have steps whose ids are unique, in order, and lead no further than the last form", () => {
    expect(new Set(STEPS.map(({ id }) => id)).size).toBe(STEPS.length);
    expect(STEPS.map(({ to }) => to)).toEqual(STEPS.map(({ to }) => to).sort((a, b) => a - b));
    for (const { to } of STEPS) expect(SCHEMAS.map(({ version }) => version)).toContain(to);
  });

  it("of the first version has no number: all steps run, and do nothing to what is in order", async () => {
    const world = new World();
    for (let i = 0; i < 2; i++) {
      await migrate(world.stores(), null, { writer: "0.2.0", forced: false, report: () => undefined });
      expect(world.stored.get(SCHEMA_KEY)).toEqual({ version: SCHEMA_VERSION, writer: "0.2.0" });
    }
  });

  it.each([
    undefined,
    null,
    7,
    "2",
    {},
    { version: "2" },
    { version: 0 },
    { version: 1.5 },
    { version: Number.NaN },
  ])("that make no sense (%j) are as good as none", (stored) => {
    expect(readSchema(stored)).toBeNull();
  });

  it.each([
    7,
    { from: "x", done: [], attempts: 1 },
    { from: -1, done: [], attempts: 1 },
    { from: 1, done: [null], attempts: 1 },
    { from: 1, done: [], attempts: Number.NaN },
    { from: 1, done: [], attempts: 1, remove: 5 },
  ])("whose steps that are due make no sense (%j) have all of them due", async (pending) => {
    const world = new World();
    world.stored.set(SCHEMA_KEY, { version: SCHEMA_VERSION, writer: "0.1.0", pending });
    const stored = readSchema(world.stored.get(SCHEMA_KEY));
    expect(stored).toMatchObject({ version: SCHEMA_VERSION, pending: { from: 1, done: [] } });
    await migrate(world.stores(), stored, { writer: "0.2.0", forced: false, report: () => undefined });
    expect(world.stored.get(SCHEMA_KEY)).toEqual({ version: SCHEMA_VERSION, writer: "0.2.0" });
  });
});
