import { notADirectory, notFound } from "../errors";
import { splitPath, withinArea } from "../paths";
import { nameOf } from "./access-error";
import type { Folder, StoredFile } from "./opfs";

/** Files whose sizes are asked for at once. */
const AT_ONCE = 32;

export type Entry = Folder | StoredFile;

/**
 * The folder of a checked path; the root for "".
 * @throws NamedError NotFoundError, NotADirectoryError (with the part of the path that is a file)
 */
export async function openFolder(root: Folder, path: string, create = false): Promise<Folder> {
  let folder = root;
  let reached = "";
  for (const name of path === "" ? [] : path.split("/")) {
    reached = reached === "" ? name : `${reached}/${name}`;
    try {
      folder = await folder.getDirectoryHandle(name, { create });
    } catch (error) {
      if (nameOf(error) === "TypeMismatchError") throw notADirectory(withinArea(reached));
      if (nameOf(error) === "NotFoundError") throw notFound(withinArea(path));
      throw error;
    }
  }
  return folder;
}

/**
 * What is at a checked path, or undefined.
 * @throws NamedError NotADirectoryError when a part of the path on the way there is a file
 */
export async function findEntry(root: Folder, path: string): Promise<Entry | undefined> {
  if (path === "") return root;
  const { folder, name } = splitPath(path);
  let parent: Folder;
  try {
    parent = await openFolder(root, folder);
  } catch (error) {
    if (nameOf(error) === "NotFoundError") return undefined;
    throw error;
  }
  return childOf(parent, name);
}

async function childOf(parent: Folder, name: string): Promise<Entry | undefined> {
  try {
    return await parent.getFileHandle(name);
  } catch (error) {
    if (nameOf(error) === "NotFoundError") return undefined;
    if (nameOf(error) === "TypeMismatchError") return parent.getDirectoryHandle(name);
    throw error;
  }
}

/** Everything in a folder, by name. A folder that went away meanwhile has nothing in it. */
export async function entriesOf(folder: Folder): Promise<Entry[]> {
  const entries: Entry[] = [];
  try {
    for await (const [, entry] of folder.entries()) entries.push(entry);
  } catch (error) {
    if (nameOf(error) !== "NotFoundError") throw error;
  }
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Every file below a folder, with its path from there, and the folders before what they hold. */
export async function* walk(folder: Folder, prefix = ""): AsyncGenerator<{ path: string; entry: Entry }> {
  for (const entry of await entriesOf(folder)) {
    const path = prefix + entry.name;
    yield { path, entry };
    if (entry.kind === "directory") yield* walk(entry, `${path}/`);
  }
}

export interface FileFacts {
  /** Bytes. */
  size: number;
  /** ms since the epoch. */
  modifiedAt: number;
}

/** Size and time of each file; undefined for one that went away meanwhile. */
export async function factsOf(files: readonly StoredFile[]): Promise<Array<FileFacts | undefined>> {
  const facts: Array<FileFacts | undefined> = [];
  for (let at = 0; at < files.length; at += AT_ONCE) {
    facts.push(...(await Promise.all(files.slice(at, at + AT_ONCE).map(factsOfOne))));
  }
  return facts;
}

async function factsOfOne(file: StoredFile): Promise<FileFacts | undefined> {
  try {
    const { size, lastModified } = await file.getFile();
    return { size, modifiedAt: lastModified };
  } catch (error) {
    if (nameOf(error) === "NotFoundError") return undefined;
    throw error;
  }
}
