import { FakeDisk, type Fault, quotaError, type Step } from "@tests/fixtures/files/fake-opfs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FileChanges } from "@/files/store/changes";
import { createFileStore, type FileStore } from "@/files/store/serve";
import type { FilePlace } from "@/files/types";

/*
 * Random operations on few paths, against a model, with an error of the browser or the end of the process at a random step: what was
 * there before an operation that failed is there afterwards; after an end, all of the operation or nothing of it.
 */

let ids = 0;
const at = (path: string): FilePlace => ({ area: "workspace", path });

type Op =
  | { do: "write" | "append"; path: string; content: string; asBlob: boolean }
  | { do: "move"; from: string; to: string; overwrite: boolean }
  | { do: "delete"; path: string };

const path = fc.constantFrom("a", "b", "d/x", "d/y", "d/e/z", "d", "d/e", "n/m");
const op: fc.Arbitrary<Op> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom("write", "append"),
      path,
      content: fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 12 }),
      asBlob: fc.boolean(),
    }) as fc.Arbitrary<Op>,
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("move" as const), from: path, to: path, overwrite: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("delete" as const), path }) },
);

/** Files by path. Folders are there while something is, or was, in them: they are no part of the model. */
type Model = Readonly<Record<string, string>>;

function modelAfter(model: Model, op: Op): Model {
  const next = { ...model };
  if (op.do === "write") next[op.path] = op.content;
  else if (op.do === "append") next[op.path] = (next[op.path] ?? "") + op.content;
  else {
    const from = op.do === "move" ? op.from : op.path;
    for (const path of Object.keys(model)) {
      if (path !== from && !path.startsWith(`${from}/`)) continue;
      delete next[path];
      if (op.do === "move") next[op.to + path.slice(from.length)] = model[path] ?? "";
    }
  }
  return next;
}

function run(changes: FileChanges, op: Op): Promise<unknown> {
  if (op.do === "move") return changes.move(at(op.from), at(op.to), op.overwrite);
  if (op.do === "delete") return changes.delete(at(op.path));
  const bytes = new TextEncoder().encode(op.content);
  return changes[op.do](at(op.path), op.asBlob ? new Blob([bytes]) : bytes);
}

async function contents({ reads }: FileStore, folder = ""): Promise<Model> {
  const all: Record<string, string> = {};
  for (const { path, type } of await reads.list(at(folder))) {
    if (type === "directory") Object.assign(all, await contents({ reads } as FileStore, path));
    else all[path] = new TextDecoder().decode((await reads.range(at(path), 0, 1_000)).bytes);
  }
  return all;
}

/** Errors that an operation may end with though nothing was made to fail. */
const ORDINARY = new Set([
  "NotFoundError",
  "AlreadyExistsError",
  "IsADirectoryError",
  "NotADirectoryError",
  "InvalidPathError",
]);
/** Steps that can find no room. */
const ALLOCATES = new Set<Step>(["create", "open", "write", "flush", "move"]);

