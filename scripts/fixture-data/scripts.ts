import { createHash } from "node:crypto";
import { userscript } from "../../tests/e2e/harness/browser";
import { callWorker } from "../../tests/e2e/harness/rpc";
import type { FixtureContents, ScriptFact } from "./contents";
import { KEEPER, keeperCode } from "./keeper";
import type { Area, Stage } from "./stage";

/** What these leave on a page shows that they ran there, and that they read what was stored before. */
const SCRIPTS = [
  keeperCode,
  userscript(
    {
      name: "Painter",
      match: "*://*/plain*",
      "run-at": "document-start",
      grant: ["GM_getValue", "GM_setValue"],
    },
    `GM_setValue("painted", GM_getValue("painted", 0) + 1);
document.documentElement.dataset.painter = "painted";`,
  ),
  userscript(
    { name: "Page helper", match: "*://*/plain*", grant: "none" },
    `document.documentElement.dataset.pageHelper = window.__pageHelper = "helped";`,
  ),
  userscript(
    { name: "Sleeping", match: "*://*/*", grant: "none" },
    `document.documentElement.dataset.sleeping = "awake";`,
  ),
  userscript(
    {
      name: "Wörterbuch 词典 🐱",
      namespace: "https://例え.example/ünï",
      match: "*://*/plain*",
      grant: "GM_addStyle",
    },
    `document.documentElement.dataset.dictionary = "gefunden: 词";`,
  ),
  userscript(
    { name: "Faulty", match: "*://*/plain*", grant: "GM_info" },
    `Promise.reject(new TypeError("nobody caught this"));
throw new Error("this script fails");`,
  ),
  userscript(
    { name: "Night watch", background: "", grant: ["GM.setValue"] },
    `GM.setValue("watching", true);`,
  ),
  userscript(
    { name: "Moved by hand", match: "*://*/plain*", grant: "GM_info" },
    `document.documentElement.dataset.moved = "here";`,
  ),
];
const THROWN_AWAY = userscript(
  { name: "Thrown away", match: "*://*/plain*", grant: ["GM.setValue", "GM.getValue"] },
  `GM.setValue("rest", "still here").then(() => { document.documentElement.dataset.thrownAway = "ran"; });`,
);
/** What a person added to the rules of "Moved by hand": it runs elsewhere than it says. */
const MOVED = { matches: ["*://*/page/moved*"], excludes: ["*://*/plain*"] };

/** Scripts of each kind: isolated, of the page, switched off, moved by a person, with errors in its log. */
export const scriptsArea: Area = {
  name: "scripts",
  session: "first",
  async fill(stage) {
    const { browser, pages } = stage;
    for (const code of [...SCRIPTS, THROWN_AWAY]) await browser.eval("eval:installScript", { code });
    const uuidOf = await uuids(stage);
    const wait = await stage.openKeeper();
    await wait.locator(":root[data-thrown-away]").waitFor({ state: "attached" });
    await wait.close();

    await callWorker(browser.options, "scripts.setEnabled", { uuid: uuidOf("Sleeping"), enabled: false });
    const order = [
      "Painter",
      KEEPER,
      "Faulty",
      "Moved by hand",
      "Page helper",
      "Wörterbuch 词典 🐱",
      "Sleeping",
      "Night watch",
    ];
    await callWorker(browser.options, "scripts.reorder", { uuids: order.map(uuidOf) });
    await waitForErrors(stage, uuidOf("Faulty"), 2);
    await override(stage, uuidOf("Moved by hand"), MOVED);
    pages.requests.length = 0;
    return {};
  },
};

/** One script in the bin, which is emptied when the browser starts; then what all scripts are like. */
export const binArea: Area = {
  name: "the bin",
  session: "last",
  async fill(stage): Promise<Partial<FixtureContents>> {
    const uuidOf = await uuids(stage);
    const facts = await scriptFacts(stage);
    const otherValues: FixtureContents["otherValues"] = {};
    for (const uuid of ["Painter", "Thrown away", "Night watch"].map(uuidOf))
      otherValues[uuid] = await stage.browser.eval("eval:values", { uuid });
    await stage.browser.eval("eval:removeScript", { uuid: uuidOf("Thrown away") });
    return {
      otherValues,
      scripts: facts.map((fact) => (fact.name === "Thrown away" ? { ...fact, removed: true } : fact)),
      order: facts.map(({ name }) => name).filter((name) => name !== "Thrown away"),
    };
  },
};

interface Summary {
  uuid: string;
  name: string;
  enabled: boolean;
  world: "isolated" | "page";
}

const list = (stage: Stage) => callWorker<Summary[]>(stage.browser.options, "scripts.list");

async function uuids(stage: Stage): Promise<(name: string) => string> {
  const byName = new Map((await list(stage)).map(({ name, uuid }) => [name, uuid]));
  return (name) => {
    const uuid = byName.get(name);
    if (!uuid) throw new Error(`There is no script "${name}".`);
    return uuid;
  };
}

async function scriptFacts(stage: Stage): Promise<ScriptFact[]> {
  const { options } = stage.browser;
  return Promise.all(
    (await list(stage)).map(async ({ uuid, name, enabled, world }) => {
      const { code } = await callWorker<{ code: string }>(options, "scripts.get", { uuid });
      const errors = await callWorker<Array<{ message: string }>>(options, "scripts.errors", { uuid });
      return {
        uuid,
        name,
        enabled,
        world,
        code: createHash("sha256").update(code).digest("hex"),
        ...(name === "Moved by hand" && { overrides: MOVED }),
        errors: errors.map(({ message }) => message),
      };
    }),
  );
}

async function waitForErrors(stage: Stage, uuid: string, least: number): Promise<void> {
  const giveUp = Date.now() + 20_000;
  for (;;) {
    const found = await callWorker<unknown[]>(stage.browser.options, "scripts.errors", { uuid });
    if (found.length >= least) return;
    if (Date.now() > giveUp)
      throw new Error(`A script's log has ${found.length} errors; ${least} were to come.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Straight into the database, for there is no door for it yet; the worker reads it at its next start. */
async function override(stage: Stage, uuid: string, overrides: typeof MOVED): Promise<void> {
  await stage.browser.options.evaluate(
    ([id, changed]) =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open("moggy");
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const transaction = opening.result.transaction("scripts", "readwrite");
          const scripts = transaction.objectStore("scripts");
          const asking = scripts.get(id);
          asking.onsuccess = () => scripts.put({ ...asking.result, overrides: changed });
          transaction.onabort = () => reject(transaction.error);
          transaction.oncomplete = () => {
            opening.result.close();
            resolve();
          };
        };
      }),
    [uuid, overrides] as const,
  );
}
