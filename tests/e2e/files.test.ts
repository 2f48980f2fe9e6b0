import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type PageServer, startPageServer } from "../servers/pages";
import { launchBrowser, type TestBrowser } from "./harness/browser";
import { callFiles, fileTree } from "./harness/files";
import { closeOffscreen, crashOffscreen } from "./harness/offscreen";
import { installProbe, probe } from "./harness/probe";

let browser: TestBrowser;
let pages: PageServer;

beforeAll(async () => {
  [browser, pages] = await Promise.all([launchBrowser(), startPageServer()]);
});
afterAll(async () => {
  await Promise.all([browser?.close(), pages?.close()]);
});
beforeEach(async () => {
  await browser.eval("eval:clear");
});
afterEach(async () => {
  // Whatever was done to it: nothing unfinished is left, and everything is named as it should be.
  expect((await fileTree(browser.options)).filter((path) => path.startsWith(".moggy/"))).toEqual([]);
});

const GRANT = { grant: ["CAT.agent.opfs"] };
const OPFS = "const { opfs } = CAT.agent; const blob = (n, x = 1) => new Blob([new Uint8Array(n).fill(x)]);";

async function scriptPage(name = "p") {
  await installProbe(browser, name, GRANT, OPFS);
  return browser.newPage(`${pages.a}/plain`);
}

describe("a script with CAT.agent.opfs", () => {
  it("is told what a call takes", async () => {
    const page = await scriptPage();
    const why = (call: string) =>
      probe(page, "p", `return ${call}.then(() => "no error", ({ name, message }) => name + ": " + message)`);
    expect(await why(`opfs.write("a.json", { a: 1 })`)).toMatch(
      /^TypeError: .*content: it has to be text or a Blob\. .*JSON\.stringify/,
    );
    expect(await why(`opfs.write("a.bin", new Uint8Array(2))`)).toMatch(
      /^TypeError: .*new Blob\(\[bytes\]\)/,
    );
    expect(await why(`opfs.read("a.bin", "json")`)).toMatch(/^TypeError: .*"text", "blob" or "bloburl"/);
  });

  it("writes text, Blobs and data: URLs, and reads them as text, Blob and address", async () => {
    const page = await scriptPage();
    expect(await probe(page, "p", `return opfs.write("notes/today.md", "# Grüße")`)).toEqual({
      path: "notes/today.md",
      size: 9,
    });
    await probe(page, "p", `await opfs.write("pixel.png", "data:image/png;base64,AAEC/w==")`);
    await probe(page, "p", `await opfs.write("notes/b.bin", blob(3, 7))`);
    expect(await probe(page, "p", `return opfs.read("notes/today.md")`)).toEqual({
      path: "notes/today.md",
      content: "# Grüße",
      size: 9,
      mimeType: "text/markdown",
    });
    expect(
      await probe(
        page,
        "p",
        `const { data, size, mimeType } = await opfs.read("pixel.png", "blob");
         return [show(new Uint8Array(await data.arrayBuffer())), data.type, size, mimeType]`,
      ),
    ).toEqual(["Uint8Array(0,1,2,255)", "image/png", 4, "image/png"]);
    // The address is one of the page's own origin, good there.
    expect(
      await probe(
        page,
        "p",
        `const { blobUrl } = await opfs.read("notes/b.bin", "bloburl");
         return [new URL(blobUrl).origin === location.origin, (await (await fetch(blobUrl)).arrayBuffer()).byteLength]`,
      ),
    ).toEqual([true, 3]);
    expect(await probe(page, "p", `return [await opfs.list(), await opfs.list("notes")]`)).toEqual([
      [
        { name: "notes", type: "directory" },
        { name: "pixel.png", type: "file", size: 4 },
      ],
      [
        { name: "b.bin", type: "file", size: 3 },
        { name: "today.md", type: "file", size: 9 },
      ],
    ]);
    expect(await probe(page, "p", `return opfs.delete("notes")`)).toEqual({ success: true });
    await expect(probe(page, "p", `return opfs.read("notes/today.md")`)).rejects.toMatchObject({
      name: "NotFoundError",
    });
    await page.close();
  });

  it("moves 100 MB both ways, and 20 MB of text", async () => {
    const page = await scriptPage();
    expect(
      await probe(
        page,
        "p",
        `await opfs.write("big", blob(100e6, 5));
         const { data, size } = await opfs.read("big", "blob");
         const end = new Uint8Array(await data.slice(-2).arrayBuffer());
         const text = "é".repeat(1e7);
         await opfs.write("text", text);
         return [size, show(end), (await opfs.read("text")).content === text]`,
      ),
    ).toEqual([100_000_000, "Uint8Array(5,5)", true]);
    await page.close();
  });

  it("in two pages at once: the file is one of the two, and never a mix", async () => {
    await installProbe(browser, "p", GRANT, OPFS);
    const [one, two] = await Promise.all([
      browser.newPage(`${pages.a}/plain`),
      browser.newPage(`${pages.b}/plain`),
    ]);
    const write = (x: number) => `for (let i = 0; i < 5; i++) await opfs.write("f", blob(${x}e6, ${x}));`;
    const seen = `const seen = new Set();
      for (let i = 0; i < 10; i++) {
        const { data } = await opfs.read("f", "blob");
        seen.add([...new Set(new Uint8Array(await data.arrayBuffer()))].join("+") + ":" + data.size);
      }
      return [...seen]`;
    await probe(one, "p", `await opfs.write("f", blob(1e6, 1))`);
    const [, , contents] = await Promise.all([
      probe(one, "p", write(1)),
      probe(two, "p", write(2)),
      probe<string[]>(one, "p", seen),
    ]);
    for (const content of contents) expect(["1:1000000", "2:2000000"]).toContain(content);
    await Promise.all([one.close(), two.close()]);
  });

  it("keeps its files when the browser is started anew", async () => {
    const page = await scriptPage();
    await probe(page, "p", `await opfs.write("kept/é.txt", "still here")`);
    await browser.close({ keepProfile: true });
    browser = await launchBrowser({ profile: browser.profile });
    const again = await browser.newPage(`${pages.a}/plain`);
    expect(await probe(again, "p", `return (await opfs.read("kept/é.txt")).content`)).toBe("still here");
    await again.close();
  });
});

