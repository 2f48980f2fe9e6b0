import { invalidPath, notThisFolder } from "./errors";

/** Bytes of UTF-8 that a path may have. */
export const MAX_PATH_BYTES = 1024;
/** Bytes of UTF-8 that a name may have: what ext4, APFS and NTFS all take. */
export const MAX_NAME_BYTES = 255;

/** Devices of Windows, which no file may be named after, whatever its extension, and with spaces before that ("Naming Files, Paths, and Namespaces"). */
const WINDOWS_DEVICE = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$) *(\..*)?$/i;
/** C0, DEL and C1 controls; line separators; characters that turn the direction of text and so disguise a name. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused.
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;
const WINDOWS_REFUSES = /[<>:"|?*]/;

const utf8 = new TextEncoder();

/**
 * Checks a path and brings it into the one form in which it is stored: Unicode NFC. Everything that reaches a file goes through
 * this, whoever asks. A path is relative, its parts are separated by `/`, and each part can be the name of a file on Windows,
 * macOS and Linux, so that what is kept here can be exported there. Case is kept and counts: `A.txt` and `a.txt` are two files
 * (on an export to a disk that ignores case the second gets another name).
 * @returns the path, the same text for all spellings of one file
 * @throws NamedError InvalidPathError
 */
export function checkPath(path: string): string {
  if (path === "") throw notThisFolder();
  if (!path.isWellFormed()) throw invalidPath(path, "it has half of a character (a lone surrogate).");
  const normal = path.normalize("NFC");
  const why = problemOf(normal);
  if (why !== null) throw invalidPath(path, why);
  return normal;
}

/** As {@link checkPath}, for what also takes the area itself: the empty path. */
export function checkFolderPath(path: string): string {
  return path === "" ? "" : checkPath(path);
}

/** What is wrong with a path that is in NFC, as the end of a sentence; null when nothing is. */
function problemOf(path: string): string | null {
  if (path.includes("\\")) return "it has a backslash. Separate folders with “/”.";
  if (path.startsWith("/"))
    return "it begins with “/”. Paths are relative to the folder that you were given.";
  if (/^[a-z]:/i.test(path)) return "it begins with the letter of a drive. Leave that out.";
  if (utf8.encode(path).length > MAX_PATH_BYTES) {
    return `it is longer than ${MAX_PATH_BYTES} bytes. Use shorter names or fewer folders.`;
  }
  for (const name of path.split("/")) {
    const why = problemOfName(name);
    if (why !== null) return why;
  }
  return null;
}

function problemOfName(name: string): string | null {
  if (name === "") return "it has an empty part. Write one “/” between two names, and none at the end.";
  if (name === "." || name === "..") return `“${name}” leads out of its folder. Write the path in full.`;
  if (CONTROL.test(name)) return "it has a control character. Take it out.";
  if (WINDOWS_REFUSES.test(name)) return 'none of < > : " | ? * can be in the name of a file on Windows.';
  if (/[. ]$/.test(name)) return "a name ends with a dot or a space, which Windows cuts off.";
  if (WINDOWS_DEVICE.test(name)) return `“${name}” is the name of a device on Windows.`;
  if (utf8.encode(name).length > MAX_NAME_BYTES) return `a name is longer than ${MAX_NAME_BYTES} bytes.`;
  return null;
}

/** The folder and the name of a checked path; the folder is "" for what lies in the area itself. */
export function splitPath(path: string): { folder: string; name: string } {
  const slash = path.lastIndexOf("/");
  return { folder: path.slice(0, Math.max(slash, 0)), name: path.slice(slash + 1) };
}

/** Whether a checked path lies in a checked folder, at any depth; the folder itself does not. */
export function isInside(path: string, folder: string): boolean {
  return folder === "" ? path !== "" : path.startsWith(`${folder}/`);
}

/** A path from the root, area first, as it is within its area. */
export function withinArea(whole: string): string {
  const slash = whole.indexOf("/");
  return slash < 0 ? "" : whole.slice(slash + 1);
}
