import { gfm } from "@joplin/turndown-plugin-gfm";
import { Readability } from "@mozilla/readability";
import TurndownService from "turndown";
import type { ReadablePage } from "./contract";
import { parsePage, safeAddress } from "./parse";
import { weigh } from "./weigh";

/**
 * Weights (see {@link weigh}) from which on a page is not searched for its article, or not even written as Markdown: a page made to be
 * slow would stop everything else here. 27,000 elements, 500 deep, weigh 13 million; finding their article takes 8 s, writing them 2 s.
 */
const HEAVIEST_ARTICLE = 2_000_000;
const HEAVIEST_PAGE = 5_000_000;

/** Characters of an article below which the page is no article, and all of it is read. */
const SHORTEST_ARTICLE = 200;
/** What says nothing as text. */
const NOISE =
  "script, style, noscript, template, svg, canvas, iframe, object, embed, link, meta, dialog:not([open])";

/** See the contract. */
export function toMarkdown(input: {
  html: string;
  url: string;
  mode: "article" | "page";
  maxChars?: number;
}): ReadablePage {
  const { page, whole } = parsePage(input.html, input.url);
  const lang = page.documentElement.lang || undefined;
  const title = page.title.trim();
  const weight = weigh(page.body);
  // Readability takes the document apart, so it gets one of its own.
  const article =
    input.mode === "article" && weight <= HEAVIEST_ARTICLE
      ? readArticle(page.cloneNode(true) as Document)
      : null;
  const root = article ? parsePage(article.content, input.url).page.body : page.body;
  const markdown = weight <= HEAVIEST_PAGE ? render(root, page.baseURI) : plainText(root);
  const limit = input.maxChars ?? Number.POSITIVE_INFINITY;
  return {
    title: article?.title || title,
    byline: article?.byline || undefined,
    siteName: article?.siteName || undefined,
    excerpt: article?.excerpt || undefined,
    lang,
    markdown: markdown.length > limit ? cut(markdown, limit) : markdown,
    mode: article ? "article" : "page",
    truncated: !whole || markdown.length > limit,
    length: markdown.length,
  };
}

function readArticle(page: Document) {
  const article = new Readability(page).parse();
  if (!article?.content || (article.textContent?.trim().length ?? 0) < SHORTEST_ARTICLE) return null;
  return { ...article, content: article.content };
}

function withoutNoise(root: HTMLElement): HTMLElement {
  for (const element of root.querySelectorAll(NOISE)) element.remove();
  for (const element of root.querySelectorAll("[hidden], [aria-hidden='true']")) element.remove();
  return root;
}

function plainText(root: HTMLElement): string {
  return (withoutNoise(root).textContent ?? "").replace(/\s*\n\s*/g, "\n").trim();
}

function render(root: HTMLElement, base: string): string {
  const turndown = new TurndownService({
    headingStyle: "atx",
    codeBlockStyle: "fenced",
    bulletListMarker: "-",
    emDelimiter: "*",
  });
  turndown.use(gfm);
  turndown.addRule("link", {
    filter: (node) => node.nodeName === "A",
    replacement: (content, node) => {
      const href = safeAddress((node as HTMLElement).getAttribute("href"), base);
      const text = content.replace(/\s+/g, " ").trim();
      return href === null || text === "" ? text : `[${text}](${escapeTarget(href)})`;
    },
  });
  turndown.addRule("image", {
    filter: "img",
    // The bytes of an inlined image say nothing as text, and are long.
    replacement: (_content, node) => {
      const element = node as HTMLElement;
      const alt = (element.getAttribute("alt") ?? "").replace(/\s+/g, " ").replace(/[[\]]/g, "").trim();
      const src = safeAddress(element.getAttribute("src"), base);
      return src === null ? alt : `![${alt}](${escapeTarget(src)})`;
    },
  });
  return turndown
    .turndown(withoutNoise(root))
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** Parentheses end a link's target (CommonMark 0.31, 6.3), and an address may hold them. */
function escapeTarget(href: string): string {
  return href.replaceAll("(", "%28").replaceAll(")", "%29");
}

/** Cut before a whole character, never in the middle of a surrogate pair. */
function cut(text: string, length: number): string {
  return text.slice(0, length).toWellFormed().replace(/�$/, "");
}
