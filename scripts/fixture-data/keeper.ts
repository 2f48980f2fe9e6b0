import { probeScript } from "../../tests/e2e/harness/probe";

/** Name of the script that keeps values and talks to models, and that does what it is told (see the harness's probe). */
export const KEEPER = "keeper";

export const COMMANDS = ["Show my notes", "Notizen löschen 🗑"];

const GRANTS = [
  "GM.getValue",
  "GM.setValue",
  "GM.setValues",
  "GM.listValues",
  "GM_getValue",
  "GM_registerMenuCommand",
  "CAT.agent.conversation",
  "CAT.agent.model",
  "GM.xmlHttpRequest",
  "CAT.agent.opfs",
];

/** Its code. The tool never answers when it is told so, so that a run can be cut off in the middle of it. */
export const keeperCode = probeScript(
  KEEPER,
  { match: "*://*/plain*", grant: GRANTS, version: "1.2.3", description: "Keeps things" },
  `for (const title of ${JSON.stringify(COMMANDS)}) GM_registerMenuCommand(title, () => {});
const tool = {
  name: "write_note",
  description: "Writes a note.",
  parameters: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  handler: ({ text }) => location.hash === "#silent" ? new Promise(() => {}) : { written: text },
};
const open = (id, more) => CAT.agent.conversation.create({ id, system: "You keep notes.", tools: [tool], ...more });
const brief = ({ role, content, error, toolCalls }) => ({
  role, content, error,
  toolCalls: toolCalls?.map(({ name, arguments: args, result, status }) => ({ name, arguments: args, result, status })),
});
const ask = (host) => GM.xmlHttpRequest({ url: "http://" + host + ":" + location.port + "/plain" })
  .then(({ status }) => String(status), ({ name }) => name);
const read = async (id) => {
  const conversation = await CAT.agent.conversation.get(id);
  return conversation && { id, title: conversation.title, messages: (await conversation.getMessages()).map(brief) };
};`,
);
