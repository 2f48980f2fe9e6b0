import { beforeAll, describe, expect, it } from "vitest";
import { KNOWN_GRANTS } from "@/userscripts/grants";
import {
  composeRuntime,
  partFile,
  RUNTIME_BASE,
  RUNTIME_FILES,
  RUNTIME_PARTS,
} from "@/userscripts/runtime-parts";
import { buildRuntime } from "../../../build/runtime-bundles";
import { PROJECT_ROOT } from "../../../scripts/lib/root";
import { createWorld } from "./runtime-world";

let files: Record<string, string>;
beforeAll(async () => {
  files = await buildRuntime({
    root: PROJECT_ROOT,
    shared: {
      resolve: { alias: { "@": `${PROJECT_ROOT}/src` } },
      define: { __EVAL__: "false", __VERSION__: '"1"' },
    },
  });
});

/** What gives a script nothing to call. */
const NO_FUNCTION = ["none", "unsafeWindow", "GM_info", "GM.info"];
const GRANTS = [...KNOWN_GRANTS].filter((grant) => !NO_FUNCTION.includes(grant));

/** A world with the runtime for these grants. */
function worldFor(grants: readonly string[]) {
  const world = createWorld();
  world.evaluate(composeRuntime(files, grants));
  return world;
}

describe("the runtime's files", () => {
  it("are the base and one for each part", () => {
    expect(Object.keys(files).sort()).toEqual([...RUNTIME_FILES].sort());
  });

  it("weigh at most 24 KB with values, requests and agents", () => {
    const code = composeRuntime(files, ["GM_getValue", "GM_xmlhttpRequest", "CAT.agent.conversation"]);
    expect(Buffer.byteLength(code)).toBeLessThanOrEqual(24_000);
  });

  it("have what is shared once, in the base", () => {
    // A sentence of the RPC client, one of its errors, and a name of the event channel, which two parts use and the base does not.
    for (const mark of ["The extension restarted during", "AbortError`,`The operation", "gm.events"]) {
      const holders = Object.keys(files).filter((file) => files[file]?.includes(mark));
      expect({ mark, holders }).toEqual({ mark, holders: [RUNTIME_BASE] });
    }
  });

  it("say nothing that a script could look up: no global is assigned or read but the browser's own", () => {
    const world = createWorld();
    const before = world.evaluate("Object.getOwnPropertyNames(globalThis).join()");
    world.evaluate(composeRuntime(files, GRANTS));
    const after = String(world.evaluate("Object.getOwnPropertyNames(globalThis).join()"));
    expect(after.split(",").filter((name) => !String(before).split(",").includes(name))).toEqual([
      "moggy:boot",
    ]);
    expect(
      world.evaluate("[typeof this['moggy:boot'].run, Object.isFrozen(this['moggy:boot'])].join()"),
    ).toBe("function,true");
  });
});

describe("a world's runtime", () => {
  it.each(GRANTS)("made for %s alone gives a script that, and nothing else", (grant) => {
    const given = worldFor([grant]).run([grant]);
    const [, api, name = ""] = /^(GM_|GM\.|CAT\.agent\.)(.*)$/.exec(grant) ?? [];
    const gm = given.GM as Record<string, unknown>;
    const agent = (given.CAT as { agent: Record<string, unknown> } | undefined)?.agent;
    if (api === "GM_") expect(typeof given[grant]).toBe("function");
    if (api === "GM.") expect(typeof gm[name]).toBe("function");
    if (api === "CAT.agent.") expect(typeof agent?.[name]).toBe("object");
    expect(Object.keys(gm)).toEqual(api === "GM." ? ["info", name] : ["info"]);
    expect(Object.keys(agent ?? {})).toEqual(api === "CAT.agent." ? [name] : []);
  });

  it.each(GRANTS)("has one part at most for %s", (grant) => {
    expect(RUNTIME_PARTS.filter(({ needed }) => needed(grant)).length).toBeLessThanOrEqual(1);
  });

  it("gives each of its scripts what that one was granted, of the parts that they need together", () => {
    const world = worldFor(["GM_getValue", "CAT.agent.model", "GM_log"]);
    expect(Object.keys(world.run(["GM_getValue"]))).toEqual(["GM_info", "GM", "GM_getValue"]);
    const { CAT } = world.run(["CAT.agent.model"]) as { CAT: { agent: object } };
    expect(Object.keys(CAT.agent)).toEqual(["model"]);
    expect(Object.isFrozen(CAT) && Object.isFrozen(CAT.agent)).toBe(true);
    expect(typeof world.run(["GM_log"]).GM_log).toBe("function");
  });

  it("is one for all its parts: values and menu commands of a script share one stream of events", async () => {
    const grants = ["GM_getValue", "GM_addValueChangeListener", "GM_registerMenuCommand"];
    const world = worldFor(grants);
    const given = world.run(grants) as Record<string, (...args: unknown[]) => unknown>;
    expect(given.GM_getValue?.("k")).toBe(1);
    given.GM_addValueChangeListener?.("k", () => undefined);
    given.GM_registerMenuCommand?.("Caption", () => undefined);
    await Promise.resolve();
    expect(world.sent).toEqual(["gm.events.subscribe", "gm.menu.set"]);
  });

  it("does not start twice in a document", () => {
    const world = worldFor(["GM_log"]);
    const boot = world.evaluate("this['moggy:boot']");
    world.evaluate(composeRuntime(files, ["GM_log"]));
    expect(world.evaluate("this['moggy:boot']")).toBe(boot);
  });
});

describe("composing", () => {
  const FAKE = Object.fromEntries([
    [RUNTIME_BASE, "(function(){return (parts)=>{globalThis.started = parts.map((part) => part())}})"],
    ...RUNTIME_PARTS.map(({ name }) => [partFile(name), `(function(){return "${name}," + typeof this})`]),
  ]) as Record<string, string>;
  const started = (grants: string[]) => {
    const world = createWorld();
    world.evaluate(composeRuntime(FAKE, grants));
    return JSON.parse(String(world.evaluate("JSON.stringify(started)"))) as string[];
  };

  it("takes the parts that some grant needs, each once, and strict", () => {
    expect(started([])).toEqual([]);
    expect(started(["GM_info", "GM.log"])).toEqual([]);
    expect(started(["GM.setValue", "GM_getValue", "GM.xmlHttpRequest"])).toEqual([
      "values,undefined",
      "xmlhttp,undefined",
    ]);
    expect(started(["CAT.agent.opfs"])).toEqual(["files,undefined"]);
    expect(started(["CAT.agent.conversation"])).toEqual(["agent,undefined"]);
  });

  it("names its parts for whoever debugs a page", () => {
    expect(composeRuntime(FAKE, ["GM_getValue", "GM_addStyle"])).toMatch(
      /\n\/\/# sourceURL=moggy-runtime:\/\/\/runtime-style-values\.js$/,
    );
  });
});
