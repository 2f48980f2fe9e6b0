// @vitest-environment jsdom
import { describe, expect, it } from "vitest";
import { fetchPage } from "@/offscreen/dom/fetch-page";
import { toMarkdown } from "@/offscreen/dom/markdown";
import { select } from "@/offscreen/dom/select";
import { weigh } from "@/offscreen/dom/weigh";

const URL_OF_PAGE = "https://site.test/dir/page?x=1";
const markdown = (html: string, rest: Partial<Parameters<typeof toMarkdown>[0]> = {}) =>
  toMarkdown({ html, url: URL_OF_PAGE, mode: "page", ...rest });

describe("a page as Markdown", () => {
  it("keeps headings, lists, tables, code and emphasis", () => {
    const { markdown: text } = markdown(`<h2>Prices</h2><p>All <b>good</b> and <em>fresh</em>.</p>
      <ul><li>One</li><li>Two<ul><li>Deep</li></ul></li></ul>
      <table><thead><tr><th>Fruit</th><th>Price</th></tr></thead><tbody><tr><td>Apple</td><td>3 | 4</td></tr></tbody></table>
      <pre><code class="language-js">let a = 1;\nif (a) b();</code></pre>`);
    expect(text).toContain("## Prices");
    expect(text).toContain("All **good** and *fresh*.");
    expect(text).toMatch(/-\s+One/);
    expect(text).toMatch(/\n {4}-\s+Deep/);
    expect(text).toContain("| Fruit | Price |");
    expect(text).toMatch(/\| Apple \| 3 \\\| 4 \|/);
    expect(text).toContain("```js\nlet a = 1;\nif (a) b();\n```");
  });

  it("makes addresses absolute, by the page's own base too", () => {
    expect(markdown('<a href="../a?b=1">A</a>').markdown).toBe("[A](https://site.test/a?b=1)");
    expect(markdown('<base href="/base/"><a href="a">A</a>').markdown).toBe("[A](https://site.test/base/a)");
    expect(markdown('<a href="/w/A_(b)">A</a>').markdown).toBe("[A](https://site.test/w/A_%28b%29)");
  });

  it("drops what is no text: scripts, styles, hidden parts, inlined images, addresses that run code", () => {
    const { markdown: text } =
      markdown(`<p></p><script>secret()</script><style>p{}</style><noscript>no</noscript>
      <template><p>tpl</p></template><p hidden>hid</p><p aria-hidden="true">aria</p>
      <a href="javascript:alert(1)">click</a> <a href="data:text/html,x">data</a>
      <img alt="Cat [1]" src="data:image/png;base64,AAAA"><img alt="Dog" src="/dog.png">`);
    expect(text.replace(/\s+/g, " ")).toBe("click data Cat 1![Dog](https://site.test/dog.png)");
  });

  it("finds the article of a page, and reads all of a page that has none", () => {
    const paragraph = `<p>${"Long enough to be an article, with commas, and more words in it. ".repeat(6)}</p>`;
    const page = `<title>The title</title><nav>${'<a href="/x">menu</a> '.repeat(30)}</nav><article><h1>The title</h1>${paragraph.repeat(5)}</article><footer>imprint</footer>`;
    const article = markdown(page, { mode: "article" });
    expect(article).toMatchObject({ mode: "article", title: "The title", truncated: false });
    expect(article.markdown).toContain("Long enough");
    expect(article.markdown).not.toContain("menu");
    expect(markdown("<title>T</title><p>Short.</p>", { mode: "article" })).toMatchObject({
      mode: "page",
      title: "T",
      markdown: "Short.",
    });
  });

  it("cuts at a whole character and says so", () => {
    const cut = markdown(`<p>${"😀".repeat(10)}</p>`, { maxChars: 5 });
    expect(cut).toMatchObject({ markdown: "😀😀", truncated: true, length: 20 });
  });

  it.each([
    ["nothing", ""],
    ["text alone", "just text"],
    ["a broken table", "<table><tr><td>a<tr><td>b"],
    ["odd nesting", "<b><p>x</b></p></a></div>"],
    ["a frameset", "<frameset><frame src=x></frameset>"],
  ])("reads %s", (_name, html) => {
    expect(typeof markdown(html, { mode: "article" }).markdown).toBe("string");
  });
});

describe("weigh", () => {
  it.each([
    ["", 0],
    ["<p>a</p><p>b</p>", 2],
    ["<div><p>a</p><p><b>c</b></p></div><i></i>", 1 + 2 + 2 + 3 + 1],
  ])("%s", (html, weight) => {
    expect(weigh(new DOMParser().parseFromString(html, "text/html").body)).toBe(weight);
  });
});

describe("select", () => {
  it("gives text and attributes, addresses absolute", () => {
    const found = select({
      html: '<ul><li><a class="r" href="/1" data-n="1"> One\n two </a><a class="r" href="javascript:x">No</a></ul>',
      url: URL_OF_PAGE,
      selector: "a.r",
      attributes: ["href", "data-n", "missing"],
      max: 5,
    });
    expect(found).toEqual([
      { text: "One two", attributes: { href: "https://site.test/1", "data-n": "1" } },
      { text: "No", attributes: {} },
    ]);
  });

  it("names a selector that is none", () => {
    const wrong = () => select({ html: "", url: URL_OF_PAGE, selector: "a[", attributes: [], max: 1 });
    expect(wrong).toThrow(/"a\[" is not a CSS selector/);
  });
});

describe("fetchPage", () => {
  const answer = (body: BodyInit, contentType: string, status = 200) => {
    const response = new Response(body, { status, headers: { "content-type": contentType } });
    Object.defineProperty(response, "url", { value: URL_OF_PAGE });
    return (async () => response) as typeof fetch;
  };
  const read = (get: typeof fetch, maxChars = 1000) =>
    fetchPage(get, { url: URL_OF_PAGE, mode: "page", maxChars }, new AbortController().signal);
  const gbk = new Uint8Array([0xd6, 0xd0, 0xce, 0xc4]);
  const bytesOf = (...parts: Array<string | Uint8Array>) =>
    new Uint8Array(
      parts.flatMap((part) => [...(typeof part === "string" ? new TextEncoder().encode(part) : part)]),
    );

  it("reads pages as Markdown, other text as it is", async () => {
    expect(await read(answer("<title>T</title><h1>Hi</h1>", "text/html"))).toMatchObject({
      status: 200,
      title: "T",
      text: "# Hi",
    });
    expect(await read(answer('{"a":1}', "application/json"))).toMatchObject({ text: '{"a":1}' });
    expect(await read(answer("x".repeat(2000), "text/plain"))).toMatchObject({
      truncated: true,
      length: 2000,
      text: "x".repeat(1000),
    });
  });

  it("decodes by the header, and else by what the page says of itself", async () => {
    expect(await read(answer(gbk, "text/plain; charset=gbk"))).toMatchObject({ text: "中文" });
    expect(await read(answer(bytesOf('<meta charset="gbk">', gbk), "text/html"))).toMatchObject({
      text: "中文",
    });
    expect(await read(answer("ä", "text/plain; charset=nonsense"))).toMatchObject({ text: "ä" });
  });

  it("refuses what is no text, by name", async () => {
    await expect(read(answer(gbk, "image/png"))).rejects.toMatchObject({ name: "NotTextError" });
  });

  it("tells of an error page", async () => {
    expect(await read(answer("<p>gone</p>", "text/html", 404))).toMatchObject({ status: 404, text: "gone" });
  });
});