describe("a death in the middle of a write", () => {
  const OLD = 1_000_000;
  const NEW = 60_000_000;

  async function outcomeOf(end: () => Promise<unknown>): Promise<{ outcome: string; size: number }> {
    const page = await scriptPage();
    await probe(page, "p", `await opfs.write("f", blob(${OLD}, 1))`);
    const writing = probe<string>(
      page,
      "p",
      `return opfs.write("f", blob(${NEW}, 2)).then(() => "written", (error) => error.name)`,
    );
    // The write has begun when its temporary file is there.
    await expect
      .poll(async () => (await fileTree(browser.options)).some((path) => path.startsWith(".moggy/temp/")), {
        interval: 5,
      })
      .toBe(true);
    await end();
    const outcome = await writing;
    const [size, values] = await probe<[number, number[]]>(
      page,
      "p",
      `const { data } = await opfs.read("f", "blob");
       return [data.size, [...new Set(new Uint8Array(await data.arrayBuffer()))]]`,
    );
    expect(values).toEqual([size === OLD ? 1 : 2]);
    await page.close();
    return { outcome, size };
  }

  it.each<[string, () => Promise<unknown>]>([
    ["the worker", () => browser.killWorker()],
    ["the offscreen document", () => closeOffscreen(browser)],
    ["the offscreen document, from outside", () => crashOffscreen(browser)],
    ["both", () => Promise.all([browser.killWorker(), closeOffscreen(browser)])],
  ])("of %s: the write is made again", async (_who, end) => {
    expect(await outcomeOf(end)).toEqual({ outcome: "written", size: NEW });
  });

  it("of the whole browser: the old content is there, and nothing else", async () => {
    const page = await scriptPage();
    await probe(page, "p", `await opfs.write("f", blob(${OLD}, 1))`);
    probe(page, "p", `await opfs.write("f", blob(${NEW}, 2))`).catch(() => undefined);
    await expect
      .poll(async () => (await fileTree(browser.options)).some((path) => path.startsWith(".moggy/temp/")), {
        interval: 5,
      })
      .toBe(true);
    await browser.crash();
    browser = await launchBrowser({ profile: browser.profile });
    const place = { area: "workspace", path: "f" };
    const { size } = await callFiles<{ size: number }>(browser.options, "stat", { place });
    expect([OLD, NEW]).toContain(size);
  });

  it("of an append's offscreen document: it is told that nobody knows, and the file is whole", async () => {
    const place = { area: "workspace", path: "log" };
    await callFiles(browser.options, "write", { place, bytes: 1000 });
    const appending = callFiles(browser.options, "append", { place, bytes: 80_000_000 }).then(
      () => "appended",
      (error: Error) => error.name,
    );
    await expect
      .poll(
        async () => (await fileTree(browser.options)).some((path) => path.startsWith(".moggy/journal/")),
        {
          interval: 5,
        },
      )
      .toBe(true);
    await closeOffscreen(browser);
    expect(await appending).toMatch(/^(DisconnectedError|appended)$/);
    const { size } = await callFiles<{ size: number }>(browser.options, "stat", { place });
    expect([1000, 80_001_000]).toContain(size);
  });
});

describe("our own pages", () => {
  it("write in parts and read in parts, across a death of the worker", async () => {
    const place = { area: "results", path: "run/1.bin" };
    const { options } = browser;
    await callFiles(options, "begin", { op: "w", place });
    await callFiles(options, "part", { op: "w", offset: 0, bytes: 1_000_000 });
    await browser.killWorker();
    await callFiles(options, "part", { op: "w", offset: 1_000_000, bytes: 500_000 });
    expect(await callFiles(options, "commit", { op: "w" })).toEqual({ path: "run/1.bin", size: 1_500_000 });
    expect(await callFiles(options, "stat", { place })).toMatchObject({ size: 1_500_000, type: "file" });
    await closeOffscreen(browser);
    await callFiles(options, "begin", { op: "v", place });
    await closeOffscreen(browser);
    await expect(callFiles(options, "part", { op: "v", offset: 0, bytes: 10 })).rejects.toMatchObject({
      name: "WriteLostError",
    });
  });

  it("see what is used, and clear away what nobody needs", async () => {
    const place = { area: "workspace", path: "a/b" };
    await callFiles(browser.options, "write", { place, bytes: 1234 });
    const { areas } = await callFiles<{ areas: Array<{ area: string; bytes: number; files: number }> }>(
      browser.options,
      "usage",
      {},
    );
    expect(areas).toContainEqual({ area: "workspace", bytes: 1234, files: 1 });
    expect(await callFiles(browser.options, "cleanUp", {})).toEqual({ attachments: 0, entries: 0, bytes: 0 });
  });

  it("erase every file with eval:clear", async () => {
    for (const area of ["workspace", "attachments", "skills"]) {
      await callFiles(browser.options, "write", { place: { area, path: "x/y" }, bytes: 10 });
    }
    expect(await fileTree(browser.options)).toHaveLength(3);
    await browser.eval("eval:clear");
    expect(await fileTree(browser.options)).toEqual([]);
  });
});
