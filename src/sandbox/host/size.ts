/** Bytes counted for what has no size of its own. */
const SMALL = 8;

/**
 * About how many bytes a structured-cloneable value takes, counted no further than `enough`. Blobs count for nothing much,
 * since their bytes are not copied.
 */
export function approximateSize(value: unknown, enough: number): number {
  let size = 0;
  const seen = new Set<object>();
  const rest: unknown[] = [value];
  while (rest.length > 0 && size <= enough) {
    const next = rest.pop();
    size += SMALL;
    if (typeof next === "string") size += next.length * 2;
    else if (typeof next === "bigint") size += next.toString(16).length / 2;
    else if (typeof next === "object" && next !== null && !seen.has(next)) {
      seen.add(next);
      size += visit(next, rest);
    }
  }
  return size;
}

/** Bytes of the object itself; its parts go on the list. */
function visit(object: object, rest: unknown[]): number {
  if (object instanceof ArrayBuffer || ArrayBuffer.isView(object)) return object.byteLength;
  if (object instanceof Blob) return 0;
  if (object instanceof Map) for (const [key, value] of object) rest.push(key, value);
  else if (object instanceof Set) rest.push(...object);
  else if (object instanceof Error) rest.push(object.message, object.stack);
  else if (object instanceof RegExp) return object.source.length * 2;
  else for (const [key, value] of Object.entries(object)) rest.push(key, value);
  return 0;
}
