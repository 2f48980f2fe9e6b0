// npm run bench -- files: 100 MB through the file store, beside the browser's own createWritable, taken in turn in one page.
import type { Page } from "playwright-core";
import { launchMoggy } from "./harness";
import { median, ms, ratioInterval, spread, table } from "./stats";

const RUNS = 7;
const WARM_UP = 1;
const MB = 1_000_000;
const WHOLE = 100 * MB;
const RANGES = 1_000;
const RANGE = 64 * 1024;
const WRITERS = 4;

const moggy = await launchMoggy();
try {
  await prepare(moggy.options);
  await throughStore(moggy.options);
  await inStore(moggy.options);
} finally {
  await moggy.close();
}

/** The ways through the store from a page, and the browser's own from the same page. */
async function throughStore(page: Page): Promise<void> {
  const pairs = [
    ["write 100 MB", "write", "writeWritable"],
    ["read 100 MB", "read", "readWritable"],
    [`${RANGES} ranges of 64 KB`, "ranges", "rangesWritable"],
    [`${WRITERS} writers of 25 MB at once`, "writers", "writersWritable"],
  ] as const;
  for (const [title, ours, theirs] of pairs) {
    const samples = await inTurn(page, [ours, theirs]);
    report(
      title,
      samples[0] ?? [],
      samples[1] ?? [],
      "through the store, from a page",
      "the browser's own, same page",
    );
  }
}

/** The store's own worker, spoken to over its port: without the way through the service worker and the offscreen document. */
async function inStore(page: Page): Promise<void> {
  await page.evaluate(() => window.hostStore());
  const pairs = [
    ["write 100 MB, in the store itself", "storeWrite", "writeWritable"],
    ["read 100 MB, in the store itself", "storeRead", "readWritable"],
    [`${RANGES} ranges of 64 KB, in the store itself`, "storeRanges", "rangesWritable"],
  ] as const;
  for (const [title, ours, theirs] of pairs) {
    const samples = await inTurn(page, [ours, theirs]);
    report(title, samples[0] ?? [], samples[1] ?? [], "the store, over its own port", "the browser's own");
  }
}

function report(title: string, ours: number[], theirs: number[], ourName: string, theirName: string): void {
  const [low, high] = ratioInterval(ours, theirs);
  table(title, [
    [ourName, spread(ours)],
    [theirName, spread(theirs)],
    [
      "ratio of medians",
      `${(median(ours) / median(theirs)).toFixed(2)} (95 % ${low.toFixed(2)} to ${high.toFixed(2)}); difference ${ms(median(ours) - median(theirs))}`,
    ],
  ]);
}

async function inTurn(page: Page, names: readonly string[]): Promise<number[][]> {
  const samples: number[][] = names.map(() => []);
  for (let run = -WARM_UP; run < RUNS; run++) {
    for (const [at, name] of names.entries()) {
      const took = await page.evaluate((job) => window.bench(job), name);
      if (run >= 0) samples[at]?.push(took);
    }
  }
  return samples;
}

declare global {
  interface Window {
    trustedTypes: {
      createPolicy(
        name: string,
        rules: { createScriptURL(url: string): string },
      ): { createScriptURL(url: string): object };
    };
    /** Takes the store's worker over from the offscreen document. */
    hostStore(): Promise<void>;
    /** Runs a job and returns its time in ms. */
    bench(job: string): Promise<number>;
  }
}

