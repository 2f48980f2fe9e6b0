/** What a probe may use: where its traffic would be seen, and what is not for it. */
export interface ProbeWorld {
  /** Origin of a server that must see nothing; each probe asks for `/leak/…`. */
  server: string;
  /** Address of our pages, with a slash at its end. */
  extension: string;
  /** Of a UDP socket that must see nothing. */
  udpPort: number;
}

export interface Probe {
  name: string;
  /** Where it runs: the worker of one-shot code, or the frame of a background script. */
  where: ReadonlyArray<"worker" | "frame">;
  /** Body of an async function; what it returns is compared. */
  code(world: ProbeWorld): string;
  /** What it may come to. */
  expected: readonly unknown[];
}

const BOTH = ["worker", "frame"] as const;
const FRAME = ["frame"] as const;
const WORKER = ["worker"] as const;

/** Source: the name of what the expression throws or rejects with, else its value. */
const tried = (expression: string) =>
  `await (async () => ${expression})().then((value) => value, (error) => "threw " + (error?.name ?? error))`;
/** Source: what `work(resolve)` resolves with, "nothing" after a while. */
const within = (work: string, ms = 700) =>
  `await new Promise((resolve) => { setTimeout(() => resolve("nothing"), ${ms}); ${work} })`;
/** Source: a worker made of text; what it posts. */
const nested = (source: string) =>
  within(
    `const url = URL.createObjectURL(new Blob([${JSON.stringify(source)}]));
     const worker = new Worker(url); worker.onmessage = ({ data }) => resolve(data); worker.onerror = () => resolve("error");`,
    2_000,
  );
/** Source: adds markup to the document. */
const markup = (html: string) => `document.body.insertAdjacentHTML("beforeend", ${JSON.stringify(html)})`;
const PAUSE = "await new Promise((done) => setTimeout(done, 400));";
const SECURITY = "threw SecurityError";

