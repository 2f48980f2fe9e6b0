// ==UserScript==
// @name         Hello agent
// @namespace    https://moggy.example/examples
// @version      1.0.0
// @description  Asks a model about the page you are on. The model reads the heading with a tool that lives in this script.
// @author       Moggy
// @license      MIT
// @match        http://127.0.0.1/*
// @match        http://localhost/*
// @match        *://example.com/*
// @run-at       document-end
// @noframes
// @grant        CAT.agent.conversation
// ==/UserScript==

/** The model calls this tool; the handler runs here, in the page. */
const headingTool = {
  name: "get_page_heading",
  description: "Returns the main heading and the address of the page that the reader has open.",
  parameters: { type: "object", properties: {}, additionalProperties: false },
  // Asking twice does no harm, so the call may be repeated if it was interrupted.
  effect: "read",
  handler: async () => ({
    heading: document.querySelector("h1")?.textContent.trim() ?? document.title,
    url: location.href,
  }),
};

greet();

async function greet() {
  // The demo page keeps a place for the conversation; on any other page it floats in the corner.
  const panel = makePanel(document.querySelector("#moggy-demo"));
  try {
    const conversation = await CAT.agent.conversation.create({
      system: "You help a reader with the page that is open. Answer in a few short sentences.",
      tools: [headingTool],
    });
    const question = "What is the page about that I have open? Look at its heading first.";
    panel.add("You", question);
    await showStream(panel, await conversation.chatStream(question));
    document.documentElement.dataset.moggyDemo = "done";
  } catch (error) {
    panel.add("Error", error.message);
    document.documentElement.dataset.moggyDemo = `error: ${error.message}`;
  }
}

/** Shows a turn while it streams. Throws what the turn failed with. */
async function showStream(panel, stream) {
  let answer = panel.add("Model");
  for await (const chunk of stream) {
    switch (chunk.type) {
      case "content_delta":
        answer.append(chunk.content);
        break;
      case "new_message":
        // `replaces`: the connection broke, and the text so far is said again from the start.
        if (chunk.replaces) answer.clear();
        else answer = panel.add("Model");
        break;
      case "tool_call_complete":
        panel.add("Tool", `${chunk.toolCall.name} → ${chunk.toolCall.result}`);
        break;
      case "system_warning":
        panel.add("Note", chunk.warning ?? chunk.content);
        break;
      case "error":
        throw new Error(chunk.error);
    }
  }
}

/** A list of entries; each can grow while its text streams in. An entry without text is not shown. */
function makePanel(place) {
  const root = place ?? document.body.appendChild(document.createElement("section"));
  if (!place) {
    root.style.cssText =
      "position:fixed;right:16px;bottom:16px;width:360px;max-height:60vh;overflow:auto;z-index:2147483647;padding:16px;" +
      "border:1px solid #d6d3d1;border-radius:8px;background:#fff;color:#1c1917;font:14px/22px system-ui,sans-serif";
  }
  root.replaceChildren();
  return {
    add(who, text = "") {
      const entry = document.createElement("div");
      entry.dataset.moggyEntry = who;
      entry.style.cssText = "margin:0 0 12px;white-space:pre-wrap;overflow-wrap:anywhere";
      const label = document.createElement("div");
      label.style.cssText = `font-size:12px;font-weight:600;color:${who === "Error" ? "light-dark(#b91c1c,#f87171)" : "light-dark(#b45309,#f59e0b)"}`;
      label.textContent = who;
      const body = document.createElement("div");
      entry.append(label, body);
      const show = (value) => {
        // What comes new is kept in sight, except for a reader who has scrolled back.
        const atEnd = root.scrollHeight - root.scrollTop - root.clientHeight < 2;
        body.textContent = value;
        entry.hidden = value === "";
        if (atEnd) root.scrollTop = root.scrollHeight;
      };
      entry.hidden = true;
      root.append(entry);
      show(text);
      return { append: (more) => show(body.textContent + more), clear: () => show("") };
    },
  };
}
