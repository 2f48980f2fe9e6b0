import { NamedError } from "@/rpc/errors";

/** `data:`, a MIME type and parameters or none of it, then the data (RFC 2397). Nothing looser: text may begin with “data:”. */
const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+)?((?:;[\w-]+=[^;,]*)*)(;base64)?,/i;

/**
 * The bytes of a data: URL.
 * @returns null for text that is none
 * @throws NamedError InvalidDataUrlError when its base64 is broken
 */
export function decodeDataUrl(text: string): Uint8Array<ArrayBuffer> | null {
  const match = DATA_URL.exec(text);
  if (!match) return null;
  const data = percentDecode(text.slice(match[0].length));
  if (!match[3]) return data;
  try {
    const binary = atob(new TextDecoder().decode(data));
    const bytes = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
    return bytes;
  } catch (cause) {
    throw new NamedError(
      "InvalidDataUrlError",
      "The content begins as a data: URL in base64, but what follows is not base64. Hand it in as a Blob to store it as it is.",
      { cause },
    );
  }
}

/** URL Standard, "percent-decode": what is no escape stands for itself. */
function percentDecode(text: string): Uint8Array<ArrayBuffer> {
  const input = new TextEncoder().encode(text);
  const output = new Uint8Array(input.length);
  let length = 0;
  for (let i = 0; i < input.length; i++) {
    let byte = input[i] ?? 0;
    if (byte === 0x25) {
      const hex = String.fromCharCode(input[i + 1] ?? 0, input[i + 2] ?? 0);
      if (/^[0-9a-f]{2}$/i.test(hex)) {
        byte = Number.parseInt(hex, 16);
        i += 2;
      }
    }
    output[length++] = byte;
  }
  return output.slice(0, length);
}
