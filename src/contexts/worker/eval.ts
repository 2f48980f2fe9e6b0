import type { FileService } from "@/files/service";
import type { LogService } from "@/log/service";
import { SCHEMA_KEY } from "@/migrations/schema";
import type { MoggyDatabase } from "@/platform/db";
import { browserSessionStorage } from "@/platform/session-storage";
import { NamedError, toWireError } from "@/rpc/errors";
import type { SettingsService } from "@/settings/service";
import { RELAY_TOKEN_KEY } from "@/userscripts/identify";
import type { ScriptManager } from "@/userscripts/manager";
import type { ScriptRegistry } from "@/userscripts/registry";
import type { ScriptsService } from "@/userscripts/scripts-service";
import type { ConsentDoor } from "./consent-host";
import type { Engine } from "./engine-host";
import { setEvalPolicy } from "./eval-policy";

export interface EvalDeps {
  files: Pick<FileService, "clear">;
  /** Resolves when the stored data can be used; rejects with why it cannot. */
  ready(): Promise<void>;
  db: MoggyDatabase;
  registry: ScriptRegistry;
  scripts: ScriptsService;
  settings: SettingsService;
  manager: ScriptManager;
  log: LogService;
  consent: Pick<ConsentDoor, "reset">;
  values: { readAllDecoded(uuid: string): Promise<Record<string, unknown>> };
  engine(): Engine;
}

type Message = { type: string } & Record<string, unknown>;

/** Answers the `eval:*` messages by which tests drive the product. Only the eval build contains this. */
export function listenForEval(deps: EvalDeps): void {
  const handlers = evalHandlers(deps);
  chrome.runtime.onMessage.addListener((message: unknown, sender, respond) => {
    if (!isEvalMessage(message) || sender.origin !== new URL(chrome.runtime.getURL("")).origin) return false;
    const run = async () => {
      await deps.ready();
      const handler = handlers[message.type] ?? deps.engine().evalMessages[message.type];
      if (!handler)
        throw new NamedError("NotSupportedError", `This version does not answer "${message.type}".`);
      return handler(message);
    };
    run().then(
      (data) => respond({ ok: true, data }),
      (error: unknown) => respond({ ok: false, error: toWireError(error) }),
    );
    return true;
  });
}

function isEvalMessage(message: unknown): message is Message {
  const type =
    typeof message === "object" && message !== null ? (message as { type?: unknown }).type : undefined;
  return typeof type === "string" && type.startsWith("eval:");
}

function evalHandlers(deps: EvalDeps): Record<string, (params: Message) => Promise<unknown>> {
  const { registry, scripts, settings } = deps;
  return {
    "eval:ready": async () => {
      const { version, userScripts } = await settings.handlers().status({}, neverAborted());
      await deps.manager.reconcile();
      deps.engine();
      return {
        version,
        userScripts,
        debugger: chrome.debugger !== undefined,
        contexts: ["worker", "engine"],
      };
    },
    "eval:policy": async ({ confirm, askUser }) => {
      if (confirm !== "ask" && confirm !== "allow" && confirm !== "deny") {
        throw new NamedError("TypeError", `"confirm" must be "ask", "allow" or "deny".`);
      }
      await setEvalPolicy(browserSessionStorage, { confirm, askUser: optionalText(askUser) });
      return {};
    },
    "eval:installScript": async ({ code, url, enabled }) => {
      const { head, problems } = await scripts.install({
        code: text(code, "code"),
        sourceUrl: optionalText(url),
        enabled: typeof enabled === "boolean" ? enabled : undefined,
      });
      return {
        uuid: head.uuid,
        name: head.name,
        warnings: problems.map((p) => [p.code, ...Object.values(p.params)].join(" ")),
      };
    },
    "eval:removeScript": async ({ uuid }) => {
      await scripts.remove(text(uuid, "uuid"));
      return {};
    },
    "eval:scripts": async () =>
      Promise.all(
        (await registry.list()).map(async (head) => {
          const { uuid, name, enabled, grants, world } = await scripts.summarize(head);
          return { uuid, name, enabled, grants, world, errors: await registry.errors(uuid) };
        }),
      ),
    "eval:values": ({ uuid }) => deps.values.readAllDecoded(text(uuid, "uuid")),
    "eval:setSettings": ({ patch }) => settings.set(patch),
    "eval:tick": async ({ now }) => {
      if (now !== undefined) {
        throw new NamedError(
          "NotSupportedError",
          `This version has no scheduler, whose clock "now" would move.`,
        );
      }
      await deps.engine().resumeRuns();
      const unfinished = await deps.db.runs.where("status").anyOf("running", "waiting").primaryKeys();
      return { resumed: unfinished };
    },
    "eval:clear": () => clearAll(deps),
  };
}

async function clearAll(deps: EvalDeps): Promise<Record<string, never>> {
  await deps.engine().reset();
  await deps.files.clear();
  // What is still to be written would else come after everything is erased.
  await deps.log.settled();
  await eraseTables(deps.db);
  deps.registry.reset();
  // From now on scripts that still run are refused; what they had been allowed before came in the meantime.
  await eraseTables(deps.db);
  // No one's data, but part of the installation: the relay's token, which documents that are open hold, and the form of what is stored.
  const kept = await chrome.storage.local.get([RELAY_TOKEN_KEY, SCHEMA_KEY]);
  await chrome.storage.local.clear();
  await chrome.storage.local.set(kept);
  await chrome.alarms.clearAll();
  deps.settings.reset();
  await deps.consent.reset();
  await deps.log.announce();
  await deps.manager.reconcile();
  return {};
}

async function eraseTables(db: MoggyDatabase): Promise<void> {
  await db.transaction("rw", db.tables, () => Promise.all(db.tables.map((table) => table.clear())));
}

function neverAborted() {
  const caller = {
    kind: "page",
    tabId: -1,
    frameId: 0,
    documentId: "",
    origin: "",
    url: "",
    incognito: false,
  } as const;
  return { caller, signal: new AbortController().signal };
}

function text(value: unknown, name: string): string {
  if (typeof value !== "string") throw new NamedError("TypeError", `"${name}" must be a string.`);
  return value;
}

function optionalText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
