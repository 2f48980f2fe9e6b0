import { packagedFunction, packagedText } from "@/platform/product";
import type { PlanOptions } from "@/userscripts/plan";
import { RUNTIME_FILES } from "@/userscripts/runtime-parts";

/** Our own code that is registered beside scripts, read from the package. */
export async function readPageParts(relayToken: string): Promise<Omit<PlanOptions, "blocklist">> {
  const runtimes = await Promise.all(
    RUNTIME_FILES.map(async (file) => [file, await packagedText(file)] as const),
  );
  return {
    runtimes: Object.fromEntries(runtimes),
    tester: await packagedFunction("match.js"),
    pageAnnounce: await packagedFunction("page-announce.js"),
    pagePrelude: await packagedFunction("page.js"),
    relay: await packagedFunction("relay.js"),
    relayToken,
  };
}
