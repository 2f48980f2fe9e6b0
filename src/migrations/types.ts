/** Under {@link SCHEMA_KEY} in chrome.storage.local: the form of everything that is stored. Data of the first version has none. */
export interface StoredSchema {
  /** Number of the form (see schema.ts). Raised before the first step towards it, so that older versions keep off from then on. */
  version: number;
  /** The product's version that raised it. */
  writer: string;
  /** Set while steps are due. */
  pending?: PendingSteps;
}

export interface PendingSteps {
  /** The form that the data had before. */
  from: number;
  /** Ids of the steps that are done. */
  done: string[];
  /** How often the steps were begun since the last one that was done. */
  attempts: number;
  /** Keys of chrome.storage that the last step wants removed; its new ones are stored already. */
  remove?: string[];
  /** What the last attempt ended with, if it came to an end at all. */
  failure?: { step: string; why: string };
}

/** How the stored data stands to this version of the product. */
export type DataState =
  /** Not read yet: a moment at the start of the worker. */
  | { kind: "checking" }
  | { kind: "ok" }
  | { kind: "updating"; done: number; steps: number }
  /** A step failed. What was stored before is kept. */
  | { kind: "failed"; why: string }
  /** Written by a version newer than this one; nothing is read or written. `writer` is "" when it is not known. */
  | { kind: "newer"; writer: string; version: string };
