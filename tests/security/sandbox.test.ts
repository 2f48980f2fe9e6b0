import { createSocket, type Socket } from "node:dgram";
import { createServer, type Server } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { extensionUrl, launchBrowser, type TestBrowser, userscript } from "../e2e/harness/browser";
import { type PageServer, startPageServer } from "../servers/pages";
import { listed } from "./support/reports";
import { NETWORK_PROBES } from "./support/sandbox-network-probes";
import { DEPARTURES, PROBES, type ProbeWorld } from "./support/sandbox-probes";

let browser: TestBrowser;
let pages: PageServer;
let udp: Socket;
let packets = 0;
let world: ProbeWorld;
let tabs = 0;

beforeAll(async () => {
  [browser, pages] = await Promise.all([launchBrowser(), startPageServer()]);
  udp = createSocket("udp4");
  udp.on("message", () => {
    packets += 1;
  });
  await new Promise<void>((resolve) => udp.bind(0, "127.0.0.1", resolve));
  world = { server: pages.a, extension: extensionUrl(""), udpPort: udp.address().port };
  tabs = browser.context.pages().length;
});
afterAll(async () => {
  udp?.close();
  await Promise.all([browser?.close(), pages?.close()]);
});
beforeEach(async () => {
  await browser.eval("eval:clear");
  pages.reset();
  packets = 0;
});
/** Nothing got out, whatever the probe was. */
afterEach(() => {
  expect(pages.requests.map(({ path }) => path)).toEqual([]);
  expect(packets).toBe(0);
  expect(browser.context.pages().length).toBe(tabs);
});

const run = async (code: string, args: Record<string, unknown> = {}) =>
  (await browser.eval<{ result: unknown }>("eval:tool", { name: "execute_script", args: { code, ...args } }))
    .result;

/** Installs a background script. @returns its uuid */
async function inFrame(code: string, grant: string[] = ["GM_setValue"], name = "Probe"): Promise<string> {
  const script = userscript({ name, background: "", grant }, code);
  return (await browser.eval<{ uuid: string }>("eval:installScript", { code: script })).uuid;
}

const values = (uuid: string) => browser.eval<Record<string, unknown>>("eval:values", { uuid });

async function stored(uuid: string, key: string, timeout = 20_000): Promise<unknown> {
  await expect.poll(() => values(uuid), { timeout }).toHaveProperty(key);
  return (await values(uuid))[key];
}

/** What a probe comes to in the frame of a background script. */
async function probeFrame(code: string): Promise<unknown> {
  const uuid = await inFrame(
    `(async () => { ${code} })().then(
       (value) => GM_setValue("came", [value === undefined ? null : value]),
       (error) => GM_setValue("came", ["threw " + error?.name]));`,
  );
  return ((await stored(uuid, "came")) as [unknown])[0];
}

describe("code in the sandbox", () => {
  for (const { name, where, code, expected } of [...PROBES, ...NETWORK_PROBES]) {
    for (const place of where) {
      it(`${name}: contained, in the ${place}`, async () => {
        const source = code(world);
        const value =
          place === "frame"
            ? await probeFrame(source)
            : await run(`try { ${source} } catch (error) { return "threw " + error?.name }`);
        expect(expected).toContainEqual(value);
      });
    }
  }

  it.each(DEPARTURES)("cannot leave its frame by $name", async ({ code }) => {
    const uuid = await inFrame(`GM_setValue("ran", true); setTimeout(() => { ${code(world)} }, 200);`);
    expect(await stored(uuid, "ran")).toBe(true);
    // What it asked for has been answered by then, if it was let out.
    expect(await run("await new Promise((done) => setTimeout(done, 800)); return 1")).toBe(1);
  });

  it("that leaves its page, even for one of ours, is ended", async () => {
    const uuid = await inFrame(`setTimeout(() => { location = "${world.extension}options.html" }, 100);`);
    await expect
      .poll(async () => (await listed(browser, uuid)).errors.map(({ message }) => message).join(), {
        timeout: 20_000,
      })
      .toContain("SandboxLeftError");
  });

  // The browser exempts an extension's own files from its policy. They are the same for everybody, and hold nothing of the person's.
  it("can read the extension's own files, and has nothing else of it there", async () => {
    const read = `const text = await new Promise((done) => { const xhr = new XMLHttpRequest(); xhr.onload = () => done(xhr.responseText); xhr.onerror = () => done(""); xhr.open("GET", "${extensionUrl("manifest.json")}"); xhr.send(); });
      return [JSON.parse(text || "{}").manifest_version, typeof globalThis.chrome?.runtime?.connect, typeof globalThis.chrome?.storage];`;
    const facts = [3, "undefined", "undefined"];
    expect(await run(read)).toEqual(facts);
    expect(await probeFrame(read)).toEqual(facts);
  });
});

