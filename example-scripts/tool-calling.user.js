// ==UserScript==
// @name         Page helper
// @namespace    https://moggy.example/examples
// @version      1.0.0
// @description  A conversation about the page you are on, with tools that look through it, mark text in it and fill in its fields. Opens from Moggy’s menu.
// @author       Moggy
// @license      MIT
// @match        *://*/*
// @run-at       document-idle
// @noframes
// @grant        CAT.agent.conversation
// @grant        GM_registerMenuCommand
// @grant        GM_addStyle
// ==/UserScript==

/*
 * The tools. The model reads name, description and parameters (JSON Schema) and asks for a call; the handler runs here, in the page,
 * with arguments that fit the schema. What it returns goes to the model as JSON; what it throws goes there as an error.
 *
 * `effect` says what a second run of a call does, should an interruption leave open whether it ran: "read" changes nothing,
 * "idempotent" leads to the same as one run, "write" (the default) may not be repeated.
 */
const TOOLS = [
  {
    name: "list_headings",
    description: "Lists the headings of the page, in order.",
    parameters: { type: "object", properties: {}, additionalProperties: false },
    effect: "read",
    handler: async () =>
      [...document.querySelectorAll("h1, h2, h3")].map(
        (heading) => `${heading.localName}: ${heading.textContent.trim()}`,
      ),
  },
  {
    name: "find_text",
    description: "Finds where a word or phrase stands on the page. Returns the words around it.",
    parameters: {
      type: "object",
      properties: {
        phrase: { type: "string", minLength: 1, description: "The word or phrase to look for." },
      },
      required: ["phrase"],
      additionalProperties: false,
    },
    effect: "read",
    handler: async ({ phrase }) => {
      const ranges = rangesOf(phrase);
      const places = new Set(ranges.map(wordsAround));
      return { found: ranges.length, places: [...places].slice(0, 5) };
    },
  },
  {
    name: "highlight_text",
    description: "Highlights every place on the page where a word or phrase stands.",
    parameters: {
      type: "object",
      properties: {
        phrase: { type: "string", minLength: 1, description: "The word or phrase to highlight." },
      },
      required: ["phrase"],
      additionalProperties: false,
    },
    effect: "idempotent",
    handler: async ({ phrase }) => {
      const ranges = rangesOf(phrase);
      // Marks without changing the document, so that the page's own code does not notice.
      CSS.highlights.set("moggy-mark", new Highlight(...ranges));
      ranges[0]?.startContainer.parentElement?.scrollIntoView({ block: "center", behavior: "smooth" });
      return { highlighted: ranges.length };
    },
  },
  {
    name: "fill_field",
    description: "Fills a form field of the page, found by its label. Does not send the form.",
    parameters: {
      type: "object",
      properties: {
        label: {
          type: "string",
          minLength: 1,
          description: "The label of the field, as it stands on the page.",
        },
        value: { type: "string", description: "What to enter." },
      },
      required: ["label", "value"],
      additionalProperties: false,
    },
    // Not idempotent: the person may have typed something else in between.
    effect: "write",
    handler: async ({ label, value }) => {
      const field = fieldWith(label);
      if (!field) {
        const others = fields().map(labelOf).join(", ");
        throw new Error(
          `No text field is labelled "${label}". ${others ? `There are: ${others}.` : "The page has none."}`,
        );
      }
      field.scrollIntoView({ block: "center", behavior: "smooth" });
      field.focus();
      field.value = value;
      for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, { bubbles: true }));
      return { label: labelOf(field), value: field.value };
    },
  },
];

const SYSTEM = `You help a person with the web page that they have open. Use the tools to look at the page and to act on it;
do not guess what it says. Answer in a few short sentences of plain text.`;

let panel = null;
GM_registerMenuCommand("Ask about this page", () => (panel ?? open()).focus(), "a");

function open() {
  GM_addStyle("::highlight(moggy-mark) { background: #fde68a; color: #1d1b18; }");
  const conversation = findConversation();
  panel = makePanel({
    onAsk: async (question) => ask(await conversation, question),
    onStop: async () => (await conversation).stop(),
    onClear: async () => (await conversation).clear(),
    onClose: () => {
      panel = null;
      CSS.highlights.delete("moggy-mark");
    },
  });
  showEarlier(conversation).catch((error) => panel?.say("Error", error.message));
  return panel;
}

/** A conversation with an id of your own is found again, here after a reload of the page or of the browser. */
function findConversation() {
  const id = `page ${location.origin}${location.pathname}`.slice(0, 200);
  return CAT.agent.conversation.create({ id, system: SYSTEM, tools: TOOLS });
}

async function showEarlier(conversation) {
  for (const { role, content, toolCalls } of await (await conversation).getMessages()) {
    if (role === "user") panel?.say("You", content);
    if (role === "assistant") {
      panel?.say("Model", content);
      for (const call of toolCalls ?? []) panel?.call(call);
    }
  }
}

