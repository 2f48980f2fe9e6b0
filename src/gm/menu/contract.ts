import * as z from "zod/mini";
import { call, contract } from "@/rpc/contract";

const text = (most: number) => z.string().check(z.maxLength(most));

/** A command as the script registered it. */
export const menuCommand = z.object({
  id: text(200),
  caption: text(2000),
  /** Text shown when the pointer rests on it. */
  hint: z.optional(text(2000)),
  accessKey: z.optional(text(8)),
  /** Whether choosing it closes the popup. */
  autoClose: z.boolean(),
});

export type CommandSpec = z.infer<typeof menuCommand>;

/** Commands of one script in one document; the worker forgets them with the document. */
export const menuContract = contract("gm.menu", "script", {
  /** All commands there are now, in their order. */
  set: call(z.object({ commands: z.array(menuCommand).check(z.maxLength(500)) }), [
    "GM_registerMenuCommand",
    "GM.registerMenuCommand",
  ]).returns<void>(),
});

export type MenuContract = typeof menuContract;
