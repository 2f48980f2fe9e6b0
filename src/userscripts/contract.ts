import * as z from "zod/mini";
import { call, contract, stream } from "@/rpc/contract";
import type { InstallPreview, ScriptError, ScriptSummary, TabScripts } from "./types";

const uuid = z.object({ uuid: z.string() });
const source = z.object({ code: z.string(), sourceUrl: z.optional(z.string()) });

/** Managing scripts, for our own pages. */
export const scriptsContract = contract("scripts", "page", {
  list: call(z.object({})).returns<ScriptSummary[]>(),
  /** Rejects with NotFoundError when there is none. */
  get: call(uuid).returns<{ summary: ScriptSummary; code: string }>(),
  /** Checks code without storing anything. */
  preview: call(source).returns<InstallPreview>(),
  /** Fetches code from an http(s) URL for the install page. Rejects with a sentence when it cannot. */
  fetchSource: call(z.object({ url: z.string() })).returns<{ code: string; url: string }>(),
  /** Installs, or updates the script of the same name and namespace. Rejects with InstallRefusedError. */
  install: call(z.extend(source, { enabled: z.optional(z.boolean()) })).returns<ScriptSummary>(),
  setEnabled: call(z.extend(uuid, { enabled: z.boolean() })).returns<ScriptSummary>(),
  /** The script stops at once; `restore` brings it back with its values until the next start of the browser. */
  remove: call(uuid).returns<void>(),
  restore: call(uuid).returns<ScriptSummary>(),
  /** The new order, all uuids. */
  reorder: call(z.object({ uuids: z.array(z.string()) })).returns<void>(),
  errors: call(uuid).returns<ScriptError[]>(),
  clearErrors: call(uuid).returns<void>(),
  forTab: call(z.object({ tabId: z.number() })).returns<TabScripts>(),
  runCommand: call(z.object({ tabId: z.number(), key: z.string() })).returns<void>(),
  /** An item whenever the list, a script's state, its errors or menu commands changed. The first comes at once. */
  changes: stream(z.object({})).yields<{ revision: number }>(),
});

export type ScriptsContract = typeof scriptsContract;
