import type { ScriptInfo } from "@/gm/types";
import type { PlatformInfo } from "@/platform/product";
import type { ScriptHead, ScriptWorld } from "./types";

/** Builds `GM_info` for a script. It is the same in every document, so it cannot tell private windows: `isIncognito` is always false. */
export function scriptInfo(
  head: ScriptHead,
  code: string,
  world: ScriptWorld,
  product: { version: string; platform: PlatformInfo },
): ScriptInfo {
  const { metadata } = head;
  const header = headerText(code);
  return {
    uuid: head.uuid,
    scriptHandler: "Moggy",
    version: product.version,
    scriptMetaStr: header,
    scriptWillUpdate: false,
    injectInto: world === "page" ? "page" : "content",
    isIncognito: false,
    platform: product.platform,
    script: {
      uuid: head.uuid,
      name: metadata.name,
      namespace: metadata.namespace ?? "",
      version: metadata.version ?? "",
      description: metadata.description ?? "",
      author: metadata.author ?? "",
      icon: metadata.icon,
      homepage: metadata.homepage,
      grant: metadata.grants,
      matches: metadata.matches,
      includes: metadata.includes,
      excludes: metadata.excludes,
      excludeMatches: metadata.excludeMatches,
      connects: metadata.connects,
      resources: [],
      "run-at": metadata.runAt,
      header,
      options: {},
    },
  };
}

/** The metadata block as written, delimiters included; "" when there is none. */
function headerText(code: string): string {
  const start = /^[ \t]*\/\/[ \t]*==UserScript==/m.exec(code);
  const end = /^[ \t]*\/\/[ \t]*==\/UserScript==[^\n]*/m.exec(code);
  return start && end && end.index > start.index ? code.slice(start.index, end.index + end[0].length) : "";
}
