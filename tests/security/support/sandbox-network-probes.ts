import type { Probe } from "./sandbox-probes";

const FRAME = ["frame"] as const;
const PAUSE = "await new Promise((done) => setTimeout(done, 500));";
/** Source: adds markup to the document. */
const markup = (html: string) => `document.body.insertAdjacentHTML("beforeend", ${JSON.stringify(html)});`;

/** Less known ways to make the browser ask for something: what they come to does not matter, only that no request is seen. */
const WAYS: ReadonlyArray<{ name: string; code(server: string): string }> = [
  {
    name: "transforms XML by sheets and documents of another address",
    code: (server) =>
      `const parser = new DOMParser();
       const sheet = '<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:import href="${server}/leak/xsl"/><xsl:template match="/"><o><xsl:copy-of select="document(&quot;${server}/leak/xml&quot;)"/></o></xsl:template></xsl:stylesheet>';
       try { const xslt = new XSLTProcessor(); xslt.importStylesheet(parser.parseFromString(sheet, "text/xml")); xslt.transformToDocument(parser.parseFromString("<a/>", "text/xml")); } catch {}
       parser.parseFromString('<?xml-stylesheet type="text/xsl" href="${server}/leak/pi"?><!DOCTYPE a [<!ENTITY e SYSTEM "${server}/leak/dtd">]><a>&e;</a>', "text/xml");`,
  },
  {
    name: "sends pings of links to its own page, and reports of attribution",
    code: (server) =>
      `${markup(`<a class="go" href="#x" ping="${server}/leak/a">x</a><map><area class="go" href="#x" ping="${server}/leak/area"></map><svg><a class="go" href="#x" ping="${server}/leak/svg"></a></svg><img attributionsrc="${server}/leak/attribution" src="data:,x">`)}
       for (const link of document.querySelectorAll(".go")) link.dispatchEvent(new MouseEvent("click"));`,
  },
  {
    name: "loads what pictures, tables, filters and styles name",
    code: (server) =>
      markup(
        `<video poster="${server}/leak/poster"><track default src="${server}/leak/track"><source src="${server}/leak/source"></video><input type="image" src="${server}/leak/input"><table background="${server}/leak/table"></table><picture><source srcset="${server}/leak/srcset"><img></picture><svg><filter id="f"><feImage href="${server}/leak/filter"/></filter><rect filter="url(#f)" fill="url(${server}/leak/fill#x)" width="9" height="9"/></svg><div style="${["cursor", "list-style", "border-image", "mask", "filter", "content", "shape-outside", "clip-path", "offset-path"].map((name) => `${name}:url(${server}/leak/${name}#x)`).join(";")};background-image:image-set(url(${server}/leak/set) 1x)">x</div>`,
      ),
  },
  {
    name: "puts policies, bases, links and reports in its own head",
    code: (server) =>
      `document.head.insertAdjacentHTML("beforeend", '<base href="${server}/leak/"><meta http-equiv="Content-Security-Policy" content="default-src *; report-uri ${server}/leak/report"><meta http-equiv="Link" content="<${server}/leak/link>; rel=preload; as=image">');
       new Image().src = "relative.png";`,
  },
  {
    name: "asks for pages at once by speculation rules of every kind",
    code: (server) =>
      `for (const kind of ["prefetch", "prerender"]) for (const more of [{ eagerness: "immediate" }, { requires: ["anonymous-client-ip-when-cross-origin"] }]) {
         const rules = document.createElement("script"); rules.type = "speculationrules";
         rules.textContent = JSON.stringify({ [kind]: [{ source: "list", urls: ["${server}/leak/" + kind], ...more }] });
         document.head.append(rules);
       }`,
  },
  {
    name: "adds modules to worklets, and maps imports",
    code: (server) =>
      `const map = document.createElement("script"); map.type = "importmap"; map.textContent = JSON.stringify({ imports: { x: "${server}/leak/map" } }); document.head.append(map);
       const ways = [() => import("x"), () => CSS.paintWorklet.addModule("${server}/leak/paint"), () => sharedStorage.worklet.addModule("${server}/leak/shared"), () => new AudioContext().audioWorklet.addModule("${server}/leak/audio")];
       for (const way of ways) { try { await way(); } catch {} }`,
  },
  {
    name: "leaves a fetch for later",
    code: (server) =>
      `try { fetchLater("${server}/leak/later", { activateAfter: 0 }); fetchLater("${server}/leak/end", { method: "POST", body: "x" }); } catch {}`,
  },
  {
    name: "pays, signs in, notifies and plays media with pictures of another address",
    code: (server) =>
      `const ways = [
         () => new PaymentRequest([{ supportedMethods: "${server}/leak/pay" }], { total: { label: "x", amount: { currency: "EUR", value: "1" } } }).canMakePayment(),
         () => navigator.credentials.get({ identity: { providers: [{ configURL: "${server}/leak/sign-in", clientId: "1" }] } }),
         () => new Notification("x", { icon: "${server}/leak/icon" }),
         () => { navigator.mediaSession.metadata = new MediaMetadata({ title: "x", artwork: [{ src: "${server}/leak/art" }] }); },
       ];
       for (const way of ways) { try { await way(); } catch {} }`,
  },
];

export const NETWORK_PROBES: readonly Probe[] = WAYS.map(({ name, code }) => ({
  name,
  where: FRAME,
  code: ({ server }) => `${code(server)} ${PAUSE} return "tried"`,
  expected: ["tried"],
}));
