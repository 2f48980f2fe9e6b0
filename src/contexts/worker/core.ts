import "../jitless";

import { eraseOwner } from "@/agent/services/erase-owner";
import { registerGmHandlers } from "@/gm/handlers";
import { tellingBox } from "@/log/telling-box";
import { dataContract } from "@/migrations/contract";
import { OffscreenConnection } from "@/offscreen/link";
import { onPageConnect, onScriptConnect } from "@/platform/connections";
import { documentsOf } from "@/platform/documents";
import { keepalive } from "@/platform/keepalive";
import { watchNavigations } from "@/platform/navigations";
import { browserOffscreen } from "@/platform/offscreen";
import { stripOwnOrigin } from "@/platform/own-origin";
import { detailsUrl, openTab, readPlatform, tabUrl } from "@/platform/product";
import { browserPromptWindows } from "@/platform/prompt-window";
import { browserHopFetcher } from "@/platform/redirects";
import { createSecretBox } from "@/platform/secrets";
import { browserSessionStorage } from "@/platform/session-storage";
import { browserStorage, lockStorage } from "@/platform/storage";
import { browserUserScripts } from "@/platform/user-scripts";
import { NOWHERE } from "@/rpc/caller";
import { listenToAll } from "@/rpc/listeners";
import { Router } from "@/rpc/server";
import { acceptMux } from "@/rpc/transports/mux";
import { portTransport } from "@/rpc/transports/port";
import { backgroundScripts } from "@/sandbox/background-scripts";
import { isSandboxDocument } from "@/sandbox/types";
import { settingsContract } from "@/settings/contract";
import { SettingsService } from "@/settings/service";
import { BOOT_NAME } from "@/userscripts/boot-protocol";
import { scriptsContract } from "@/userscripts/contract";
import { fetchSource } from "@/userscripts/fetch-source";
import { readsValuesSynchronously } from "@/userscripts/grants";
import { identify, relayTokenReader } from "@/userscripts/identify";
import { ScriptManager } from "@/userscripts/manager";
import { ScriptRegistry } from "@/userscripts/registry";
import { ScriptsService } from "@/userscripts/scripts-service";
import type { ScriptError } from "@/userscripts/types";
import { createConsentDoor } from "./consent-host";
import type { Engine } from "./engine-host";
import { listenForEval } from "./eval";
import { readEvalPolicy } from "./eval-policy";
import { createFilesDoor } from "./files-host";
import { LazyScript, primeLazyScripts } from "./lazy-script";
import { createGatedStores } from "./migrations-host";
import { serveOffscreen } from "./offscreen-service";
import { readPageParts } from "./page-parts";
import { createSandboxDoor } from "./sandbox-host";
import { createTelling } from "./telling";

/*
 * Evaluated at every start of the worker: listeners first and in this very turn, since the browser delivers the event that woke
 * the worker only to listeners that exist by then. Nothing here waits for anything.
 */
const now = () => Date.now();
// Everything stored is behind a gate, shut while its form is not this version's.
const { gate, db, storage } = createGatedStores(browserStorage, keepalive);
const relayToken = relayTokenReader(storage);
const router = new Router({ admit: gate.admit, explain: gate.explain });
const registry = new ScriptRegistry(db, now);
const engineScript = new LazyScript("engine.js", () => globalThis.moggyEngine);
const suffixScript = new LazyScript("suffixes.js", () => globalThis.moggySuffixes);
const checkScript = new LazyScript("install-check.js", () => globalThis.moggyInstallCheck);
const offscreen = new OffscreenConnection({
  platform: browserOffscreen,
  keepalive,
  report: (during, error) => report(during, error),
});

