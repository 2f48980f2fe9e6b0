import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type PageServer, startPageServer } from "../servers/pages";
import { launchBrowser, type TestBrowser, userscript } from "./harness/browser";

const LOADS = 20;

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

/** What the page's first script saw. */
interface First {
  dataset: Record<string, string>;
}

async function firstOf(page: Page): Promise<First> {
  return (await page.evaluate(() => (window as unknown as { __first: First }).__first)) as First;
}

/** Marks the document with a value read synchronously, as the first thing. */
const MARK = `document.documentElement.dataset.early = String(GM_getValue("count", "none"));`;

async function installMarker(value: number): Promise<void> {
  const code = userscript(
    { name: "Marker", match: "*://*/*", grant: ["GM_getValue", "GM_setValue"], "run-at": "document-start" },
    `${MARK}\nif (location.hash === "#set") GM_setValue("count", ${value});`,
  );
  await browser.eval("eval:installScript", { code });
  const page = await browser.newPage(`${pages.a}/plain#set`);
  // What a registration carries follows a write at once, but not in no time: see "bounded staleness" in docs/architecture.md.
  const early = async () => {
    await page.goto(`${pages.a}/plain?${Math.random()}`);
    return (await firstOf(page)).dataset.early;
  };
  await expect.poll(early).toBe(String(value));
  await page.close();
}

describe("document-start", () => {
  it.each([
    ["plain page", "/plain"],
    ["strict CSP", "/csp"],
    ["Trusted Types", "/trusted-types"],
  ])("%s: runs before the page's first script and reads a stored value, 20 of 20", async (_name, path) => {
    await installMarker(7);
    const page = await browser.newPage();
    const seen: string[] = [];
    for (let i = 0; i < LOADS; i++) {
      await page.goto(`${pages.a}${path}?${i}`);
      seen.push((await firstOf(page)).dataset.early ?? "late");
    }
    await page.close();
    expect(seen).toEqual(Array(LOADS).fill("7"));
  });

  it("cross-origin frame: the same, 20 of 20", async () => {
    await installMarker(7);
    const page = await browser.newPage();
    const seen: string[] = [];
    for (let i = 0; i < LOADS; i++) {
      await page.goto(`${pages.a}/frame-host?${i}`);
      const frame = page.frames().find((f) => f.url().startsWith(pages.b));
      const first = (await frame?.evaluate(() => (window as unknown as { __first: First }).__first)) as
        | First
        | undefined;
      seen.push(first?.dataset.early ?? "late");
    }
    await page.close();
    expect(seen).toEqual(Array(LOADS).fill("7"));
  });

  it("the same right after the worker was killed, 20 of 20", async () => {
    await installMarker(7);
    const page = await browser.newPage();
    const seen: string[] = [];
    for (let i = 0; i < LOADS; i++) {
      await browser.killWorker();
      await page.goto(`${pages.a}/plain?${i}`);
      seen.push((await firstOf(page)).dataset.early ?? "late");
    }
    await page.close();
    expect(seen).toEqual(Array(LOADS).fill("7"));
  });

  it("two scripts keep their order while values change", async () => {
    const header = (name: string) => ({
      name,
      match: "*://*/*",
      grant: ["GM_getValue", "GM_setValue"],
      "run-at": "document-start",
    });
    const code = (letter: string) =>
      `document.documentElement.dataset.order = (document.documentElement.dataset.order ?? "") + "${letter}";
       GM_setValue("n", (GM_getValue("n", 0)) + 1);`;
    for (const letter of ["A", "B"]) {
      await browser.eval("eval:installScript", {
        code: userscript(header(`Script ${letter}`), code(letter)),
      });
    }
    const page = await browser.newPage();
    const orders: string[] = [];
    for (let i = 0; i < LOADS; i++) {
      await page.goto(`${pages.a}/plain?${i}`);
      orders.push((await firstOf(page)).dataset.order ?? "none");
    }
    await page.close();
    expect(orders).toEqual(Array(LOADS).fill("AB"));
  });

  it("C062: a large script is as early as a small one", async () => {
    const filler = `// ${"x".repeat(100)}\n`.repeat(5000);
    await browser.eval("eval:installScript", {
      code: userscript(
        { match: "*://*/*", grant: "GM_info", "run-at": "document-start" },
        `${filler}document.documentElement.dataset.early = "big";`,
      ),
    });
    const page = await browser.newPage(`${pages.a}/plain`);
    expect((await firstOf(page)).dataset.early).toBe("big");
    await page.close();
  });
});

