import * as z from "zod/mini";
import { call, contract } from "@/rpc/contract";

/** Errors that a script's code made in a page, for its log. Every script may report its own. */
export const errorsContract = contract("gm.errors", "script", {
  report: call(
    z.object({
      message: z.string().check(z.maxLength(2000)),
      stack: z.optional(z.string().check(z.maxLength(8000))),
      url: z.optional(z.string()),
    }),
  ).returns<void>(),
});
