import type { CallContext } from "@/rpc/caller";
import type { Handlers } from "@/rpc/contract";
import { NamedError } from "@/rpc/errors";
import { follow } from "@/rpc/follow";
import type { BackgroundStatus } from "@/sandbox/types";
import type { ScriptsContract } from "./contract";
import type { InstallCheck } from "./install";
import type { ScriptMetadata } from "./metadata";
import { compareVersions } from "./metadata/version";
import { effectiveRunAt } from "./plan";
import { identityOf, type ScriptRegistry } from "./registry";
import { rulesOf } from "./rules";
import type { InstallPreview, MenuCommand, ScriptHead, ScriptProblem, ScriptSummary } from "./types";
import { worldFor } from "./world-for";

/** What the service needs of the world around it. */
export interface ScriptsServiceDeps {
  registry: ScriptRegistry;
  /** Reads a script for installation; what does so is loaded when it is first needed. */
  check(code: string): InstallCheck;
  /** Brings the browser's registrations in line; resolves when they are. */
  reconcile(): Promise<void>;
  /** Why a script does not run as it asked (no world left, refused by the browser). */
  noticesFor(uuid: string): Promise<ScriptProblem[]>;
  /** How a background script is doing. */
  backgroundStatus(uuid: string): Promise<BackgroundStatus>;
  /** Ends the agent runs of a script, whose open pages may wait for an answer that nobody should pay for any more. */
  stopRuns(uuid: string): Promise<void>;
  tabUrl(tabId: number): Promise<string>;
  commandsFor(tabId: number): Promise<MenuCommand[]>;
  runCommand(tabId: number, key: string): Promise<void>;
  fetchText(url: string): Promise<{ code: string; url: string }>;
  /** Runs `listener` at each change that lists should show; returns a function that stops it. */
  onChange(listener: () => void): () => void;
}

/** Managing scripts: what options, popup and install page call. */
export class ScriptsService {
  #revision = 0;

  constructor(private readonly deps: ScriptsServiceDeps) {}

  /** Installs or updates; rejects with InstallRefusedError, whose data are the problems. */
  async install(input: { code: string; sourceUrl?: string; enabled?: boolean }) {
    // Half a surrogate pair, which only pasted text can have, is no text to the browser: it would lose the whole registration.
    const code = input.code.toWellFormed();
    const { ok, problems, metadata } = this.deps.check(code);
    if (!ok || !metadata) {
      const errors = problems.filter((p) => p.severity === "error");
      const named = errors
        .map((p) => `line ${p.line}: ${p.code} ${Object.values(p.params).join(" ")}`.trim())
        .join("; ");
      throw new NamedError("InstallRefusedError", `The script cannot be installed. ${named}`, {
        data: problems,
      });
    }
    const head = await this.deps.registry.install({ ...input, code, metadata });
    await this.deps.reconcile();
    return { head, problems };
  }

  async remove(uuid: string): Promise<void> {
    await this.deps.registry.remove(uuid);
    await this.deps.stopRuns(uuid);
    await this.deps.reconcile();
  }

  async summarize(head: ScriptHead): Promise<ScriptSummary> {
    const errors = await this.deps.registry.errors(head.uuid);
    const { background } = head.metadata;
    return {
      uuid: head.uuid,
      ...describe(head.metadata, effectiveRunAt(head)),
      enabled: head.enabled,
      position: head.position,
      background: background && head.enabled ? await this.deps.backgroundStatus(head.uuid) : undefined,
      notices: [...(background ? [] : rulesOf(head).problems), ...(await this.deps.noticesFor(head.uuid))],
      errorCount: errors.length,
      lastError: errors[0],
      installedAt: head.installedAt,
      updatedAt: head.updatedAt,
      sourceUrl: head.sourceUrl,
    };
  }

  handlers(): Handlers<ScriptsContract, CallContext> {
    const { registry } = this.deps;
    return {
      list: async () => Promise.all((await registry.list()).map((head) => this.summarize(head))),
      get: async ({ uuid }) => {
        const head = await registry.require(uuid);
        return { summary: await this.summarize(head), code: await registry.code(uuid) };
      },
      preview: ({ code, sourceUrl }) => this.#preview(code, sourceUrl),
      fetchSource: ({ url }) => this.deps.fetchText(url),
      install: async (input) => this.summarize((await this.install(input)).head),
      setEnabled: async ({ uuid, enabled }) => {
        const head = await registry.update(uuid, { enabled });
        if (!enabled) await this.deps.stopRuns(uuid);
        await this.deps.reconcile();
        return this.summarize(head);
      },
      remove: ({ uuid }) => this.remove(uuid),
      restore: async ({ uuid }) => {
        const head = await registry.restore(uuid);
        await this.deps.reconcile();
        return this.summarize(head);
      },
      reorder: async ({ uuids }) => {
        await registry.reorder(uuids);
        await this.deps.reconcile();
      },
      errors: ({ uuid }) => registry.errors(uuid),
      clearErrors: ({ uuid }) => registry.clearErrors(uuid),
      forTab: ({ tabId }) => this.#forTab(tabId),
      runCommand: ({ tabId, key }) => this.deps.runCommand(tabId, key),
      changes: (_input, { signal }) =>
        follow(() => ({ revision: this.#revision++ }), this.deps.onChange, signal),
    };
  }

  async #preview(code: string, sourceUrl?: string): Promise<InstallPreview> {
    const { ok, problems, metadata, world } = this.deps.check(code);
    if (!metadata) return { ok, problems };
    const existing = await this.deps.registry.findByIdentity(identityOf(metadata));
    return {
      ok,
      problems,
      script: { ...describe(metadata, metadata.runAt), world, sourceUrl },
      existing: existing && {
        uuid: existing.uuid,
        version: existing.metadata.version,
        enabled: existing.enabled,
        relation: versionRelation(metadata.version, existing.metadata.version),
      },
    };
  }

  async #forTab(tabId: number) {
    const url = await this.deps.tabUrl(tabId);
    const heads = (await this.deps.registry.list()).filter(
      (head) => !head.metadata.background && rulesOf(head).rules.test(url),
    );
    const summaries = await Promise.all(heads.map((head) => this.summarize(head)));
    return {
      url,
      runnable: /^(https?|file):/.test(url),
      scripts: summaries.map((summary) => ({
        ...summary,
        running: summary.enabled && summary.notices.every((notice) => notice.severity !== "error"),
      })),
      commands: await this.deps.commandsFor(tabId),
    };
  }
}

function describe(metadata: ScriptMetadata, runAt: string) {
  return {
    name: metadata.name,
    namespace: metadata.namespace,
    version: metadata.version,
    description: metadata.description,
    author: metadata.author,
    icon: metadata.icon,
    grants: metadata.grants,
    matches: [...metadata.matches, ...metadata.includes],
    connects: metadata.connects,
    runAt,
    world: worldFor(metadata),
    isBackground: metadata.background,
  };
}

function versionRelation(next?: string, current?: string): "newer" | "same" | "older" | "unknown" {
  if (!next || !current) return "unknown";
  const order = compareVersions(next, current);
  return order > 0 ? "newer" : order < 0 ? "older" : "same";
}