const settings = new SettingsService(storage, {
  status: async () => {
    const userScripts = await browserUserScripts.available();
    // The browser tells nobody that its switch was turned on; a page that asks how things stand is the first to notice.
    // Said in every state of the data; without it nothing can be registered.
    if (userScripts && gate.state.kind === "ok") await manager.ensure();
    const { browserVersion } = await readPlatform();
    return { version: __VERSION__, userScripts, detailsUrl: detailsUrl(), browser: browserVersion };
  },
  openDetails: () => openTab(detailsUrl()),
});
const { log, attention, report, told } = createTelling({ db, storage, router, settings, now });

const consent = createConsentDoor({
  router,
  db,
  session: browserSessionStorage,
  windows: browserPromptWindows,
  documents: documentsOf,
  scriptName: async (uuid) => (await registry.get(uuid))?.name,
  waitSeconds: async () => (await settings.get()).consentWaitSeconds,
  policy: __EVAL__ ? async () => (await readEvalPolicy(browserSessionStorage)).confirm : undefined,
  onOpen: (count) => attention.questions(count),
  onUnattended: (prompt) => attention.unattended(prompt),
  report,
  now,
});

const files = createFilesDoor({ router, db, offscreen, keepalive, now });
const hops = browserHopFetcher(browserSessionStorage, stripOwnOrigin);
const gm = registerGmHandlers({
  router,
  db,
  scripts: {
    get: (uuid) => registry.get(uuid),
    recordError: recordScriptError,
  },
  wake: async ({ tabId, documentId, uuid }) => {
    if (isSandboxDocument(documentId)) return sandboxed.parts().wake(documentId);
    return browserUserScripts.execute(
      { tabId, documentId },
      await manager.worldOf(uuid),
      `this[${JSON.stringify(BOOT_NAME)}]?.wake(${JSON.stringify(uuid)})`,
    );
  },
  documents: (tabId) => (tabId === NOWHERE.tabId ? sandboxed.parts().documents() : documentsOf(tabId)),
  valuesChanged: (uuid) => {
    // Only registrations of such scripts carry values; others need not be made anew.
    const { grants = [], background = false } = registry.running(uuid)?.metadata ?? {};
    if (!background && readsValuesSynchronously(grants)) manager.valuesChanged();
  },
  sameSite: async (a, b) => {
    if (a === b) return true;
    const { registrableDomain } = suffixScript.load();
    const domain = registrableDomain(a);
    return domain !== null && domain === registrableDomain(b);
  },
  fetchHop: hops.fetchHop,
  consent: {
    known: (request) => consent.known(request),
    // What runs in the sandbox has a time limit, which stands still meanwhile.
    ask: (request, options) => sandboxed.whileAsking(request.runId, () => consent.ask(request, options)),
  },
  keepalive,
  session: browserSessionStorage,
  report,
  now,
});

const manager = new ScriptManager({
  api: browserUserScripts,
  session: browserSessionStorage,
  registry,
  settings: () => settings.get(),
  values: (uuid) => gm.values.readAll(uuid),
  pageParts: async () => readPageParts(await relayToken()),
  product: { version: __VERSION__, platform: readPlatform },
  watchNavigations,
  report,
  now,
});

const sandboxed = createSandboxDoor({
  router,
  offscreen,
  session: browserSessionStorage,
  version: __VERSION__,
  ...backgroundScripts({
    registry,
    settings: () => settings.get(),
    values: (uuid) => gm.values.readAll(uuid),
    product: { version: __VERSION__, platform: readPlatform },
  }),
  recordError: recordScriptError,
  report,
  told,
  now,
});
const followBackground = () => void told("Bringing the background scripts in line", sandboxed.changed());
registry.onChange(followBackground);
settings.onChange(followBackground);

