/**
 * Files of the extension for steps of a migration: few, one after the other, with nobody else at work. Everything else goes through
 * the file store. A file is replaced whole: the browser writes beside it and exchanges the two on close (File System Standard,
 * "FileSystemWritableFileStream").
 */
export const opfsSteps = {
  async list(folder: string): Promise<string[]> {
    const directory = await folderAt(folder, false);
    return directory ? filesBelow(directory, folder) : [];
  },
  async read(path: string): Promise<Uint8Array<ArrayBuffer> | null> {
    const { folder, name } = split(path);
    const directory = await folderAt(folder, false);
    const handle = directory && (await orNull(directory.getFileHandle(name)));
    return handle && new Uint8Array(await (await handle.getFile()).arrayBuffer());
  },
  async write(path: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    const { folder, name } = split(path);
    const directory = (await folderAt(folder, true)) ?? (await navigator.storage.getDirectory());
    const writable = await (await directory.getFileHandle(name, { create: true })).createWritable();
    await writable.write(bytes);
    await writable.close();
  },
  async remove(path: string): Promise<void> {
    const { folder, name } = split(path);
    const directory = await folderAt(folder, false);
    if (directory) await orNull(directory.removeEntry(name));
  },
};

/** The folder at a path, "" for the root. Null when it is not there and is not to be made. */
async function folderAt(path: string, create: boolean): Promise<FileSystemDirectoryHandle | null> {
  let directory: FileSystemDirectoryHandle | null = await navigator.storage.getDirectory();
  for (const name of path.split("/").filter(Boolean)) {
    directory = await orNull(directory.getDirectoryHandle(name, { create }));
    if (!directory) return null;
  }
  return directory;
}

/** Chromium's name for the new content that it writes beside a file. After a death it stays for ever, and is no file of anybody. */
const SWAP = ".crswap";

async function filesBelow(directory: FileSystemDirectoryHandle, path: string): Promise<string[]> {
  const found: string[] = [];
  for await (const [name, handle] of directory.entries()) {
    const at = path ? `${path}/${name}` : name;
    if (handle.kind === "directory")
      found.push(...(await filesBelow(handle as FileSystemDirectoryHandle, at)));
    else if (!name.endsWith(SWAP)) found.push(at);
  }
  return found.sort();
}

function split(path: string): { folder: string; name: string } {
  const at = path.lastIndexOf("/");
  return { folder: path.slice(0, Math.max(0, at)), name: path.slice(at + 1) };
}

/** What is not there is null; all else that goes wrong is thrown. */
async function orNull<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof DOMException && error.name === "NotFoundError") return null;
    throw error;
  }
}