/** Defines the jobs in the page. Content is random in part, so that nothing is compressed away. */
async function prepare(page: Page): Promise<void> {
  // tsx marks the names of functions with this helper of its own, which the page does not have.
  await page.evaluate("globalThis.__name = (named) => named");
  await page.evaluate(
    async ([whole, ranges, range, writers]) => {
      const bytes = new Uint8Array(whole);
      for (let at = 0; at < whole; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
      const blob = new Blob([bytes]);
      const quarter = blob.slice(0, whole / writers);
      const place = (path: string) => ({ area: "workspace", path });
      const client = (post: (frame: unknown) => void) => {
        const waiting = new Map<number, { resolve(v: unknown): void; reject(e: unknown): void }>();
        let id = 0;
        return {
          hear: (f: { t: string; id: number; v: unknown; e: unknown }) => {
            const call = waiting.get(f.id);
            waiting.delete(f.id);
            if (f.t === "ok") call?.resolve(f.v);
            else call?.reject(new Error(JSON.stringify(f.e)));
          },
          call: (m: string, a: object) =>
            new Promise<unknown>((resolve, reject) => {
              id += 1;
              waiting.set(id, { resolve, reject });
              post({ t: "call", id, m, a: { op: crypto.randomUUID(), ...a } });
            }),
        };
      };
      const port = chrome.runtime.connect(undefined, { name: "page" });
      const store = client((frame) => port.postMessage(frame));
      port.onMessage.addListener(store.hear as never);
      await store.call("files.write", { place: place("read"), content: blob });

      const root = await navigator.storage.getDirectory();
      const writable = async (name: string, content: Blob) => {
        const out = await (await root.getFileHandle(name, { create: true })).createWritable();
        await out.write(content);
        await out.close();
      };
      await writable("bench-read", blob);
      const offsets = Array.from({ length: ranges }, (_, i) => (i * 7_919_321) % (whole - range));

      let own: ReturnType<typeof client> | undefined;
      window.hostStore = async () => {
        // Only one store may be at work: the other one ends with its document.
        port.disconnect();
        await chrome.offscreen.closeDocument();
        const { port1, port2 } = new MessageChannel();
        const direct = client((frame) => port1.postMessage(frame));
        port1.onmessage = ({ data }) => direct.hear(data);
        const policy = window.trustedTypes.createPolicy("bench", { createScriptURL: (url) => url });
        new Worker(policy.createScriptURL("/files-worker.js") as unknown as string).postMessage(null, [
          port2,
        ]);
        await direct.call("files.store.usage", {});
        own = direct;
      };
      const jobs: Record<string, () => Promise<void>> = {
        write: async () => void (await store.call("files.write", { place: place("w"), content: blob })),
        writeWritable: () => writable("bench-w", blob),
        read: async () => {
          const found = (await store.call("files.read", { place: place("read") })) as Blob;
          if ((await found.arrayBuffer()).byteLength !== whole) throw new Error("not whole");
        },
        readWritable: async () => {
          const file = await (await root.getFileHandle("bench-read")).getFile();
          if ((await file.arrayBuffer()).byteLength !== whole) throw new Error("not whole");
        },
        ranges: async () => {
          for (const offset of offsets)
            await store.call("files.range", { place: place("read"), offset, length: range });
        },
        rangesWritable: async () => {
          const handle = await root.getFileHandle("bench-read");
          for (const offset of offsets)
            await (await handle.getFile()).slice(offset, offset + range).arrayBuffer();
        },
        writers: async () => {
          await Promise.all(
            Array.from({ length: writers }, (_, i) =>
              store.call("files.write", { place: place(`q${i}`), content: quarter }),
            ),
          );
        },
        storeWrite: async () =>
          void (await own?.call("files.store.write", { place: place("w"), content: blob })),
        storeRead: async () => {
          const found = (await own?.call("files.store.read", { place: place("read") })) as Blob;
          if ((await found.arrayBuffer()).byteLength !== whole) throw new Error("not whole");
        },
        storeRanges: async () => {
          for (const offset of offsets)
            await own?.call("files.store.range", { place: place("read"), offset, length: range });
        },
        writersWritable: async () => {
          await Promise.all(Array.from({ length: writers }, (_, i) => writable(`bench-q${i}`, quarter)));
        },
      };
      window.bench = async (job) => {
        const run = jobs[job];
        if (!run) throw new Error(`There is no job "${job}".`);
        const start = performance.now();
        await run();
        return performance.now() - start;
      };
    },
    [WHOLE, RANGES, RANGE, WRITERS] as const,
  );
}
