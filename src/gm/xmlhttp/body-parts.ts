/** Bytes from which a part goes as a Blob: its bytes then need not be copied into a message and out again. */
const BLOB_FROM = 4 * 1024 * 1024;
/** How long bytes wait for more, so that a slow answer is seen as it comes and a fast one goes in few messages. */
const WAIT_MS = 8;
/**
 * A body in parts that suit the way to the script: what has come goes when nothing more comes for a moment, or when it is much.
 */
export async function* bodyParts(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array | Blob> {
  const reader = body.getReader();
  let gathered: Uint8Array[] = [];
  let size = 0;
  const take = (): Uint8Array | Blob => {
    const part = size >= BLOB_FROM ? new Blob(gathered as BlobPart[]) : joined(gathered, size);
    gathered = [];
    size = 0;
    return part;
  };
  const read = () => {
    const reading = reader.read();
    // A failure that comes while a part is on its way out is thrown when it is awaited; until then it is not unhandled.
    reading.catch(() => undefined);
    return reading;
  };
  try {
    let reading = read();
    for (;;) {
      const result = size === 0 ? await reading : await orPause(reading);
      if (result === null) {
        yield take();
        continue;
      }
      if (result.done) break;
      gathered.push(result.value);
      size += result.value.byteLength;
      reading = read();
      if (size >= BLOB_FROM) yield take();
    }
    if (size > 0) yield take();
  } finally {
    // Leaving early stops the transfer; after the end it does nothing. A transfer that fails now concerns nobody.
    reader.cancel().catch(() => undefined);
  }
}

async function orPause<T>(reading: Promise<T>): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const pause = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), WAIT_MS);
  });
  try {
    return await Promise.race([reading, pause]);
  } finally {
    clearTimeout(timer);
  }
}

function joined(parts: readonly Uint8Array[], size: number): Uint8Array {
  const [first] = parts;
  if (parts.length === 1 && first) return first;
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.byteLength;
  }
  return all;
}
