import { userscript } from "../../e2e/harness/browser";
import type { PageServer } from "../../servers/pages";
import { REPORT } from "./reports";

/** What the isolated script stores, is told, sends, says and is answered: nothing of it may be seen in the page. */
export const SECRETS = {
  stored: "stored-7d1f0a",
  received: "received-c4b29e",
  sent: "sent-e08a13",
  said: "said-51c7d2",
  answered: "answered-9b3e66",
  noted: "noted-2f4a80",
};
/** Of the model that it talks to. */
export const KEY = "sk-page-test-key-40d9";
const GRANTS = [
  "GM_setValue",
  "GM_getValue",
  "GM.setValue",
  "GM.getValue",
  "GM_addValueChangeListener",
  "GM_registerMenuCommand",
  "GM.xmlHttpRequest",
  "CAT.agent.conversation",
  "CAT.agent.model",
];

/** An isolated script that uses all of its powers, and reports only whether they worked. */
export function workingScript(pages: PageServer, path = "/*", runAt = "document-start"): string {
  return userscript(
    {
      name: "Isolated",
      match: `${pages.a}${path}`,
      grant: GRANTS,
      connect: "127.0.0.1",
      "run-at": runAt,
    },
    `${REPORT}
const secrets = ${JSON.stringify(SECRETS)};
document.addEventListener("fail-now", () => { throw new Error("a true error"); });
(async () => {
  const did = {};
  const changed = new Promise((resolve) => GM_addValueChangeListener("later", (_name, _before, after) => resolve(after)));
  GM_setValue("kept", secrets.stored);
  did.synchronous = GM_getValue("kept") === secrets.stored;
  await GM.setValue("later", secrets.stored);
  did.read = (await GM.getValue("later")) === secrets.stored;
  did.heard = (await changed) === secrets.stored;
  GM_registerMenuCommand("Do it", () => report("menu", true));
  const answer = await GM.xmlHttpRequest({ url: "${pages.b}/secret", method: "POST", data: secrets.sent });
  did.fetched = answer.responseText === secrets.received;
  const tool = { name: "note", description: "Notes.", parameters: { type: "object", properties: {} }, handler: async () => secrets.noted };
  const conversation = await CAT.agent.conversation.create({ tools: [tool] });
  let text = "";
  for await (const chunk of await conversation.chatStream(secrets.said)) if (chunk.type === "content_delta") text += chunk.content;
  did.chatted = text.includes(secrets.answered);
  did.listed = (await CAT.agent.model.list()).length === 1;
  report("worked", did);
})().catch((error) => report("worked", error.name + ": " + error.message));`,
  );
}

export const ALL_WORKED = {
  synchronous: true,
  read: true,
  heard: true,
  fetched: true,
  chatted: true,
  listed: true,
};
