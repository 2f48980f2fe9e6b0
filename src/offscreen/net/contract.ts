import * as z from "zod/mini";
import { contract, stream } from "@/rpc/contract";

export const relayRequest = z.object({
  /** Which of the worker's rules the request goes by, such as `web`; they say where it may go and add keys. */
  profile: z.string(),
  url: z.string(),
  method: z.string(),
  headers: z.array(z.tuple([z.string(), z.string()])),
  body: z.nullable(z.instanceof(Blob)),
});

export type RelayRequest = z.infer<typeof relayRequest>;

/** The head of an answer, once, then its body. */
export type RelayPart =
  | { type: "head"; status: number; statusText: string; headers: Array<[string, string]>; url: string }
  | { type: "body"; part: Uint8Array | Blob };

/** The offscreen document's requests: it has no network of its own, so that keys and rules are in one place, the worker. */
export const offscreenNetContract = contract("offscreen.net", "offscreen", {
  /** @throws NotFoundError for a profile that is not there, and what its rules and the network say */
  request: stream(relayRequest).yields<RelayPart>(),
});

export type OffscreenNetContract = typeof offscreenNetContract;