describe("random operations", { timeout: 60_000 }, () => {
  it("do what the model says, or fail by name and change nothing", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(op, { minLength: 1, maxLength: 25 }), async (ops) => {
        const disk = new FakeDisk();
        const store = createFileStore({ files: disk.boot(), id: () => `id${ids++}` });
        let model: Model = {};
        for (const each of ops) {
          const error = await run(store.changes, each).then(
            () => null,
            (e: Error) => e,
          );
          if (error) expect(ORDINARY).toContain(error.name);
          else model = modelAfter(model, each);
          expect(await contents(store)).toEqual(model);
          expect(disk.hidden()).toEqual([]);
        }
      }),
      { numRuns: 150 },
    );
  });

  it("keep everything when there is no room at random steps", async () => {
    let failures = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(op, fc.nat(12), fc.nat(3)), { minLength: 1, maxLength: 20 }),
        async (ops) => {
          const disk = new FakeDisk();
          let until = Number.POSITIVE_INFINITY;
          let times = 0;
          const store = createFileStore({
            files: disk.boot((step) => {
              if (!ALLOCATES.has(step)) return undefined;
              until -= 1;
              return until < 0 && until >= -times ? quotaError() : undefined;
            }),
            id: () => `id${ids++}`,
          });
          let model: Model = {};
          for (const [each, first, count] of ops) {
            until = first;
            times = count;
            const error = await run(store.changes, each).then(
              () => null,
              (e: Error) => e,
            );
            until = Number.POSITIVE_INFINITY;
            if (!error) model = modelAfter(model, each);
            else if (!ORDINARY.has(error.name)) {
              expect(["DiskFullError", "StoreUnavailableError"]).toContain(error.name);
              failures += 1;
            }
            // A folder that could not be deleted is deleted later: its deletion was wanted, and half of it cannot be had back.
            const wanted = error && each.do === "delete" ? [model, modelAfter(model, each)] : [model];
            const now = await contents(store);
            expect(wanted).toContainEqual(now);
            model = now;
          }
          await run(store.changes, { do: "write", path: "last", content: "x", asBlob: false });
          expect(disk.hidden()).toEqual([]);
        },
      ),
      {
        numRuns: 400,
        // A folder could neither be moved nor moved back; it is, before anybody looks.
        examples: [
          [
            [
              [{ do: "write", path: "d/e", content: "1", asBlob: false }, 0, 0],
              [{ do: "write", path: "d/x", content: "2", asBlob: false }, 0, 0],
              [{ do: "move", from: "d", to: "n/m", overwrite: false }, 7, 2],
            ],
          ],
        ],
      },
    );
    expect(failures).toBeGreaterThan(100);
  });

  it("are done or not done when the process ends at any step", async () => {
    let ends = 0;
    const seen = { old: 0, new: 0 };
    await fc.assert(
      fc.asyncProperty(
        fc.array(op, { minLength: 4, maxLength: 14 }),
        op,
        fc.noBias(fc.nat(40)),
        fc.noBias(fc.nat(30)),
        async (before, last, step, again) => {
          const disk = new FakeDisk();
          const store = createFileStore({ files: disk.boot(), id: () => `id${ids++}` });
          for (const each of before) await run(store.changes, each).catch(() => undefined);
          const model = await contents(store);

          const ended = await bootAndEnd(disk, step, (dying) => run(dying.changes, last), true);
          if (ended) ends += 1;
          // The start after it may end in the middle of mending, too.
          await bootAndEnd(disk, again, (dying) => dying.core.sweep());
          const mended = createFileStore({ files: disk.boot(), id: () => `id${ids++}` });
          const now = await contents(mended);
          expect([model, modelAfter(model, last)]).toContainEqual(now);
          expect(disk.hidden()).toEqual([]);
          if (ended) seen[JSON.stringify(now) === JSON.stringify(model) ? "old" : "new"] += 1;
          await mended.changes.write(at("still/works"), new Uint8Array(1));
        },
      ),
      { numRuns: 600 },
    );
    expect(ends).toBeGreaterThan(100);
    expect(seen.old).toBeGreaterThan(20);
    expect(seen.new).toBeGreaterThan(3);
  });
});

/** Runs a job in a process that ends at its n-th step. @returns whether it came to that */
async function bootAndEnd(
  disk: FakeDisk,
  steps: number,
  job: (store: FileStore) => Promise<unknown>,
  swept = false,
): Promise<boolean> {
  let left = Number.POSITIVE_INFINITY;
  let end = (): void => undefined;
  const ended = new Promise<boolean>((resolve) => {
    end = () => resolve(true);
  });
  const fault = (): Fault | undefined => {
    if (left-- > 0) return undefined;
    end();
    return "crash";
  };
  const store = createFileStore({ files: disk.boot(fault), id: () => `id${ids++}` });
  if (swept) await store.core.sweep();
  left = steps;
  return Promise.race([
    ended,
    job(store).then(
      () => false,
      () => false,
    ),
  ]);
}
