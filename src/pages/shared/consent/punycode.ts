/** Parameters of Punycode (RFC 3492, section 5). */
const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;
const INITIAL_BIAS = 72;
const INITIAL_N = 128;

/**
 * What a label of a host name stands for: `xn--bcher-kva` is `bücher`. A label without the prefix is itself.
 * @returns null for a label that has the prefix and is no Punycode
 */
export function decodeLabel(label: string): string | null {
  if (!/^xn--/i.test(label)) return label;
  const text = label.slice(4).toLowerCase();
  const dash = text.lastIndexOf("-");
  const output = dash > 0 ? [...text.slice(0, dash)].map((char) => char.charCodeAt(0)) : [];
  let at = dash > 0 ? dash + 1 : 0;
  let n = INITIAL_N;
  let bias = INITIAL_BIAS;
  for (let i = 0; at < text.length; i += 1) {
    const before = i;
    let weight = 1;
    for (let k = BASE; ; k += BASE) {
      const digit = digitOf(text.charCodeAt(at));
      at += 1;
      if (digit === null) return null;
      i += digit * weight;
      const t = Math.min(T_MAX, Math.max(T_MIN, k - bias));
      if (digit < t) break;
      weight *= BASE - t;
      if (weight > Number.MAX_SAFE_INTEGER / BASE) return null;
    }
    const length = output.length + 1;
    bias = adapt(i - before, length, before === 0);
    n += Math.floor(i / length);
    i %= length;
    if (n > 0x10ffff || (n >= 0xd800 && n <= 0xdfff)) return null;
    output.splice(i, 0, n);
  }
  return String.fromCodePoint(...output);
}

function digitOf(code: number): number | null {
  if (code >= 0x61 && code <= 0x7a) return code - 0x61;
  if (code >= 0x30 && code <= 0x39) return code - 0x30 + 26;
  // Also past the end, where the code is NaN.
  return null;
}

/** RFC 3492, section 6.1. */
function adapt(delta: number, length: number, first: boolean): number {
  let rest = Math.floor(delta / (first ? DAMP : 2));
  rest += Math.floor(rest / length);
  let k = 0;
  for (; rest > ((BASE - T_MIN) * T_MAX) / 2; k += BASE) rest = Math.floor(rest / (BASE - T_MIN));
  return k + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW));
}
