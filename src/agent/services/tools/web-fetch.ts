import * as z from "zod/mini";
import type { OffscreenDomContract } from "@/offscreen/dom/contract";
import type { BuiltinToolDeps } from "./index";
import { type BuiltinTool, tool } from "./tool";

/** Characters of a page that are handed on unless more are asked for. */
const USUAL_CHARS = 50_000;

const input = z.object({
  url: z.string(),
  mode: z.optional(z.enum(["article", "page"])),
  maxChars: z.optional(z.number().check(z.int(), z.positive(), z.maximum(1_000_000))),
});

/** Reads a page of the web as Markdown, without showing it. */
export function webFetch({ offscreen }: BuiltinToolDeps): BuiltinTool {
  return tool({
    name: "web_fetch",
    description:
      "Reads an http(s) address and returns it as text: web pages as Markdown, JSON and plain text as they are. Use it to look something up.",
    effect: "read",
    input,
    run: ({ url, mode, maxChars }, { signal }) =>
      offscreen
        .of<OffscreenDomContract>("offscreen.dom")
        .call(
          "fetchPage",
          { url, mode: mode ?? "article", maxChars: maxChars ?? USUAL_CHARS },
          { signal, repeatable: true },
        ),
  });
}
