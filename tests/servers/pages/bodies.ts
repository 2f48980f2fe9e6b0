import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";

const BLOCK = 64 * 1024;
export const MIB = 1024 * 1024;

/** `size` bytes that count up from 0 and start again after 255. */
export function countingBytes(size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  for (let at = 0; at < size; at += 1) bytes[at] = at & 0xff;
  return bytes;
}

/**
 * The bytes of `/large`, a block at a time: each block starts with its own number, so that a lost, doubled or misplaced
 * one changes the checksum, and the rest is noise that does not compress.
 */
export function* largeBlocks(size: number): Generator<Buffer> {
  const noise = Buffer.allocUnsafe(BLOCK);
  let state = 0x9e3779b9;
  for (let at = 0; at < BLOCK; at += 4) {
    // Xorshift32 (Marsaglia, 2003).
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    noise.writeInt32LE(state | 0, at);
  }
  for (let at = 0, number = 0; at < size; at += BLOCK, number += 1) {
    const block = Buffer.from(noise.subarray(0, Math.min(BLOCK, size - at)));
    if (block.length >= 4) block.writeUInt32LE(number, 0);
    yield block;
  }
}

const checksums = new Map<number, string>();

/** SHA-256 of `/large` at that size in bytes, as hex. */
export function largeChecksum(size: number): string {
  const known = checksums.get(size);
  if (known) return known;
  const hash = createHash("sha256");
  for (const block of largeBlocks(size)) hash.update(block);
  const sum = hash.digest("hex");
  checksums.set(size, sum);
  return sum;
}

export function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/**
 * Writes blocks no faster than the client reads; stops when it leaves.
 * @param pauseMs between two blocks
 */
export async function writeBlocks(res: ServerResponse, blocks: Iterable<Buffer>, pauseMs = 0): Promise<void> {
  for (const block of blocks) {
    if (res.destroyed) return;
    if (!res.write(block)) {
      await new Promise<void>((resolve) => {
        const done = () => {
          res.off("drain", done);
          res.off("close", done);
          resolve();
        };
        res.once("drain", done);
        res.once("close", done);
      });
    }
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  res.end();
}

/** "中文测试" in GBK, which Node can read and not write. */
export const GBK_TEXT = { text: "中文测试", bytes: Buffer.from("d6d0cec4b2e2cad4", "hex") };
