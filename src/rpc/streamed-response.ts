/** Statuses that have no body (Fetch Standard, "null body status"). */
const NO_BODY: ReadonlySet<number> = new Set([101, 103, 204, 205, 304]);

export interface ResponseHead {
  status: number;
  statusText: string;
  headers: HeadersInit;
  /** After redirects. */
  url: string;
}

type BodyPart = { type: "body"; part: Uint8Array | Blob };

/**
 * A Response of a head that came over a stream and the body that follows on it. The body is taken as it is read; leaving it ends
 * the stream.
 */
export async function streamedResponse<P extends { type: string }>(
  { url, ...head }: ResponseHead,
  parts: AsyncIterableIterator<P | BodyPart>,
): Promise<Response> {
  const isBare = NO_BODY.has(head.status);
  if (isBare) await parts.return?.();
  const response = new Response(isBare ? null : bodyOf(parts), head);
  // A constructed response has no address.
  Object.defineProperty(response, "url", { value: url });
  return response;
}

function bodyOf<P extends { type: string }>(
  parts: AsyncIterableIterator<P | BodyPart>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    async pull(controller) {
      // A pull that gives nothing would be the last one, so what is no part of the body is passed over.
      for (;;) {
        const { done, value } = await parts.next();
        if (done) return controller.close();
        if (!isBody(value)) continue;
        const { part } = value;
        return controller.enqueue(part instanceof Blob ? await part.bytes() : new Uint8Array(part));
      }
    },
    async cancel() {
      await parts.return?.();
    },
  });
}

function isBody(part: { type: string }): part is BodyPart {
  return part.type === "body";
}
