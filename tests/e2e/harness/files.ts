import type { Page } from "playwright-core";

/**
 * Calls a method of `files` as one of our own pages does. `bytes: n` in the input stands for content of n bytes, a Blob; a change
 * without a name (`op`) gets one.
 * @throws what the worker answers with, under its name
 */
export async function callFiles<T = unknown>(
  page: Page,
  method: string,
  input: Record<string, unknown>,
): Promise<T> {
  const answer = await page.evaluate(
    ([m, { bytes, ...rest }]) =>
      new Promise<unknown>((resolve, reject) => {
        const content =
          typeof bytes === "number" ? { content: new Blob([new Uint8Array(bytes).fill(1)]) } : {};
        const port = chrome.runtime.connect(undefined, { name: "page" });
        port.onMessage.addListener((frame: unknown) => {
          resolve(frame);
          port.disconnect();
        });
        port.onDisconnect.addListener(() => reject(new Error(`the worker closed the port of ${m}`)));
        port.postMessage({ t: "call", id: 1, m, a: { op: crypto.randomUUID(), ...rest, ...content } });
      }),
    [`files.${method}`, input] as const,
  );
  const { t, v, e } = answer as { t: "ok" | "fail"; v: T; e?: { name: string; message: string } };
  if (t === "ok") return v;
  throw Object.assign(new Error(e?.message), { name: e?.name });
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
