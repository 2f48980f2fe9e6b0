import * as z from "zod/mini";
import { call, contract } from "@/rpc/contract";

/** Characters of HTML that are read; more would block the document for too long. */
export const MOST_HTML = 20_000_000;

const html = z.string().check(z.maxLength(MOST_HTML, `The page is larger than ${MOST_HTML} characters.`));
const base = { html, /** Address of the page, for its relative links. */ url: z.string() };

/** A page as readable text. */
export interface ReadablePage {
  title: string;
  /** Author, site and summary, where the page says them. */
  byline?: string;
  siteName?: string;
  excerpt?: string;
  /** Language tag (BCP 47), where the page says it. */
  lang?: string;
  markdown: string;
  /** What was read: the main article, or all of the page. */
  mode: "article" | "page";
  /** Whether `markdown` was cut at `maxChars`, or the page took too long to read whole; its length before the cut. */
  truncated: boolean;
  length: number;
}

/** An answer of the web as text. Of a page, what {@link ReadablePage} says, with its Markdown as `text`. */
export interface FetchedPage extends Partial<Omit<ReadablePage, "markdown">> {
  /** After redirects. */
  url: string;
  status: number;
  contentType: string;
  text: string;
  truncated: boolean;
  length: number;
}

/** One element that a selector found. */
export interface SelectedElement {
  /** Its text, white space joined. */
  text: string;
  /** Those asked for that it has; addresses are absolute. */
  attributes: Record<string, string>;
}

/** Reading pages without showing them: nothing of them runs, and nothing is loaded. */
export const offscreenDomContract = contract("offscreen.dom", "worker", {
  /**
   * HTML as Markdown. `article` takes the main text by Readability's rules, or all of it when there is none.
   * @throws TypeError for what is too large
   */
  toMarkdown: call(
    z.object({
      ...base,
      mode: z.enum(["article", "page"]),
      maxChars: z.optional(z.number().check(z.int(), z.positive())),
    }),
  ).returns<ReadablePage>(),
  /**
   * Reads an address of the web, by the worker's rules for it, and gives it as text; of a web page as `toMarkdown` does.
   * @throws NotTextError, and what the network and the rules say
   */
  fetchPage: call(
    z.object({
      url: z.string(),
      mode: z.enum(["article", "page"]),
      maxChars: z.number().check(z.int(), z.positive()),
    }),
  ).returns<FetchedPage>(),
  /** The elements that a CSS selector finds, in document order. @throws TypeError for a selector that is none */
  select: call(
    z.object({
      ...base,
      selector: z.string(),
      attributes: z.array(z.string()),
      max: z.number().check(z.int(), z.positive()),
    }),
  ).returns<SelectedElement[]>(),
});

export type OffscreenDomContract = typeof offscreenDomContract;
