import type { en } from "./en";
import type { Language } from "./language";

export type Messages = typeof en;
export type MessageKey = keyof Messages;

/** All that is said in one language. */
export interface Catalogue {
  language: Language;
  messages: Record<MessageKey, string>;
  /** Userscript problems by code; they are written beside the parser that finds them. */
  problems: Readonly<Record<string, string>>;
}

/** A problem as the metadata parser and the registry report it: the words come from the catalogue. */
export interface ProblemLike {
  code: string;
  severity?: string;
  params: Record<string, string>;
}
