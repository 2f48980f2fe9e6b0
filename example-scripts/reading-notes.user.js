// ==UserScript==
// @name         Reading notes
// @namespace    https://moggy.example/examples
// @version      1.0.0
// @description  Keeps what you select on a page as a note in your workspace, and shows the notes of the site that you are on.
// @author       Moggy
// @license      MIT
// @match        *://*/*
// @noframes
// @grant        CAT.agent.opfs
// @grant        GM_registerMenuCommand
// ==/UserScript==

const { opfs } = CAT.agent;
/** A folder a site, a file a note: two tabs that write at once never change the same file. */
const FOLDER = `reading-notes/${fileName(location.hostname)}`;

GM_registerMenuCommand("Keep the selected text", () => tell(keep));
GM_registerMenuCommand("Show notes of this site", () => tell(show));

async function keep() {
  const text = getSelection()?.toString().trim() ?? "";
  if (text === "") return "Select some text first.";
  const at = new Date().toISOString();
  const note = `# ${document.title}\n\n<${location.href}>, ${at}\n\n${text.replace(/^/gm, "> ")}\n`;
  const { path, size } = await opfs.write(`${FOLDER}/${fileName(at)} ${fileName(document.title)}.md`, note);
  return `Kept in ${path} (${size} bytes).`;
}

async function show() {
  const notes = await list();
  if (notes.length === 0) return "There are no notes of this site yet.";
  const texts = await Promise.all(notes.map(({ name }) => opfs.read(`${FOLDER}/${name}`)));
  return texts.map(({ content }) => content).join("\n");
}

/** The notes of this site; none while its folder is not there. */
async function list() {
  try {
    return await opfs.list(FOLDER);
  } catch (error) {
    if (error.name === "NotFoundError") return [];
    throw error;
  }
}

/** A name that every system takes for a file: what one of them refuses becomes a dash. */
function fileName(text) {
  const name = text.replace(/[\\/:*?"<>|\p{Cc}\p{Bidi_Control}]+/gu, "-").slice(0, 60);
  return name.replace(/[. ]+$/, "") || "untitled";
}

/** Runs a command and shows what it says, in a panel that a click closes. */
async function tell(command) {
  const panel = document.createElement("pre");
  panel.dataset.readingNotes = "";
  panel.title = "Click to close";
  panel.style.cssText =
    "position:fixed;right:16px;bottom:16px;width:360px;max-height:50vh;overflow:auto;z-index:2147483647;margin:0;padding:16px;" +
    "border:1px solid #d6d3d1;border-radius:8px;background:#fff;color:#1c1917;font:13px/20px system-ui,sans-serif;white-space:pre-wrap";
  panel.addEventListener("click", () => panel.remove());
  document.querySelector("[data-reading-notes]")?.remove();
  document.body.append(panel);
  panel.textContent = await command().catch(({ name, message }) => `${name}: ${message}`);
}
