import type { BackgroundStatus } from "@/sandbox/types";
import type { InstallProblemCode } from "./install-messages.en";
import type { Problem, ProblemCode, ScriptMetadata } from "./metadata";

/** A problem of the header, of the installation, or of a script that cannot run as it asked. */
export type ScriptProblem = Problem & { code: ProblemCode | InstallProblemCode | (string & {}) };

/** Where a script's code runs. */
export type ScriptWorld = "isolated" | "page";

/** What a person may change about a script without editing it. */
export interface ScriptOverrides {
  runAt?: "document-start" | "document-body" | "document-end" | "document-idle";
  matches?: string[];
  excludes?: string[];
}

/** An installed script without its code, as stored. Code lies in a table of its own, so that a start of the worker reads little. */
export interface ScriptHead {
  uuid: string;
  /** Identity for updates: name and namespace (as other managers do). */
  identity: string;
  name: string;
  metadata: ScriptMetadata;
  enabled: boolean;
  /** Order of execution, ascending. */
  position: number;
  /** Random, proves to the worker which script a channel belongs to. Never leaves the worker but in the script's own closure. */
  token: string;
  sourceUrl?: string;
  overrides: ScriptOverrides;
  installedAt: number;
  updatedAt: number;
  /** Set while a removed script can still be brought back. */
  removedAt?: number;
}

export interface ScriptCode {
  uuid: string;
  code: string;
}

/** One error of a script, in its own lines. */
export interface ScriptError {
  at: number;
  uuid: string;
  name: string;
  message: string;
  /** Lines and columns count in the script's own source. */
  stack?: string;
  url?: string;
}

/** A script as lists show it. */
export interface ScriptSummary {
  uuid: string;
  name: string;
  namespace?: string;
  version?: string;
  description?: string;
  author?: string;
  icon?: string;
  enabled: boolean;
  position: number;
  grants: string[];
  matches: string[];
  connects: string[];
  runAt: string;
  world: ScriptWorld;
  /** Runs in the background, on no page. */
  isBackground: boolean;
  /** How it is doing, when it is a background script and enabled. */
  background?: BackgroundStatus;
  /** Why the script does not run, or not as it asked: problem codes for the catalogue. */
  notices: ScriptProblem[];
  errorCount: number;
  lastError?: ScriptError;
  installedAt: number;
  updatedAt: number;
  sourceUrl?: string;
}

/** What the install page shows before anything is stored. */
export interface InstallPreview {
  ok: boolean;
  /** Why it cannot be installed (severity error) and what the person should know (warning, info). */
  problems: ScriptProblem[];
  script?: Omit<
    ScriptSummary,
    "uuid" | "enabled" | "background" | "position" | "errorCount" | "installedAt" | "updatedAt" | "notices"
  >;
  /** The script that this would update. */
  existing?: {
    uuid: string;
    version?: string;
    enabled: boolean;
    relation: "newer" | "same" | "older" | "unknown";
  };
}

export interface MenuCommand {
  /** Unique per tab. */
  key: string;
  uuid: string;
  scriptName: string;
  title: string;
  accessKey?: string;
  frameId: number;
}

/** What the popup shows for a tab. */
export interface TabScripts {
  url: string;
  /** Whether scripts can run on such an address at all. */
  runnable: boolean;
  scripts: Array<ScriptSummary & { running: boolean }>;
  commands: MenuCommand[];
}
