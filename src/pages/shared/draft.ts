import type { Translate } from "@/locales";
import { NamedError } from "@/rpc/errors";

/** Code on its way to being installed. It outlives a reload of the page, and only that. */
export interface Draft {
  code: string;
  /** File name or address; absent for pasted text. */
  from?: { kind: "file" | "url"; name: string };
}

const KEY = "moggy:draft";
/** Larger than any script by far; the browser would stall on it. */
const MAX_FILE_BYTES = 20 * 1024 * 1024;

/**
 * Keeps a draft for this tab.
 * @throws NamedError when it is too large for the browser's session storage (about 5 million characters)
 */
export function stashDraft(draft: Draft): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(draft));
  } catch (cause) {
    throw new NamedError(
      "DraftTooLargeError",
      "The script is too large to be kept over a reload of the page.",
      { cause },
    );
  }
}

/** The draft of this tab, or null. */
export function readDraft(): Draft | null {
  const text = sessionStorage.getItem(KEY);
  if (text === null) return null;
  const { code, from } = JSON.parse(text) as Partial<Draft>;
  return typeof code === "string" ? { code, from } : null;
}

export function clearDraft(): void {
  sessionStorage.removeItem(KEY);
}

/**
 * Reads a dropped or chosen file as UTF-8 text.
 * @throws NamedError with a sentence in the person's language when it is no text or far too large
 */
export async function readSourceFile(t: Translate, file: File): Promise<Draft> {
  if (file.size > MAX_FILE_BYTES) {
    throw new NamedError(
      "FileTooLargeError",
      t("install.file.tooLarge", { megabytes: MAX_FILE_BYTES / 1024 / 1024 }),
    );
  }
  const bytes = await file.arrayBuffer();
  let code: string;
  try {
    code = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new NamedError("NotTextError", t("install.file.notText"), { cause });
  }
  return { code, from: { kind: "file", name: file.name } };
}