const scripts = new ScriptsService({
  registry,
  check: (code) => checkScript.load()(code),
  reconcile: async () => void (await manager.reconcile()),
  stopRuns: async (uuid) => {
    await consent.stop(`script:${uuid}`);
    if (await hasUnfinishedRuns()) await loadEngine().stopScript(uuid);
  },
  noticesFor: (uuid) => manager.notices(uuid),
  backgroundStatus: (uuid) => sandboxed.status(uuid),
  tabUrl,
  commandsFor: (tabId) => gm.menu.commandsFor(tabId),
  runCommand: (tabId, key) => gm.menu.run(tabId, key),
  fetchText: (url) => fetchSource(url, ownFetch),
  onChange: (listener) => listenToAll([registry.onChange, gm.menu.onChange, sandboxed.onChange], listener),
});

async function recordScriptError(error: Omit<ScriptError, "at" | "name">): Promise<void> {
  const head = await registry.get(error.uuid);
  if (head) await registry.recordError({ ...error, name: head.name });
}

/** For requests of our own: they wait until the rule is in force that takes our origin off them. */
async function ownFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  await stripOwnOrigin();
  return fetch(input, init);
}

let engine: Engine | undefined;
/** The agent half of the worker, loaded when something first needs it. */
function loadEngine(): Engine {
  engine ??= engineScript.load().create({
    db,
    router,
    secrets: tellingBox(createSecretBox(), log.secrets),
    storage,
    session: browserSessionStorage,
    keepalive,
    fetch: ownFetch,
    report,
    offscreen,
    sandbox: sandboxed.sandbox,
  });
  return engine;
}

router.register(scriptsContract, scripts.handlers());
router.register(settingsContract, settings.handlers());
router.register(dataContract, gate.handlers());
router.registerLazy("agent.", async () => void loadEngine());

onPageConnect((port, place) => router.serve(portTransport(port), { kind: "page", ...place }));
onScriptConnect((port, place) =>
  acceptMux(
    port,
    async (token) => {
      // The reads that identify() makes wait for data that a person may yet save; a script is told at once.
      const [relay] = await Promise.all([relayToken(), gate.ready()]);
      return identify(registry, relay, token, place);
    },
    (transport, caller) => router.serve(transport, caller),
  ),
);
serveOffscreen({
  router,
  offscreen,
  fetchHop: hops.fetchHop,
  consent,
  acceptSandbox: (port) => sandboxed.parts().accept(port),
  report,
});

addEventListener("install", primeLazyScripts);
chrome.runtime.onInstalled.addListener(() => void told("Registering the scripts anew", manager.renew()));
chrome.runtime.onStartup.addListener(() => void told("Emptying the bin", emptyBin()));
settings.onChange(() => void told("Bringing the scripts in line with the settings", manager.reconcile()));

/** Removed scripts can be restored until the browser starts anew; then they go for good, with their values and conversations. */
async function emptyBin(): Promise<void> {
  await registry.emptyBin(async (uuid) => {
    await gm.values.clear(uuid);
    await consent.forget(`script:${uuid}`);
    await eraseOwner(db, uuid, now());
  });
  await files.load().tidy();
}

/** Brings the browser in line with what is stored, and takes up unfinished runs. Once a start; a part that fails stops no other. */
async function start(): Promise<void> {
  await Promise.all([
    told("Closing the storage to pages", lockStorage()),
    told("Taking our origin off requests", stripOwnOrigin()),
    told("Clearing a listener of an earlier start", hops.clearLeftover()),
    told("Registering the scripts", manager.ensure()),
    told("Starting the background scripts", sandboxed.ensure()),
  ]);
  await told("Taking up unfinished agent runs", resumeRuns());
}

async function resumeRuns(): Promise<void> {
  if (await hasUnfinishedRuns()) await loadEngine().resumeRuns();
}

async function hasUnfinishedRuns(): Promise<boolean> {
  return (await db.runs.where("status").anyOf("running", "waiting", "erasing").count()) > 0;
}

if (__EVAL__) {
  listenForEval({
    ready: () => gate.ready(),
    db,
    registry,
    scripts,
    settings,
    values: gm.values,
    manager,
    log,
    consent,
    files: { clear: () => files.load().files.clear() },
    engine: loadEngine,
  });
}
void start();