export const PROBES: readonly Probe[] = [
  // Who made the frame, and what is around it.
  ...["parent.document", "top.document", "parent.chrome.runtime", "top.location.href"].map(
    (expression): Probe => ({
      name: `reads ${expression}`,
      where: FRAME,
      code: () => `return ${tried(expression)}`,
      expected: [SECURITY],
    }),
  ),
  {
    name: "looks for its opener and its own element in the document around it",
    where: FRAME,
    code: () => `return [opener, ${tried("frameElement")}]`,
    expected: [[null, null]],
  },
  {
    name: "opens a window",
    where: FRAME,
    code: ({ server }) => `return open("${server}/leak/open")`,
    expected: [null],
  },
  {
    name: "navigates the document around it",
    where: FRAME,
    code: ({ server }) =>
      `return [${tried(`(parent.location = "${server}/leak/parent")`)}, ${tried(`(top.location.href = "${server}/leak/top")`)}]`,
    expected: [[SECURITY, SECURITY]],
  },
  // Stores.
  ...["document.cookie", "localStorage", "sessionStorage", "(navigator.serviceWorker ?? 0).controller"].map(
    (expression): Probe => ({
      name: `uses ${expression}`,
      where: FRAME,
      code: () => `return ${tried(expression)}`,
      expected: [SECURITY],
    }),
  ),
  {
    name: "opens a database",
    where: BOTH,
    code: () =>
      `return ${tried(`new Promise((done, fail) => { const request = indexedDB.open("x"); request.onsuccess = () => done("opened"); request.onerror = () => fail(request.error); })`)}`,
    expected: [SECURITY],
  },
  {
    name: "opens a cache",
    where: BOTH,
    code: () => `return ${tried(`caches.open("x")`)}`,
    expected: [SECURITY, "threw ReferenceError"],
  },
  {
    name: "opens the private file system",
    where: BOTH,
    code: () => `return ${tried("navigator.storage.getDirectory()")}`,
    expected: [SECURITY, "threw TypeError"],
  },
  {
    name: "talks over a BroadcastChannel to itself in another frame",
    where: FRAME,
    code: () =>
      `const channel = new BroadcastChannel("probe"); const heard = ${within(`channel.onmessage = ({ data }) => resolve(data); channel.postMessage("me");`)}; return heard`,
    expected: ["nothing"],
  },
  // The extension.
  {
    name: "looks for the extension's API",
    where: BOTH,
    code: () =>
      `return [globalThis.chrome?.runtime, globalThis.chrome?.storage, globalThis.browser?.runtime, globalThis.chrome?.tabs].map((api) => typeof api)`,
    expected: [["undefined", "undefined", "undefined", "undefined"]],
  },
  {
    name: "frames a page of the extension",
    where: FRAME,
    code: ({ extension }) =>
      `const frame = document.createElement("iframe"); frame.src = "${extension}options.html"; document.body.append(frame);
       await new Promise((done) => { frame.onload = done; setTimeout(done, 1000); });
       return [${tried("frame.contentWindow.document.title")}, ${tried("frame.contentWindow.chrome.runtime.id")}]`,
    expected: [[SECURITY, SECURITY]],
  },
  // The network.
  {
    name: "fetches by its fetch",
    where: BOTH,
    code: ({ server }) => `return ${tried(`fetch("${server}/leak/fetch")`)}`,
    expected: ["threw PermissionDeniedError"],
  },
  {
    name: "fetches by the browser's own fetch, from a worker below it",
    where: BOTH,
    code: ({ server }) =>
      `return ${nested(`fetch("${server}/leak/nested").then(() => postMessage("read"), (error) => postMessage(error.name))`)}`,
    expected: ["TypeError"],
  },
  {
    name: "sends an XMLHttpRequest",
    where: BOTH,
    code: ({ server }) =>
      `return ${within(`const xhr = new XMLHttpRequest(); xhr.onload = () => resolve("read"); xhr.onerror = () => resolve("error"); xhr.open("POST", "${server}/leak/xhr"); xhr.send("x");`)}`,
    expected: ["error"],
  },
  {
    name: "opens a WebSocket",
    where: BOTH,
    code: ({ server }) =>
      `return ${tried(within(`const socket = new WebSocket("${server.replace("http", "ws")}/leak/socket"); socket.onopen = () => resolve("open"); socket.onerror = () => resolve("error");`).replace("await ", ""))}`,
    expected: ["error", SECURITY],
  },
  {
    name: "opens an EventSource",
    where: BOTH,
    code: ({ server }) =>
      `return ${within(`const source = new EventSource("${server}/leak/events"); source.onopen = () => resolve("open"); source.onerror = () => resolve("error");`)}`,
    expected: ["error"],
  },
  {
    name: "opens a WebTransport",
    where: BOTH,
    code: ({ udpPort }) => `return ${tried(`new WebTransport("https://127.0.0.1:${udpPort}/").ready`)}`,
    expected: ["threw WebTransportError", "threw ReferenceError"],
  },
  {
    name: "uses WebRTC",
    where: BOTH,
    code: () => "return [typeof RTCPeerConnection, typeof webkitRTCPeerConnection]",
    expected: [["undefined", "undefined"]],
  },
  {
    name: "uses WebRTC in a fresh window",
    where: FRAME,
    code: ({ udpPort }) =>
      `const source = "<script>new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${udpPort}' }] }).createDataChannel('x'); parent.postMessage('ran', '*')</scr" + "ipt>";
       const say = ${within(
         `onmessage = ({ data }) => resolve(data);
          for (const attribute of ["srcdoc", "src"]) {
            const frame = document.createElement("iframe");
            frame[attribute] = attribute === "srcdoc" ? source : "javascript:" + JSON.stringify(source);
            document.body.append(frame);
          }
          const handler = document.createElement("iframe");
          handler.srcdoc = "<img src=x onerror=\\"parent.postMessage('ran', '*')\\">";
          document.body.append(handler);`,
         1_500,
       )};
       const blank = document.createElement("iframe"); document.body.append(blank);
       return [say, ${tried("typeof blank.contentWindow.RTCPeerConnection")}]`,
    expected: [["nothing", SECURITY]],
  },
  {
    name: "becomes the one who starts a frame of its own with our first script",
    where: FRAME,
    code: () =>
      `const own = document.querySelector("script").textContent;
       const frame = document.createElement("iframe");
       frame.srcdoc = "<script>" + own + "</scr" + "ipt>";
       document.body.append(frame);
       await new Promise((done) => { frame.onload = done; });
       return ${within(
         `const { port1, port2 } = new MessageChannel(); const other = new MessageChannel();
          port1.onmessage = ({ data }) => resolve(data);
          frame.contentWindow.postMessage({ source: "(boot, ports) => ports[0].postMessage(typeof RTCPeerConnection)" }, "*", [port2, other.port2]);`,
       )}`,
    expected: ["nothing"],
  },
  {
    name: "sends a beacon",
    where: FRAME,
    // The browser says yes before it looks at the policy.
    code: ({ server }) => `navigator.sendBeacon("${server}/leak/beacon", "x"); ${PAUSE} return "sent"`,
    expected: ["sent"],
  },
  {
    name: "loads images, styles, fonts, media and objects",
    where: FRAME,
    code: ({ server }) =>
      `new Image().src = "${server}/leak/image";
       ${markup(`<img src="${server}/leak/img"><div style="background:url(${server}/leak/css);width:9px;height:9px"></div><style>@import "${server}/leak/import"; @font-face { font-family: f; src: url(${server}/leak/face) } p { font-family: f }</style><p>x</p><link rel="stylesheet" href="${server}/leak/sheet"><video src="${server}/leak/video" autoplay></video><audio src="${server}/leak/audio" preload="auto"></audio><object data="${server}/leak/object"></object><embed src="${server}/leak/embed"><svg><image href="${server}/leak/svg"/><use href="${server}/leak/use#x"/></svg>`)};
       const font = ${tried(`new FontFace("g", "url(${server}/leak/font)").load()`)};
       ${PAUSE} return font`,
    expected: ["threw NetworkError"],
  },
  {
    name: "asks the browser to load ahead",
    where: FRAME,
    code: ({ server }) =>
      `for (const rel of ["preload", "prefetch", "modulepreload", "prerender", "dns-prefetch", "icon", "manifest"]) {
         const link = document.createElement("link"); link.rel = rel; link.as = "image"; link.href = "${server}/leak/" + rel; document.head.append(link);
       }
       const rules = document.createElement("script"); rules.type = "speculationrules";
       rules.textContent = JSON.stringify({ prefetch: [{ source: "list", urls: ["${server}/leak/rules"] }] });
       document.head.append(rules); ${PAUSE} return "asked"`,
    expected: ["asked"],
  },
  {
    name: "loads a script by an element",
    where: FRAME,
    code: ({ server }) =>
      `return ${within(`const script = document.createElement("script"); script.src = "${server}/leak/script"; script.onload = () => resolve("ran"); script.onerror = () => resolve("error"); document.head.append(script);`)}`,
    expected: ["error"],
  },
  {
    name: "imports a module",
    where: BOTH,
    code: ({ server }) =>
      `return [${tried(`import("${server}/leak/module")`)}, ${tried(`import("data:text/javascript,export default 1")`)}]`,
    expected: [["threw TypeError", "threw TypeError"]],
  },
  {
    name: "imports scripts",
    where: WORKER,
    code: ({ server }) => `return ${tried(`importScripts("${server}/leak/scripts")`)}`,
    expected: ["threw NetworkError"],
  },
  {
    name: "makes workers of other addresses, and a shared one",
    where: BOTH,
    code: ({ server }) =>
      `const start = (make) => ${within(`try { const worker = make(); worker.onerror = () => resolve("error"); (worker.port ?? worker).onmessage = () => resolve("ran"); } catch (error) { resolve("threw " + error.name) }`).replace("await ", "")};
       const outcomes = [await start(() => new Worker("${server}/leak/worker")), await start(() => new Worker("data:text/javascript,postMessage(1)")),
         typeof SharedWorker === "undefined" ? "error" : await start(() => new SharedWorker("${server}/leak/shared"))];
       return outcomes.every((outcome) => /^(error|threw SecurityError)$/.test(outcome)) ? "refused" : outcomes`,
    expected: ["refused"],
  },
  {
    name: "submits a form",
    where: FRAME,
    code: ({ server }) =>
      `${markup(`<form action="${server}/leak/form" method="post"><input name="x" value="y"></form>`)};
       const form = document.forms[0]; form.submit(); form.requestSubmit(); form.target = "_blank"; form.submit(); ${PAUSE} return "submitted"`,
    expected: ["submitted"],
  },
  {
    name: "follows links, with pings and new windows",
    where: FRAME,
    code: ({ server }) =>
      `for (const attributes of ['target="_blank"', 'ping="${server}/leak/ping" target="_blank"', 'target="_top"', 'target="_parent"']) {
         document.body.insertAdjacentHTML("beforeend", '<a ' + attributes + ' href="${server}/leak/link">x</a>');
         document.body.lastElementChild.click();
       }
       ${PAUSE} return "clicked"`,
    expected: ["clicked"],
  },
  {
    name: "makes frames of other addresses",
    where: FRAME,
    code: ({ server }) =>
      `return ${within(
        `onmessage = ({ data }) => resolve(data);
         const page = "<script>parent.postMessage('ran', '*')</scr" + "ipt>";
         for (const src of ["${server}/leak/frame", "data:text/html," + page, URL.createObjectURL(new Blob([page], { type: "text/html" })), location.href]) {
           const frame = document.createElement("iframe"); frame.src = src; document.body.append(frame);
         }`,
        1_200,
      )}`,
    expected: ["nothing"],
  },
  {
    name: "looks for shared memory",
    where: BOTH,
    code: () => "return [typeof SharedArrayBuffer, crossOriginIsolated]",
    expected: [["undefined", false]],
  },
  {
    name: "reaches back from its worker to the frame",
    where: WORKER,
    code: () =>
      `const found = []; for (let object = globalThis; object; object = Object.getPrototypeOf(object)) found.push(Object.hasOwn(object, "postMessage")); return found.includes(true)`,
    expected: [false],
  },
  {
    name: "reads the address of the document around it",
    where: FRAME,
    code: () => "return [document.referrer, location.ancestorOrigins?.length ?? 0, origin]",
    expected: [["", 1, "null"]],
  },
];

/** Probes that leave the frame, so that nothing can report: their traffic tells. */
export const DEPARTURES: ReadonlyArray<{ name: string; code(world: ProbeWorld): string }> = [
  { name: "location", code: ({ server }) => `location = "${server}/leak/location"` },
  { name: "location.replace", code: ({ server }) => `location.replace("${server}/leak/replace")` },
  { name: "navigation.navigate", code: ({ server }) => `navigation.navigate("${server}/leak/navigate")` },
  {
    name: "meta refresh",
    code: ({ server }) => markup(`<meta http-equiv="refresh" content="0;url=${server}/leak/refresh">`),
  },
  {
    name: "a link",
    code: ({ server }) =>
      `${markup(`<a href="${server}/leak/a">x</a>`)}; document.querySelector("a").click()`,
  },
  {
    name: "a data address",
    code: ({ server }) => `location = "data:text/html,<img src=${server}/leak/data>"`,
  },
  { name: "an extension page", code: ({ extension }) => `location = "${extension}options.html"` },
];
