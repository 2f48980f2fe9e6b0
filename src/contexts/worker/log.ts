import "../jitless";

import { logContract } from "@/log/contract";
import { type FactSources, readFacts } from "@/log/facts";
import { createLogKeeper, type KeeperDeps } from "@/log/keeper";
import type { LogKeeper } from "@/log/types";
import type { Router } from "@/rpc/server";

/** What log.js leaves for core.js: masking, storing and showing the log, for the starts in which something fails or somebody looks. */
export interface LogModule {
  /** Also serves the log's contract. */
  create(host: Omit<KeeperDeps, "facts"> & { router: Router; facts: FactSources }): LogKeeper;
}

declare global {
  var moggyLog: LogModule | undefined;
}

globalThis.moggyLog = {
  create({ router, facts, ...host }) {
    const keeper = createLogKeeper({ ...host, facts: () => readFacts(facts) });
    router.register(logContract, keeper.handlers());
    return keeper;
  },
};
