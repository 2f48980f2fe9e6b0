import { conversationContract } from "@/agent/contract/conversation";
import { modelApiContract, modelsContract } from "@/agent/contract/models";
import { opfsContract } from "@/agent/contract/opfs";
import { consentContract } from "@/consent/contract";
import { consentId } from "@/consent/types";
import { filesContract } from "@/files/contract";
import { errorsContract } from "@/gm/errors/contract";
import { eventsContract } from "@/gm/events/contract";
import { menuContract } from "@/gm/menu/contract";
import { relayContract } from "@/gm/relay/contract";
import { valuesContract } from "@/gm/values/contract";
import { xmlhttpContract } from "@/gm/xmlhttp/contract";
import type { Contract } from "@/rpc/contract";
import { backgroundContract } from "@/sandbox/contract/background";
import { sandboxEventsContract } from "@/sandbox/contract/events";
import { settingsContract } from "@/settings/contract";
import { scriptsContract } from "@/userscripts/contract";

/**
 * Source for scripts that go past the runtime: `rawRuntime()` gets `chrome.runtime`, which the runtime takes out of its own global,
 * from a fresh frame; `RawPort` speaks the worker's protocol over a port of its own.
 */
export const RAW_PORT = `
function rawRuntime() {
  const frame = document.createElement("iframe");
  document.documentElement.append(frame);
  return frame.contentWindow.chrome.runtime;
}
class RawPort {
  #port = rawRuntime().connect(undefined, { name: "script" });
  #channel = 0;
  #wanted = new Map();
  answers = [];
  constructor() {
    this.#port.onMessage.addListener((message) => {
      this.answers.push(message);
      this.#wanted.get(message.c + "/" + message.f?.id)?.(message.f);
    });
  }
  send(message) { this.#port.postMessage(message); }
  /** Opens a channel with what should be a token. */
  hello(token) {
    this.#channel += 1;
    this.send({ c: this.#channel, hello: token });
    return this.#channel;
  }
  /** One call on a channel; resolves with the first frame that answers it. */
  call(c, id, m, a, t = "call") {
    const answer = new Promise((resolve) => this.#wanted.set(c + "/" + id, resolve));
    this.send({ c, f: { t, id, m, a, w: 16 } });
    return answer;
  }
}`;

/** One method of the worker. */
export interface Method {
  name: string;
  kind: "call" | "open";
  /** Grants of which a script needs one; null where scripts have no business at all, empty where every script may call. */
  grants: readonly string[] | null;
  input: unknown;
}

const CONTRACTS: readonly Contract[] = [
  valuesContract,
  eventsContract,
  errorsContract,
  menuContract,
  xmlhttpContract,
  relayContract,
  conversationContract,
  modelApiContract,
  modelsContract,
  scriptsContract,
  settingsContract,
  consentContract,
  opfsContract,
  filesContract,
  backgroundContract,
  sandboxEventsContract,
];

/** Every method that the worker has, each with an input that would do harm where the method is let through. */
export function everyMethod(victim: { uuid: string; url: string }): Method[] {
  const { uuid, url } = victim;
  const inputs: Record<string, unknown> = {
    "gm.values.read": { keys: null },
    "gm.values.write": { writes: [["forged", '"x"']] },
    "gm.menu.set": { commands: [{ id: "1", caption: "forged", autoClose: true }] },
    "gm.xmlhttp.request": { url, method: "GET", headers: [] },
    "gm.relay.reportError": { message: "forged", url },
    "gm.errors.report": { message: "its own" },
    "agent.conversation.create": { id: "forged" },
    "agent.conversation.turn": { conversationId: "forged", turnId: "forged", content: "forged" },
    "agent.opfs.write": { op: "1", path: "forged", content: "forged" },
    "agent.opfs.delete": { op: "2", path: "forged" },
    "files.clear": {},
    "files.write": { op: "3", place: { area: "workspace", path: "forged" }, content: new Uint8Array(1) },
    "agent.models.save": { name: "forged", provider: "openai-compatible", apiBaseUrl: url, model: "m" },
    "agent.models.test": { name: "forged", provider: "openai-compatible", apiBaseUrl: url, model: "m" },
    "scripts.install": { code: "// ==UserScript==\n// @name forged\n// ==/UserScript==" },
    "scripts.setEnabled": { enabled: false },
    "scripts.fetchSource": { url },
    "settings.set": { paused: true },
    "sandbox.events.error": { message: "forged" },
    "sandbox.events.failed": { name: "Forged", message: "forged", lines: [] },
    "sandbox.events.fell": {
      report: "forged",
      kind: "hung",
      silentMs: 1,
      frames: [{ uuid, blamed: true, lines: [] }],
    },
    "consent.answer": { id: consentId(`script:${uuid}`, "connect", "forged.test"), answer: "always" },
    "consent.dismiss": { id: consentId(`script:${uuid}`, "connect", "forged.test") },
    "consent.denyAll": { subject: `script:${uuid}` },
    "consent.revoke": { ids: [consentId(`script:${uuid}`, "connect", "forged.test")] },
    "consent.restore": {
      entries: [{ id: consentId(`script:${uuid}`, "connect", "forged.test"), decision: "always" }],
    },
  };
  return CONTRACTS.flatMap(({ name: area, audience, methods }) =>
    Object.entries(methods).map(([method, { kind, grants }]): Method => {
      const name = `${area}.${method}`;
      const input = {
        uuid,
        owner: uuid,
        store: uuid,
        caller: { kind: "page", uuid },
        ...Object(inputs[name]),
      };
      return {
        name,
        kind: kind === "call" ? "call" : "open",
        grants: audience === "script" ? (grants ?? []) : null,
        input,
      };
    }),
  );
}
