import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * Checks `public/_locales`: every language has the messages that manifest.json names, and no others.
 * @param root the project's folder
 * @returns one sentence per fault
 */
export async function compareManifestMessages(root: string): Promise<string[]> {
  const manifest = await readFile(join(root, "manifest.json"), "utf8");
  const named = new Set([...manifest.matchAll(/__MSG_(\w+)__/g)].map(([, key = ""]) => key));
  const faults: string[] = [];
  for (const language of await readdir(join(root, "public", "_locales"))) {
    const path = `public/_locales/${language}/messages.json`;
    const messages = JSON.parse(await readFile(join(root, path), "utf8")) as Record<
      string,
      { message?: string }
    >;
    for (const key of named) {
      if (!messages[key]?.message) faults.push(`${path}: "${key}", which manifest.json names, is missing.`);
    }
    for (const key of Object.keys(messages)) {
      if (!named.has(key)) faults.push(`${path}: "${key}" is not named in manifest.json.`);
    }
  }
  return faults;
}
