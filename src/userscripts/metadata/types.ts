export type RunAt = "document-start" | "document-body" | "document-end" | "document-idle" | "context-menu";
export type InjectInto = "auto" | "page" | "content";
export type SandboxMode = "raw" | "JavaScript" | "DOM";

/** One `@key value` line as written. Keys that are not known are here and nowhere else. */
export interface RawEntry {
  key: string;
  value: string;
  /** 1-based. */
  line: number;
}

/** Code or a style sheet that the script needs; the URL as written, hash fragment (`#sha256-…`) included. */
export interface ScriptRequire {
  url: string;
}

export interface ScriptResource {
  name: string;
  url: string;
}

export interface Antifeature {
  /** Such as "ads", "tracking", "miner". */
  type: string;
  description: string;
  /** Set for `@antifeature:<locale>` lines. */
  locale?: string;
}

/** The metadata block of a userscript, understood. Plain JSON data. */
export interface ScriptMetadata {
  name: string;
  /** `@name:<locale>` by locale, as written. */
  names: Record<string, string>;
  namespace?: string;
  version?: string;
  description?: string;
  descriptions: Record<string, string>;
  author?: string;
  license?: string;
  icon?: string;
  icon64?: string;
  homepage?: string;
  supportURL?: string;
  /** `@match`, `@include`, `@exclude`, `@exclude-match` as written, without repeats; compileRules() understands them. */
  matches: string[];
  includes: string[];
  excludes: string[];
  excludeMatches: string[];
  noframes: boolean;
  /** "document-idle" when the script says nothing. */
  runAt: RunAt;
  /** Such as "normal-tabs", "incognito-tabs", "container-id-2"; empty means everywhere. */
  runIn: string[];
  injectInto: InjectInto;
  sandbox?: SandboxMode;
  /** Without repeats, in order. `["none"]` for `@grant none`; empty when there is no `@grant` line. */
  grants: string[];
  /** Lower-case hosts, `*`, `self`, `localhost` or IP addresses. */
  connects: string[];
  requires: ScriptRequire[];
  requireCss: ScriptRequire[];
  resources: ScriptResource[];
  /** An absolute http(s) URL, or "none": the script does not want to be updated. */
  updateURL?: string;
  downloadURL?: string;
  antifeatures: Antifeature[];
  tags: string[];
  storageName?: string;
  background: boolean;
  crontab?: string;
  unwrap: boolean;
  topLevelAwait: boolean;
  earlyStart: boolean;
  raw: RawEntry[];
}
