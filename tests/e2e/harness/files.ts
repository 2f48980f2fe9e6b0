import type { Page } from "playwright-core";
import { callWorker } from "./rpc";

/**
 * Calls a method of `files` as one of our own pages does. `bytes: n` in the input stands for content of n bytes, a Blob; a change
 * without a name (`op`) gets one.
 * @throws what the worker answers with, under its name
 */
export function callFiles<T = unknown>(
  page: Page,
  method: string,
  { bytes, ...input }: Record<string, unknown>,
): Promise<T> {
  const size = typeof bytes === "number" ? bytes : undefined;
  return callWorker<T>(page, `files.${method}`, { op: crypto.randomUUID(), ...input }, size);
}

/** Every file of the extension's origin, by path, as the browser itself lists them. */
export function fileTree(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const found: string[] = [];
    const visit = async (folder: FileSystemDirectoryHandle, path: string): Promise<void> => {
      for await (const [name, entry] of folder.entries()) {
        if (entry.kind === "directory") await visit(entry as FileSystemDirectoryHandle, `${path}${name}/`);
        else found.push(path + name);
      }
    };
    await visit(await navigator.storage.getDirectory(), "");
    return found;
  });
}
