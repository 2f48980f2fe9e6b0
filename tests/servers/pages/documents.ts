import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";

/** A document as it is served. */
export interface Page {
  body: string;
  headers: Record<string, string>;
}

interface PageParts {
  title: string;
  /** Further scripts of the head, each its own element, after the recorder. */
  scripts?: string[];
  body?: string;
  csp?: (nonce: string) => string;
}

const clientText = (name: string) => readFileSync(new URL(`./client/${name}.js`, import.meta.url), "utf8");
const FIRST = clientText("first");
const LOOT = clientText("loot");
const HOSTILE = clientText("hostile");

/** A page whose first script is the recorder of `window.__first`. */
function page({ title, scripts = [], body = "", csp }: PageParts): Page {
  const nonce = randomBytes(12).toString("base64");
  const script = (code: string) => `<script nonce="${nonce}">${code}</script>`;
  const headers: Record<string, string> = {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-cache",
  };
  if (csp) headers["content-security-policy"] = csp(nonce);
  const head = [FIRST, ...scripts].map(script).join("\n");
  return {
    headers,
    body: `<!doctype html>
<html lang="en">
<head>
${head}
<meta charset="utf-8">
<title>${escaped(title)}</title>
</head>
<body>
<h1>${escaped(title)}</h1>
${body}
</body>
</html>
`,
  };
}

/** A plain page; what most tests load. */
export function plain(title = "Plain page"): Page {
  return page({
    title,
    body: '<main id="main"><p>Some words to read.</p><a id="link" href="/page/next">next</a></main>',
  });
}

/** Nothing is allowed but the page's own scripts. `__unsafe` is set only if the policy fails. */
export function strictCsp(): Page {
  return page({
    title: "Strict CSP",
    csp: (nonce) => `default-src 'none'; script-src 'nonce-${nonce}'`,
    body: "<script>window.__unsafe = true;</script>",
  });
}

/** Every sink of the page's world takes Trusted Types only, and no policy may be made. `__enforced` says so. */
export function trustedTypes(): Page {
  return page({
    title: "Trusted Types",
    csp: () => "require-trusted-types-for 'script'; trusted-types 'none'",
    scripts: [
      `try {
        document.createElement("div").innerHTML = "<b>x</b>";
        window.__enforced = false;
      } catch (error) {
        window.__enforced = error instanceof TypeError;
      }`,
    ],
  });
}

/**
 * Holds a frame of `source`; what the frame tells is in `window.__frames`.
 * @param strict under the strict CSP, which lets frames through and nothing else
 */
export function frameHost(source: string, strict: boolean): Page {
  return page({
    title: "Frame host",
    scripts: [COLLECT],
    body: `<iframe id="frame" src="${escaped(source)}"></iframe>`,
    ...(strict
      ? { csp: (nonce: string) => `default-src 'none'; script-src 'nonce-${nonce}'; frame-src *` }
      : {}),
  });
}

/** A framed page: tells its parent what `__first` saw. */
export function framed(): Page {
  return page({ title: "Framed", scripts: [TELL] });
}

/** Frames that a browser registers no scripts for: about:blank, srcdoc, sandboxed, blob; and a nested one. */
export function frameKinds(): Page {
  const inner = `<!doctype html><script>${FIRST}${TELL}</script><p>inner`;
  return page({
    title: "Kinds of frames",
    scripts: [COLLECT],
    body: `<iframe id="blank" src="about:blank"></iframe>
<iframe id="srcdoc" srcdoc="${escaped(inner)}"></iframe>
<iframe id="sandboxed" sandbox="allow-scripts" src="/framed"></iframe>
<iframe id="nested" src="/frame-host?same=1"></iframe>
<iframe id="blob"></iframe>
<script>
  const source = ${scriptSafe(JSON.stringify(inner))};
  document.getElementById("blob").src = URL.createObjectURL(new Blob([source], { type: "text/html" }));
</script>`,
  });
}

export interface HostileOptions {
  /** Spoil the realm only after the load event, instead of in the head. */
  late: boolean;
  /** Also spoil property descriptors, which leaves little of the page working. */
  descriptors: boolean;
  /** A same-origin frame that is spoilt before it loads. */
  child: boolean;
}

/** The page that attacks: see client/hostile.js. */
export function hostile({ late, descriptors, child }: HostileOptions): Page {
  const call = `window.__installHostile(${JSON.stringify({ descriptors, child: child ? "/framed" : "" })});`;
  return page({
    title: late ? "Hostile, late" : "Hostile",
    scripts: [
      LOOT,
      HOSTILE,
      late ? `addEventListener("load", () => setTimeout(() => { ${call} }, 50));` : call,
    ],
  });
}

/** An SVG document with the recorder. */
export function svg(): Page {
  return {
    headers: { "content-type": "image/svg+xml" },
    body: `<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><script><![CDATA[${FIRST}]]></script><circle cx="50" cy="50" r="40"/></svg>`,
  };
}

/** An XML document with the recorder in an XHTML script element. */
export function xml(): Page {
  return {
    headers: { "content-type": "application/xml" },
    body: `<?xml version="1.0" encoding="UTF-8"?><root><script xmlns="http://www.w3.org/1999/xhtml"><![CDATA[${FIRST}]]></script><item>text</item></root>`,
  };
}

const TELL = `parent.postMessage({ framed: location.href, first: window.__first }, "*");`;
const COLLECT = `window.__frames = [];
addEventListener("message", (event) => {
  if (event.data && event.data.framed) window.__frames.push(event.data);
});`;

function escaped(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}

/** JSON inside a script element: a closing tag in a string must not end the element. */
function scriptSafe(json: string): string {
  return json.replace(/</g, "\\u003c");
}