async function ask(conversation, question) {
  panel.say("You", question);
  let answer = panel.say("Model");
  for await (const chunk of await conversation.chatStream(question)) {
    // Closed meanwhile: leaving the loop ends the turn.
    if (!panel) return;
    switch (chunk.type) {
      case "content_delta":
        answer.append(chunk.content);
        break;
      case "new_message":
        // Every round of the model is a message. `replaces`: the last one broke off and is said again.
        if (chunk.replaces) answer.clear();
        else answer = panel.say("Model");
        break;
      case "tool_call":
      case "tool_call_complete":
        panel.call(chunk.toolCall);
        break;
      case "system_warning":
        panel.say("Note", chunk.warning);
        break;
      case "error":
        if (chunk.errorCode === "cancelled") panel.say("Note", "Stopped.");
        else throw new Error(chunk.error);
    }
  }
}

/** Every place where a phrase stands within one text node, capital letters or not. */
function rangesOf(phrase) {
  const ranges = [];
  const wanted = phrase.toLowerCase();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!node.parentElement?.checkVisibility() || node.parentElement.closest("script, style")) continue;
    const text = node.data.toLowerCase();
    for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
      const range = new Range();
      range.setStart(node, at);
      range.setEnd(node, Math.min(at + wanted.length, node.length));
      ranges.push(range);
    }
  }
  return ranges;
}

/** The words around a place, up to a hundred characters on each side. */
function wordsAround({ startContainer: node, startOffset, endOffset }) {
  return node.data
    .slice(Math.max(0, startOffset - 100), endOffset + 100)
    .replace(/\s+/g, " ")
    .trim();
}

/** Fields that a person could type into; never passwords. */
function fields() {
  const all = document.querySelectorAll(
    "textarea, input:is(:not([type]), [type=text], [type=search], [type=email], [type=tel], [type=url])",
  );
  return [...all].filter((field) => field.checkVisibility() && !field.disabled && !field.readOnly);
}

function labelOf(field) {
  const text = field.labels?.[0]?.textContent || field.ariaLabel || field.placeholder || field.name;
  return text
    .replace(/\s+/g, " ")
    .replace(/[\s:*]+$/, "")
    .trim();
}

function fieldWith(label) {
  const wanted = label.toLowerCase();
  const all = fields();
  return (
    all.find((field) => labelOf(field).toLowerCase() === wanted) ??
    all.find((field) => labelOf(field).toLowerCase().includes(wanted))
  );
}

/** The panel: a list of what was said and done, and a field to ask. In a closed shadow root, so that the page cannot restyle it. */
function makePanel({ onAsk, onStop, onClear, onClose }) {
  const host = document.createElement("moggy-ask");
  const root = host.attachShadow({ mode: "closed" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles());
  root.adoptedStyleSheets = [sheet];

  const make = (tag, className, text = "", onClick = undefined) => {
    const node = document.createElement(tag);
    node.className = className;
    node.textContent = text;
    if (onClick) node.addEventListener("click", onClick);
    return node;
  };

  const log = make("div", "log");
  log.role = "log";
  const clear = make("button", "plain", "Clear", async () => {
    await onClear();
    log.replaceChildren();
    cards.clear();
  });
  const close = make("button", "plain", "×", () => {
    onClose();
    host.remove();
  });
  close.ariaLabel = "Close";
  const head = make("header", "");
  head.append(make("strong", "", "Ask about this page"), clear, close);

  const field = make("input", "");
  field.ariaLabel = "Your question";
  field.placeholder = "Which headings does it have?";
  const send = make("button", "main", "Ask");
  const stop = make("button", "main", "Stop", onStop);
  stop.type = "button";
  stop.hidden = true;
  const form = make("form", "");
  form.append(field, send, stop);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const question = field.value.trim();
    if (question === "" || send.hidden) return;
    field.value = "";
    working(true);
    try {
      await onAsk(question);
    } catch (error) {
      say("Error", error.message);
    } finally {
      working(false);
    }
  });

  const card = make("section", "card");
  card.ariaLabel = "Ask about this page";
  card.append(head, log, form);
  // The page must not take what is typed here for its own shortcuts.
  for (const type of ["keydown", "keypress", "keyup"]) {
    card.addEventListener(type, (event) => event.stopPropagation());
  }
  card.addEventListener("keydown", (event) => event.key === "Escape" && close.click());
  root.append(card);
  document.documentElement.append(host);

  const cards = new Map();

  function working(isWorking) {
    send.hidden = isWorking;
    stop.hidden = !isWorking;
    clear.disabled = isWorking;
  }

  function add(node) {
    log.append(node);
    log.scrollTop = log.scrollHeight;
    return node;
  }

  function say(who, text = "") {
    const body = make("p", "", text);
    const entry = make("div", `entry ${who.toLowerCase()}`);
    entry.append(make("span", "who", who), body);
    entry.hidden = text === "";
    add(entry);
    const show = (value) => {
      body.textContent = value;
      entry.hidden = value === "";
      log.scrollTop = log.scrollHeight;
    };
    return { append: (more) => show(body.textContent + more), clear: () => show("") };
  }

  return {
    say,
    /** One card for a call: its arguments when it is asked for, its result when that is there. */
    call({ id, name, arguments: args, status, result }) {
      const entry = cards.get(id) ?? add(make("div", "tool"));
      cards.set(id, entry);
      const { effect = "write" } = TOOLS.find((tool) => tool.name === name) ?? {};
      const title = make("div", "title");
      title.append(make("code", "", name), make("span", `effect ${effect}`, effect));
      entry.replaceChildren(title);
      for (const [key, value] of Object.entries(objectOf(args))) {
        entry.append(make("div", "argument", `${key}: ${JSON.stringify(value)}`));
      }
      const words = { pending: "Waiting …", running: "Running …" }[status] ?? `→ ${result ?? ""}`;
      entry.append(make("div", status === "error" ? "result failed" : "result", words));
      log.scrollTop = log.scrollHeight;
    },
    focus: () => field.focus(),
  };
}

