import * as z from "zod/mini";
import { call, contract } from "@/rpc/contract";

/** What the relay, our own code in a world of its own, hands on for scripts of the page's world. */
export const relayContract = contract("gm.relay", "relay", {
  reportError: call(
    z.object({
      uuid: z.string(),
      message: z.string().check(z.maxLength(2000)),
      stack: z.optional(z.string().check(z.maxLength(8000))),
      url: z.string(),
    }),
  ).returns<void>(),
});
