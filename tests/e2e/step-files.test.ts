import { join } from "node:path";
import { build } from "vite";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchBrowser, type TestBrowser } from "./harness/browser";

const ROOT = join(import.meta.dirname, "../..");

let browser: TestBrowser;

/** The files of migration steps, in one of the extension's own pages, as `stepFiles`. */
async function bundle(): Promise<string> {
  const result = await build({
    configFile: false,
    root: ROOT,
    publicDir: false,
    logLevel: "warn",
    resolve: { alias: { "@": join(ROOT, "src") } },
    build: {
      write: false,
      target: "chrome148",
      lib: { entry: "src/platform/opfs-steps.ts", formats: ["iife"], name: "stepFiles" },
    },
  });
  const [output] = [result].flat();
  if (!output || !("output" in output)) throw new Error("The bundle was not built.");
  // A const of a classic script is not to be seen by later ones, which these are.
  return `${output.output[0].code}\nglobalThis.opfsSteps = stepFiles.opfsSteps;`;
}

beforeAll(async () => {
  browser = await launchBrowser();
  await browser.options.evaluate(await bundle());
});
afterAll(() => browser?.close());

const run = <T>(code: string) =>
  browser.options.evaluate<T>(`(async () => {
    const files = globalThis.opfsSteps;
    const bytes = (text) => new TextEncoder().encode(text);
    const text = (read) => read && new TextDecoder().decode(read);
    ${code}
  })()`);

it("steps find, write, replace and remove files of the extension; what is not there is no error", async () => {
  expect(
    await run("return [await files.list('notes'), await files.read('notes/a'), await files.read('a')]"),
  ).toEqual([[], null, null]);
  await run("await files.remove('notes/a'); await files.remove('a')");
  await run(`await files.write('notes/b/ü 🐱.txt', bytes('one'));
    await files.write('notes/a.txt', bytes('first, and longer'));
    await files.write('notes/a.txt', bytes('two'));
    await files.write('top.txt', bytes(''));`);
  expect(await run("return files.list('notes')")).toEqual(["notes/a.txt", "notes/b/ü 🐱.txt"]);
  expect(await run("return files.list('')")).toEqual(
    expect.arrayContaining(["notes/a.txt", "notes/b/ü 🐱.txt", "top.txt"]),
  );
  expect(await run("return text(await files.read('notes/a.txt'))")).toBe("two");
  expect(await run("return text(await files.read('top.txt'))")).toBe("");
  await run("await files.remove('notes/a.txt')");
  expect(await run("return files.list('notes')")).toEqual(["notes/b/ü 🐱.txt"]);
});

it("a file stays as it was when the browser dies before its new content is whole", async () => {
  await run("await files.write('kept.txt', bytes('old'))");
  // As far as a write comes: the new content is written, and not yet put in the old one's place.
  await run(`const root = await navigator.storage.getDirectory();
    const handle = await root.getFileHandle('kept.txt');
    globalThis.writable = await handle.createWritable();
    await globalThis.writable.write(bytes('new, and never finished'));`);
  const { profile } = browser;
  await browser.crash();
  browser = await launchBrowser({ profile });
  await browser.options.evaluate(await bundle());
  expect(await run("return text(await files.read('kept.txt'))")).toBe("old");
  expect(await run("return (await files.list('')).filter((path) => path.includes('kept'))")).toEqual([
    "kept.txt",
  ]);
});
