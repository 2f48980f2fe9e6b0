import * as z from "zod/mini";
import { call, contract } from "@/rpc/contract";

/** `[key, encoded value]`, or null in place of the value to delete the key. */
export type ValueWrite = [key: string, text: string | null];

/** What one write did to one key; null where there was or is no value. */
export type ValueChange = [key: string, before: string | null, after: string | null];

const both = (...names: string[]) => names.flatMap((name) => [`GM_${name}`, `GM.${name}`]);
export const READ_GRANTS = both("getValue", "getValues");
export const LIST_GRANTS = both("listValues");
export const SET_GRANTS = both("setValue", "setValues");
export const DELETE_GRANTS = both("deleteValue", "deleteValues");
export const LISTEN_GRANTS = both("addValueChangeListener");

/** A script's stored values. Texts are made by `codec.ts`; the worker does not look into them. */
export const valuesContract = contract("gm.values", "script", {
  /** Values as stored now, of these keys or of all. */
  read: call(z.object({ keys: z.nullable(z.array(z.string())) }), READ_GRANTS).returns<{
    entries: Array<[key: string, text: string]>;
    revision: number;
  }>(),
  list: call(z.object({}), LIST_GRANTS).returns<string[]>(),
  /** Applies all writes in their order, or none. Resolves when they are stored, with the revision that has them. */
  write: call(
    z.object({ writes: z.array(z.tuple([z.string(), z.nullable(z.string())])).check(z.maxLength(20_000)) }),
    [...SET_GRANTS, ...DELETE_GRANTS],
  ).returns<{ revision: number }>(),
});

export type ValuesContract = typeof valuesContract;