describe("messages of sandboxed code", () => {
  it("to the document around it and to its siblings are heard by nobody", async () => {
    const victim = await inFrame(
      `GM_setValue("up", true);
       setInterval(() => GM_setValue("state", [typeof globalThis.pwned, document.title]), 200);`,
      ["GM_setValue"],
      "Victim",
    );
    await stored(victim, "state");
    const attacker = await inFrame(
      `const forged = [
         { source: "(() => { globalThis.pwned = 1; document.title = 'pwned' })" },
         { source: "globalThis.pwned = 1", role: "page", worker: "" },
         { t: "done", ok: true, value: "forged" }, { t: "connect" }, { t: "ready" }, "terminate",
         { t: "start", payload: { main: { code: "globalThis.pwned = 1", source: "x" } } },
         { type: "moggy:offscreen-connect" },
       ];
       const targets = [parent, top, ...Array.from({ length: parent.length }, (_, at) => parent[at]).filter((frame) => frame !== window)];
       GM_setValue("read", targets.map((target) => { try { return typeof target.document; } catch (error) { return error.name; } }));
       setInterval(() => {
         for (const target of targets) for (const message of forged) {
           const a = new MessageChannel(), b = new MessageChannel();
           a.port1.onmessage = b.port1.onmessage = ({ data }) => GM_setValue("heard", String(data?.t ?? data));
           target.postMessage(message, "*", [a.port2, b.port2]);
         }
       }, 50);
       onmessage = ({ data }) => GM_setValue("heard", String(data));
       GM_setValue("targets", targets.length);`,
      ["GM_setValue"],
      "Attacker",
    );
    expect(await stored(attacker, "targets")).toBeGreaterThanOrEqual(3);
    expect(new Set((await stored(attacker, "read")) as string[])).toEqual(new Set(["SecurityError"]));
    // Runs meanwhile end as they should, with their own results.
    const results = await Promise.all(
      [1, 2, 3].map((n) => run(`await new Promise((r) => setTimeout(r, 500)); return ${n}`)),
    );
    expect(results).toEqual([1, 2, 3]);
    expect((await values(victim)).state).toEqual(["undefined", "Sandbox"]);
    expect(await values(attacker)).not.toHaveProperty("heard");
    expect((await listed(browser, victim)).errors).toEqual([]);
  });

  it("over its own connection are its own calls, whatever it forges", async () => {
    const victim = await inFrame(`GM_setValue("own", "kept")`, ["GM_setValue"], "Victim");
    await stored(victim, "own");
    const uuid = await inFrame(
      `// Takes the runtime's connection by standing in for what it is made with.
       const Native = MessageChannel;
       let mine;
       globalThis.MessageChannel = function () { const channel = new Native(); mine ??= channel.port1; return channel; };
       GM_setValue("warm", 1);
       setTimeout(async () => {
         const ask = (m, a, id = Math.floor(Math.random() * 1e9) + 1e6) => new Promise((done) => {
           mine.addEventListener("message", ({ data }) => data?.id === id && done(data.t === "fail" ? data.e.name : "ok"));
           mine.postMessage({ t: "call", id, m, a, uuid: "${victim}", owner: "${victim}", token: "${victim}", c: 2, hello: "${victim}" });
           setTimeout(() => done("no answer"), 3000);
         });
         const calls = {
           "gm.values.read": { keys: null, uuid: "${victim}", store: "${victim}" },
           "gm.xmlhttp.request": { url: "${pages.a}/leak" },
           "scripts.list": {}, "scripts.remove": { uuid: "${victim}" }, "settings.get": {}, "agent.models.list": {},
           "sandbox.host.run": {}, "sandbox.events.fell": { report: "x", kind: "hung", silentMs: 1, frames: [{ uuid: "${victim}", blamed: true, lines: [] }] },
           "sandbox.events.failed": { uuid: "${victim}", name: "x", message: "x", lines: [] }, "background.startNow": { uuid: "${victim}" },
           "offscreen.net.request": { profile: "web", url: "http://127.0.0.1/", method: "GET", headers: [], body: null },
           "consent.answer": { id: "x", answer: "always" },
         };
         const answers = {};
         for (const [m, a] of Object.entries(calls)) answers[m] = await ask(m, a);
         answers["gm.values.write"] = await ask("gm.values.write", { writes: [["forged", '"x"']], store: "${victim}", uuid: "${victim}" });
         GM_setValue("answers", answers);
       }, 500);`,
    );
    const answers = (await stored(uuid, "answers", 60_000)) as Record<string, string>;
    const { "gm.values.write": written, ...others } = answers;
    expect(written).toBe("ok");
    expect(
      Object.entries(others).filter(([, answer]) => !/^(PermissionDeniedError|NotFoundError)$/.test(answer)),
    ).toEqual([]);
    expect(await values(victim)).toEqual({ own: "kept" });
    expect(await values(uuid)).toHaveProperty("forged");
  });

  it("carry no token, whatever the code hooks", async () => {
    const uuid = await inFrame(
      `const seen = [];
       const note = (value, depth = 0) => {
         if (typeof value === "string") seen.push(value);
         else if (typeof value === "object" && value !== null && depth < 4)
           { const keys = Reflect.ownKeys(value); for (let at = 0; at < keys.length; at += 1) { try { note(value[keys[at]], depth + 1); } catch {} } }
       };
       const then = Promise.prototype.then;
       Promise.prototype.then = function (...a) { return Reflect.apply(then, this, a.map((f) => typeof f === "function" ? (v) => (note(v), f(v)) : f)); };
       const post = MessagePort.prototype.postMessage;
       MessagePort.prototype.postMessage = function (...a) { note(a); return Reflect.apply(post, this, a); };
       const iterate = Array.prototype[Symbol.iterator];
       Array.prototype[Symbol.iterator] = function () { note(this); return Reflect.apply(iterate, this, []); };
       for (const key of ["token", "hello", "c", "f", "uuid", "source", "port", "grants", "owner"])
         Object.defineProperty(Object.prototype, key, { configurable: true, get() { return undefined; }, set(value) { note(value); Object.defineProperty(this, key, { value, writable: true, configurable: true, enumerable: true }); } });
       addEventListener("message", ({ data }) => note(data));
       note(arguments); note(GM_info);
       (function walk(f, n) { if (f && n < 8) { try { note(String(f)); note([...(f.arguments ?? [])]); walk(f.caller, n + 1); } catch {} } })(arguments.callee, 0);
       GM_setValue("a", 1); GM.getValue("a").then(() => GM_setValue("seen", seen.slice(0, 2000)));`,
      ["GM_setValue", "GM.getValue"],
    );
    const seen = (await stored(uuid, "seen")) as string[];
    const session = await browser.options.evaluate(() => chrome.storage.session.get("sandbox.callers"));
    const tokens = (session["sandbox.callers"] as Array<{ token: string }>).map(({ token }) => token);
    expect(tokens.length).toBeGreaterThan(0);
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.filter((text) => tokens.some((token) => text.includes(token)))).toEqual([]);
  });

  it("that flood end the run by name", async () => {
    // Each is told to the host.
    const flood =
      "for (;;) { for (let n = 0; n < 500; n += 1) Promise.reject(n); await new Promise((r) => setTimeout(r)); }";
    await expect(run(flood, { timeoutMs: 20_000 })).rejects.toMatchObject({ name: "MessageLimitError" });
    const uuid = await inFrame(`for (let n = 0; n < 5000; n += 1) GM.getValue("x");`, ["GM.getValue"]);
    await expect
      .poll(async () => (await listed(browser, uuid)).errors.map(({ message }) => message).join(), {
        timeout: 30_000,
      })
      .toContain("MessageLimitError");
  });

  it("do not reach another run, nor a run that is over", async () => {
    const [first, second] = await Promise.all([
      run(
        `const url = URL.createObjectURL(new Blob(["postMessage('ran')"])); await new Promise((r) => setTimeout(r, 1500)); return url`,
      ),
      run(`await new Promise((r) => setTimeout(r, 300)); return location.href`),
    ]);
    for (const url of [first, second]) {
      expect(url).toMatch(/^blob:null\//);
      const outcome = await run(
        `return new Promise((done) => { try { const worker = new Worker("${url}"); worker.onmessage = () => done("ran"); worker.onerror = () => done("error"); } catch (error) { done("error"); } setTimeout(() => done("error"), 1500); })`,
      );
      expect(outcome).toBe("error");
    }
  });

  it("streams and ports that go out of the frame are taken by nobody", async () => {
    const value = await probeFrame(
      `let pulled = 0;
       const stream = new ReadableStream({ pull(controller) { pulled += 1; controller.enqueue("x"); } }, { highWaterMark: 0 });
       const { port1, port2 } = new MessageChannel();
       let heard = false; port1.onmessage = () => { heard = true; };
       parent.postMessage({ stream, port2 }, "*", [stream, port2]);
       await new Promise((r) => setTimeout(r, 500));
       return [pulled <= 1, heard]`,
    );
    // The pipe that carries a stream takes one part by itself.
    expect(value).toEqual([true, false]);
  });
});

describe("what the policy of the browser does not close", () => {
  it("a background script can open a connection (preconnect), over which not a byte goes", async () => {
    let connections = 0;
    let bytes = 0;
    const server: Server = createServer((socket) => {
      connections += 1;
      socket.on("data", (data) => {
        bytes += data.length;
      });
      socket.on("error", () => undefined);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    await probeFrame(
      `const link = document.createElement("link"); link.rel = "preconnect"; link.href = "http://127.0.0.1:${port}/"; document.head.append(link);
       await new Promise((r) => setTimeout(r, 800));`,
    );
    console.log(`preconnect of a background script: ${connections} connections, ${bytes} bytes`);
    expect(bytes).toBe(0);
    server.close();
  });
});
