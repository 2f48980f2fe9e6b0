import type { Translate } from "@/locales";
import type { MessageKey } from "@/locales/catalogue";

/** What a script may do, as a sentence. */
export interface Power {
  /** Stable, for keys. */
  id: string;
  text: string;
  /** Worth a second look before installing. */
  strong: boolean;
}

/** The part of a script that says what it may do. */
export interface Asking {
  grants: readonly string[];
  matches: readonly string[];
  connects: readonly string[];
  /** It runs on no page, whatever its lines match. */
  isBackground: boolean;
}

/** Grants that mean the same to a person, and the sentence for them. Names are without their `GM_` or `GM.` prefix. */
const SENTENCES: ReadonlyArray<{ key: MessageKey; names: readonly string[]; strong?: boolean }> = [
  { key: "power.conversation", names: ["CAT.agent.conversation"], strong: true },
  { key: "power.model", names: ["CAT.agent.model"] },
  { key: "power.files", names: ["CAT.agent.opfs"], strong: true },
  {
    key: "power.values",
    names: ["getValue", "setValue", "deleteValue", "listValues", "getValues", "setValues", "deleteValues"],
  },
  { key: "power.listen", names: ["addValueChangeListener", "removeValueChangeListener"] },
  { key: "power.style", names: ["addStyle"] },
  { key: "power.menu", names: ["registerMenuCommand", "unregisterMenuCommand"] },
  { key: "power.unsafeWindow", names: ["unsafeWindow"], strong: true },
  { key: "power.log", names: ["log"] },
];

/** Grants without a sentence of their own: they let the script do nothing that a person would care for. */
const SILENT = new Set(["none", "info"]);
const NETWORK = new Set(["xmlhttpRequest", "xmlHttpRequest"]);
const EVERYWHERE = /^(<all_urls>|\*|(\*|https?|http\*):\/\/\*(\/\*)?)$/;

/** Whether the patterns reach every website. */
export function runsEverywhere(matches: readonly string[]): boolean {
  return matches.some((pattern) => EVERYWHERE.test(pattern));
}

/** What a script may do, in sentences, the weightiest first. */
export function powersOf(t: Translate, script: Asking): Power[] {
  const grants = new Set(script.grants.map((grant) => grant.replace(/^GM[_.]/, "")));
  const powers: Power[] = [];
  if (script.matches.length > 0 && !script.isBackground) {
    const everywhere = runsEverywhere(script.matches);
    powers.push({ id: "pages", text: t(everywhere ? "power.everyPage" : "power.pages"), strong: everywhere });
  }
  if ([...NETWORK].some((name) => grants.has(name))) powers.push(network(t, script));
  for (const { key, names, strong } of SENTENCES) {
    if (names.some((name) => grants.has(name)))
      powers.push({ id: key, text: t.any(key), strong: strong ?? false });
  }
  const said = new Set([...SILENT, ...NETWORK, ...SENTENCES.flatMap(({ names }) => names)]);
  for (const grant of script.grants) {
    const name = grant.replace(/^GM[_.]/, "");
    if (!said.has(name)) powers.push({ id: grant, text: t("power.other", { name: grant }), strong: true });
  }
  return powers.sort((a, b) => Number(b.strong) - Number(a.strong));
}

function network(t: Translate, { connects, isBackground }: Asking): Power {
  const hosts = [...new Set(connects)];
  if (hosts.includes("*")) return { id: "network", text: t("power.networkAny"), strong: true };
  const named = hosts.filter((host) => host !== "self");
  if (named.length === 0) {
    return {
      id: "network",
      text: t(isBackground ? "power.networkAsks" : "power.networkSame"),
      strong: false,
    };
  }
  const shown = named.slice(0, 6);
  if (named.length > shown.length) shown.push(t("power.networkMore", { n: named.length - shown.length }));
  return { id: "network", text: t("power.network", { hosts: t.list(shown) }), strong: false };
}
