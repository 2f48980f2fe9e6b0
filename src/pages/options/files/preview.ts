import type { FileStat } from "@/files/types";

/** The most that is shown of anything, in bytes. */
export const MAX_SHOWN_BYTES = 1_000_000;

/** What the browser shows as a picture; SVG too, which runs no script in an `img`. */
const IMAGES: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  avif: "image/avif",
  svg: "image/svg+xml",
  ico: "image/x-icon",
};
/** The largest picture that is shown: it is decoded whole. */
const MAX_IMAGE_BYTES = 20_000_000;

/** The MIME type of a picture, by its name. */
export function imageType(path: string): string | undefined {
  const extension = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(IMAGES, extension) ? IMAGES[extension] : undefined;
}

/** How a file can be shown, as far as its name and size tell: what is no picture may be text. */
export function kindOf({ path, size }: FileStat): "image" | "text" | "other" {
  if (imageType(path) !== undefined) return size <= MAX_IMAGE_BYTES ? "image" : "other";
  return size <= MAX_SHOWN_BYTES ? "text" : "other";
}

/** The text of bytes; null when they are none. */
export function textOf(bytes: ArrayBuffer): string | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? null : text;
  } catch {
    // The decoder's way to say that it is not UTF-8.
    return null;
  }
}