describe("pages that no script matches", () => {
  it("have no code of ours: the debugger lists only the page's own scripts", async () => {
    await browser.eval("eval:installScript", {
      code: userscript({ match: "https://example.test/*", grant: "GM_getValue" }, ""),
    });
    await browser.eval("eval:installScript", {
      code: userscript(
        { name: "Excluded here", match: "*://*/*", exclude: `${pages.a}/plain*`, grant: "GM_getValue" },
        "",
      ),
    });
    const scripts = await scriptsOf(`${pages.a}/plain`);
    expect(scripts.filter((url) => !url.startsWith(pages.a))).toEqual([]);
  });

  it("a page that one matches has the runtime once, however many match", async () => {
    for (const name of ["One", "Two", "Three"]) {
      await browser.eval("eval:installScript", {
        code: userscript(
          { name, match: "*://*/*", grant: "GM_getValue" },
          `document.documentElement.dataset.ran = "yes";`,
        ),
      });
    }
    const scripts = await scriptsOf(`${pages.a}/plain`);
    const runtimes = scripts.filter((url) => url.startsWith("moggy-runtime:///runtime"));
    // Three scripts that can meet have three worlds, each with one runtime.
    expect(runtimes).toHaveLength(3);
  });

  async function scriptsOf(url: string): Promise<string[]> {
    const page = await browser.newPage();
    const cdp = await browser.context.newCDPSession(page);
    const urls: string[] = [];
    cdp.on("Debugger.scriptParsed", (event) => urls.push(event.url));
    await cdp.send("Debugger.enable");
    await page.goto(url);
    await page.waitForLoadState("load");
    // A round trip to the page's debugger comes after every script it has reported.
    await cdp.send("Runtime.evaluate", { expression: "1" });
    await page.close();
    // What the driver itself evaluates has no address.
    return urls.filter((u) => u !== "" && !u.startsWith("__playwright") && !u.startsWith("pptr:"));
  }
});

describe("worlds", () => {
  it("@grant none runs in the page's own world, before the page, with GM_info", async () => {
    await browser.eval("eval:installScript", {
      code: userscript(
        { name: "In page", match: "*://*/*", grant: "none", "run-at": "document-start" },
        `window.fromScript = GM_info.script.name; document.documentElement.dataset.early = "page";`,
      ),
    });
    const page = await browser.newPage(`${pages.a}/csp`);
    expect((await firstOf(page)).dataset.early).toBe("page");
    expect(await page.evaluate(() => (window as unknown as { fromScript: string }).fromScript)).toBe(
      "In page",
    );
    await page.close();
  });

  it("C065: SVG and XML documents", async () => {
    await browser.eval("eval:installScript", {
      code: userscript(
        { match: "*://*/*", grant: "GM_info", "run-at": "document-start" },
        `document.documentElement.setAttribute("data-ran", "yes");`,
      ),
    });
    for (const path of ["/svg", "/xml"]) {
      const page = await browser.newPage(`${pages.a}${path}`);
      expect(await page.evaluate(() => document.documentElement.getAttribute("data-ran"))).toBe("yes");
      await page.close();
    }
  });

  it("C064: the top page under CSP runs as well as its frame", async () => {
    await browser.eval("eval:installScript", {
      code: userscript(
        { match: "*://*/*", grant: "GM_info" },
        `document.documentElement.dataset.ran = "yes";`,
      ),
    });
    const page = await browser.newPage(`${pages.a}/csp-frame-host`);
    for (const frame of page.frames()) {
      await expect.poll(() => frame.evaluate(() => document.documentElement.dataset.ran)).toBe("yes");
    }
    await page.close();
  });
});

describe("errors", () => {
  it("appear in the script's log with the script's own lines, in both worlds", async () => {
    for (const grant of ["GM_info", "none"]) {
      await browser.eval("eval:installScript", {
        code: userscript(
          { name: `Throws ${grant}`, match: "*://*/*", grant },
          `\n\nthrow new Error("boom");`,
        ),
      });
    }
    const page = await browser.newPage(`${pages.a}/plain`);
    type Listed = { name: string; errors: Array<{ message: string; stack?: string }> };
    const list = () => browser.eval<Listed[]>("eval:scripts");
    await expect.poll(async () => (await list()).map((s) => s.errors.length)).toEqual([1, 1]);
    for (const { errors } of await list()) {
      expect(errors[0]?.message).toContain("boom");
      // A header of 7 lines and two empty ones.
      expect(errors[0]?.stack).toMatch(/\.user\.js:10:/);
    }
    await page.close();
  });

  it.each(["GM_info", "none"])(
    "a syntax error (@grant %s) is told as the script's, with its line, and stops no other script",
    async (grant) => {
      await browser.eval("eval:installScript", {
        code: userscript({ name: "Broken", match: "*://*/*", grant }, "\nthis is not javascript"),
      });
      await browser.eval("eval:installScript", {
        code: userscript(
          { name: "Sound", match: "*://*/*", grant },
          `document.documentElement.dataset.ran = "yes";`,
        ),
      });
      const page = await browser.newPage(`${pages.a}/plain`);
      await expect.poll(() => page.evaluate(() => document.documentElement.dataset.ran)).toBe("yes");
      type Listed = { name: string; errors: Array<{ message: string }> };
      await expect
        .poll(
          async () =>
            (await browser.eval<Listed[]>("eval:scripts")).find((s) => s.name === "Broken")?.errors[0]
              ?.message,
        )
        .toMatch(/SyntaxError.*line 9/);
      expect((await browser.eval<Listed[]>("eval:scripts")).find((s) => s.name === "Sound")?.errors).toEqual(
        [],
      );
      await page.close();
    },
  );
});
