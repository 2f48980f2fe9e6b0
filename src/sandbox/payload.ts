import type { ScriptInfo } from "@/gm/types";
import { exposedNames } from "@/userscripts/grants";
import type { GuestPayload, SandboxRunRequest } from "./types";

const RUN_SOURCE = "moggy-sandbox:///";
/** Grants with which `fetch` reaches the worker. */
const FETCH_GRANTS = ["fetch", "GM_xmlhttpRequest", "GM.xmlHttpRequest"];

/** What a one-shot run gets. */
export function runPayload(request: SandboxRunRequest, version: string): GuestPayload {
  const { owner, runId, requires = [], config = {} } = request;
  const at = (name: string) =>
    `${RUN_SOURCE}${encodeURIComponent(runId)}/${encodeURIComponent(name.toWellFormed())}`;
  return {
    ...granted(owner.grants),
    info: runInfo(owner.uuid, owner.name, owner.grants, version),
    config,
    snapshot: null,
    revision: -1,
    requires: requires.map(({ url, code }) => ({ code, source: at(url) })),
    main: { code: request.code, source: at(request.name) },
  };
}

/** The names that come with grants, exactly those; GM_info and GM only where something of GM was granted. */
export function granted(grants: readonly string[]): Pick<GuestPayload, "names" | "grants" | "fetch"> {
  const hasGm = grants.some((grant) => grant.startsWith("GM"));
  return {
    names: exposedNames(grants).filter((name) => hasGm || !name.startsWith("GM")),
    grants: [...grants],
    fetch: FETCH_GRANTS.some((grant) => grants.includes(grant)),
  };
}

/** What a run without a script shows as GM_info, where it has it. */
function runInfo(uuid: string, name: string, grants: string[], version: string): ScriptInfo {
  return {
    uuid,
    scriptHandler: "Moggy",
    version,
    scriptMetaStr: "",
    scriptWillUpdate: false,
    injectInto: "content",
    isIncognito: false,
    platform: { browserName: "chrome", browserVersion: "" },
    script: {
      uuid,
      name,
      namespace: "",
      version: "",
      description: "",
      author: "",
      grant: grants,
      matches: [],
      includes: [],
      excludes: [],
      excludeMatches: [],
      connects: [],
      resources: [],
      "run-at": "",
      header: "",
      options: {},
    },
  };
}
