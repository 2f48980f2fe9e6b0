import * as z from "zod/mini";
import { call, contract } from "@/rpc/contract";
import { FILE_AREAS, type FilePart, type FileStat, type FileUsage, type WrittenFile } from "../types";

const place = z.object({ area: z.enum(FILE_AREAS), path: z.string() });
const bytes = z.custom<Uint8Array<ArrayBuffer>>((value) => value instanceof Uint8Array);
/** Large content is a Blob: bytes are copied at each step of their way, a Blob is handed on by reference. */
const content = z.union([z.instanceof(Blob), bytes]);
const count = z.number().check(z.int(), z.nonnegative());
/** Names one change. Sent again under the same name, as after a lost connection, it is not made twice. */
const op = z.string().check(z.maxLength(200));

/** What can be done with files, for every contract that offers it. Errors: src/files/errors.ts. */
export const fileMethods = {
  write: call(z.object({ op, place, content })).returns<WrittenFile>(),
  append: call(z.object({ op, place, content })).returns<WrittenFile>(),
  move: call(z.object({ op, from: place, to: place, overwrite: z.boolean() })).returns<void>(),
  delete: call(z.object({ op, place })).returns<void>(),
  read: call(z.object({ place })).returns<Blob>(),
  range: call(
    z.object({ place, offset: count, length: count, version: z.optional(z.string()) }),
  ).returns<FilePart>(),
  stat: call(z.object({ place })).returns<FileStat>(),
  list: call(z.object({ place })).returns<FileStat[]>(),
  usage: call(z.object({})).returns<FileUsage>(),
  clear: call(z.object({})).returns<void>(),
  /** Begins a write in parts; `op` names it from then on. */
  begin: call(z.object({ op, place })).returns<void>(),
  /** A part that lies where the parts so far end; one that is there already is not written again. Answers once it is written. */
  part: call(z.object({ op, offset: count, content })).returns<{ size: number }>(),
  commit: call(z.object({ op })).returns<WrittenFile>(),
  /** Forgets a write in parts; one that is not there is none. */
  abort: call(z.object({ op })).returns<void>(),
};

/** What the store answers in its own worker. */
export const fileStoreContract = contract("files.store", "worker", fileMethods);
export type FileStoreContract = typeof fileStoreContract;

/**
 * What may be asked of a new store when the one before ended without an answer: looking, writing the same whole file again, and what
 * a new store refuses by name. Of the rest it is not known whether it happened.
 */
export const REPEATABLE: ReadonlySet<keyof typeof fileMethods> = new Set([
  "write",
  "read",
  "range",
  "stat",
  "list",
  "usage",
  "clear",
  "begin",
  "part",
  "abort",
]);
