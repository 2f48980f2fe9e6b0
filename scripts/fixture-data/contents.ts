/**
 * What a fixture of stored data must still contain after any upgrade: the JSON beside its zip. Written by `npm run fixture:data`, read by
 * tests/e2e/upgrade.test.ts. Members are only ever added; those that came later are optional, since older fixtures lack them.
 */
export interface FixtureContents {
  milestone: string;
  /** The product's version that wrote the data. */
  version: string;
  /** Port of 127.0.0.1 that the stored models point to. */
  modelPort: number;
  scripts: ScriptFact[];
  /** In order of execution, without those in the bin. */
  order: string[];
  /** What the keeper script holds: text of each value as `show` of the probe makes it, by key. */
  values: Record<string, string>;
  /** Values of other scripts, by uuid and key; plain JSON. */
  otherValues: Record<string, Record<string, unknown>>;
  /** Menu commands that the keeper registers. */
  commands: string[];
  settings: Record<string, unknown>;
  models: ModelFact[];
  conversations: ConversationFact[];
  /** Runs that the browser's death cut off. */
  unfinished: UnfinishedFact[];
  /** What was decided for good about hosts that the keeper asked for. */
  consents?: ConsentFact[];
  /** Files of the workspace. */
  files?: FileFact[];
  /** Messages of the log of errors, newest first. */
  log?: string[];
}

export interface ConsentFact {
  host: string;
  decision: "always" | "never";
  /** What the keeper's request to it came to. */
  answer: string;
}

/** A text file, told by its path, length in UTF-16 units and beginning. */
export interface FileFact {
  path: string;
  length: number;
  start: string;
}

export interface ScriptFact {
  uuid: string;
  name: string;
  enabled: boolean;
  world: "isolated" | "page";
  /** SHA-256 of the stored code, in hex. */
  code: string;
  /** In the bin: not listed, but can be brought back with its values. */
  removed?: true;
  /** Patterns that a person added to the script's own. */
  overrides?: { matches: string[]; excludes: string[] };
  /** Messages in its log, newest first. */
  errors: string[];
}

export interface ModelFact {
  id: string;
  name: string;
  provider: string;
  apiBaseUrl: string;
  model: string;
  keyHint: string;
  isDefault: boolean;
  isSummary: boolean;
  /** The key itself, to see that what is sent is what was entered. It opens nothing. */
  apiKey: string;
  contextWindow?: number;
}

/** A conversation of the keeper, as `getMessages()` gives it. */
export interface ConversationFact {
  id: string;
  title: string;
  messages: MessageFact[];
}

export interface MessageFact {
  role: string;
  content: unknown;
  error?: string;
  toolCalls?: Array<{ name: string; arguments: string; result?: string; status?: string }>;
}

export interface UnfinishedFact {
  runId: string;
  /** Of which conversation of the keeper. */
  conversationId: string;
  /** How it ends by the product's rules: a background run goes on, one whose page is gone is stopped after its grace. */
  ends: "done" | "stopped";
}
