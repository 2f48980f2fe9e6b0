import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import JSZip from "jszip";
import { EXTENSION_ID } from "../lib/extension";

/**
 * The folders of a profile that hold what the extension stored, and no more than that. The browser finds their content again without
 * its quota database. `File System` is its place for OPFS; the folders in it have numbers for names, and `Origins` says whose they are.
 */
const STORED = [
  `IndexedDB/chrome-extension_${EXTENSION_ID}_0.indexeddb.leveldb`,
  `IndexedDB/chrome-extension_${EXTENSION_ID}_0.indexeddb.blob`,
  `Local Extension Settings/${EXTENSION_ID}`,
  "File System",
];
/** Made anew by whoever opens the folder; their content differs each time. */
const LEFT_OUT = new Set(["LOCK", "LOG", "LOG.old"]);
/** One date for all, so that equal data makes an equal file. Zip counts from 1980 in local time. */
const DATE = new Date(Date.UTC(1980, 1, 1));
export const LARGEST_ZIP = 2 * 1024 * 1024;

/**
 * Packs what the extension stored in a profile that no browser has open.
 * @throws Error when it is more than {@link LARGEST_ZIP}
 */
export async function pack(profile: string, zipPath: string): Promise<number> {
  const zip = new JSZip();
  for (const folder of STORED) {
    for (const path of await filesBelow(join(profile, "Default"), folder)) {
      if (LEFT_OUT.has(posix.basename(path))) continue;
      zip.file(path, await readFile(join(profile, "Default", path)), { date: DATE, createFolders: false });
    }
  }
  const bytes = await zip.generateAsync({
    type: "uint8array",
    compression: "DEFLATE",
    compressionOptions: { level: 9 },
    platform: "UNIX",
  });
  if (bytes.length > LARGEST_ZIP)
    throw new Error(
      `The fixture would have ${bytes.length} bytes; ${LARGEST_ZIP} are allowed. Store less in it.`,
    );
  await mkdir(dirname(zipPath), { recursive: true });
  await writeFile(zipPath, bytes);
  return bytes.length;
}

/** Puts packed data into a profile that no browser has opened yet. */
export async function unpack(zipPath: string, profile: string): Promise<void> {
  const zip = await JSZip.loadAsync(await readFile(zipPath));
  for (const entry of Object.values(zip.files)) {
    if (entry.dir) continue;
    const path = join(profile, "Default", entry.name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, await entry.async("nodebuffer"));
  }
}

/** Files below a folder, sorted, as paths with "/" from `root`. A folder that is not there has none. */
async function filesBelow(root: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return [];
      throw error;
    },
  );
  const found = await Promise.all(
    entries.map((entry) => {
      const path = posix.join(folder, entry.name);
      return entry.isDirectory() ? filesBelow(root, path) : [path];
    }),
  );
  return found.flat().sort();
}
