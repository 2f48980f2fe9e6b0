import type { PlatformInfo } from "@/platform/product";
import type { Settings } from "@/settings/contract";
import type { ScriptRegistry } from "@/userscripts/registry";
import { scriptInfo } from "@/userscripts/script-info";
import { sourceUrl } from "@/userscripts/wrapper";
import type { WantedBackground } from "./background-service";
import { granted } from "./payload";
import type { GuestPayload } from "./types";

export interface BackgroundScriptsDeps {
  registry: ScriptRegistry;
  settings(): Promise<Pick<Settings, "paused">>;
  /** Encoded values of a script and the revision they show. */
  values(uuid: string): Promise<{ entries: Record<string, string>; revision: number }>;
  product: { version: string; platform(): Promise<PlatformInfo> };
}

/** The installed `@background` scripts, as the sandbox needs them. */
export function backgroundScripts({ registry, settings, values, product }: BackgroundScriptsDeps) {
  return {
    async wanted(): Promise<WantedBackground[]> {
      const { paused } = await settings();
      if (paused) return [];
      return (await registry.list())
        .filter(({ enabled, metadata }) => enabled && metadata.background)
        .map(({ uuid, name, metadata, updatedAt }) => ({
          uuid,
          name,
          grants: metadata.grants,
          version: String(updatedAt),
        }));
    },
    async payload(uuid: string): Promise<GuestPayload> {
      const head = await registry.require(uuid);
      const code = await registry.code(uuid);
      const { entries, revision } = await values(uuid);
      const info = scriptInfo(head, code, "isolated", {
        version: product.version,
        platform: await product.platform(),
      });
      const { names, ...powers } = granted(head.metadata.grants);
      return {
        ...powers,
        // Every installed script has these.
        names: [...new Set(["GM_info", "GM", ...names])],
        info,
        config: {},
        snapshot: JSON.stringify(entries),
        revision,
        requires: [],
        main: { code, source: sourceUrl(uuid, head.name) },
      };
    },
    scriptsRead: () => registry.list(),
    grantsOf: (uuid: string) => registry.running(uuid)?.metadata.grants,
  };
}