/** The arguments as the model wrote them, which may be no JSON at all. */
function objectOf(text) {
  try {
    return JSON.parse(text || "{}");
  } catch {
    return { "not JSON": text };
  }
}

function styles() {
  return `
    :host { all: initial !important; position: fixed !important; z-index: 2147483647 !important; left: 16px !important; bottom: 16px !important; }
    * { box-sizing: border-box; }
    .card {
      display: flex; flex-direction: column; width: 380px; max-width: calc(100vw - 32px); max-height: min(76vh, 640px);
      color-scheme: light dark; color: light-dark(#1d1b18, #ece9e4); background: light-dark(#fff, #201f1c);
      border: 1px solid light-dark(#e5e2dc, #3a3733); border-radius: 8px; font: 14px/22px system-ui, sans-serif;
      box-shadow: 0 8px 24px light-dark(rgb(29 27 24 / 0.16), rgb(0 0 0 / 0.6));
    }
    header { display: flex; align-items: center; gap: 4px; padding: 8px 8px 8px 16px; border-bottom: 1px solid light-dark(#e5e2dc, #3a3733); }
    header strong { flex: 1; font-size: 13px; }
    .log { overflow: auto; padding: 0 16px; }
    .log:not(:empty) { padding: 12px 16px; }
    .entry { margin-bottom: 12px; white-space: pre-wrap; overflow-wrap: anywhere; }
    .who { font-size: 12px; font-weight: 600; color: light-dark(#666157, #9c968b); }
    .model .who { color: light-dark(#94450b, #f6b352); }
    .error p { color: light-dark(#a4231b, #ff9f94); }
    p { margin: 0; }
    .tool {
      margin-bottom: 12px; padding: 8px 12px; border: 1px solid light-dark(#e5e2dc, #3a3733); border-radius: 6px;
      background: light-dark(#f8f7f4, #171614); font-size: 12.5px; line-height: 20px; overflow-wrap: anywhere;
    }
    .title { display: flex; justify-content: space-between; gap: 8px; }
    code, .argument, .result { font-family: ui-monospace, monospace; }
    .effect { color: light-dark(#666157, #9c968b); }
    .effect.write { color: light-dark(#94450b, #f6b352); }
    .argument { color: light-dark(#1f5aa6, #8fbdf2); }
    .result.failed { color: light-dark(#a4231b, #ff9f94); }
    form { display: flex; gap: 8px; padding: 12px 16px; border-top: 1px solid light-dark(#e5e2dc, #3a3733); }
    input {
      flex: 1; min-width: 0; font: inherit; color: inherit; padding: 2px 8px; border: 1px solid light-dark(#8a857b, #7d776d);
      border-radius: 6px; background: light-dark(#fff, #171614);
    }
    button { font: 13px/20px system-ui, sans-serif; min-height: 28px; padding: 2px 12px; border-radius: 6px; border: 0; cursor: pointer; }
    button.plain { color: inherit; background: none; padding: 2px 8px; }
    button.plain:hover { background: light-dark(#f3f1ed, #2e2b27); }
    button:disabled { opacity: 0.5; cursor: default; }
    button.main { color: light-dark(#fff, #231603); background: light-dark(#b45309, #f5a524); }
    button.main:hover { background: light-dark(#97460a, #ffbd52); }
    input:focus-visible, button:focus-visible { outline: 2px solid light-dark(#b45309, #f5a524); outline-offset: 1px; }
    [hidden] { display: none; }
  `;
}
