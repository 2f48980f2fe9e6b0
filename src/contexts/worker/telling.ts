import { type Attention, createAttention } from "@/attention/attention";
import { LogService } from "@/log/service";
import type { LogKeeper } from "@/log/types";
import { watchUncaught } from "@/log/watch";
import { browserBadge } from "@/platform/badge";
import type { MoggyDatabase } from "@/platform/db";
import { browserNotifications } from "@/platform/notifications";
import { showPage } from "@/platform/page-tabs";
import { openTab, readPlatform } from "@/platform/product";
import { browserSessionStorage } from "@/platform/session-storage";
import type { KeyValueStorage } from "@/platform/storage";
import type { Router } from "@/rpc/server";
import type { SettingsService } from "@/settings/service";
import { LazyScript } from "./lazy-script";
import type {} from "./log";

export interface Telling {
  log: LogService;
  attention: Attention;
  /** For a fault that concerns no caller. `during` says what was being done. */
  report(during: string, error: unknown, source?: string): void;
  /** For work whose failure concerns no caller: it is told, and not fatal. Never rejects. */
  told(what: string, work: Promise<unknown>): Promise<void>;
}

/** The log and what calls the person to it. Called once, while the worker's script is evaluated; touches nothing stored by itself. */
export function createTelling(deps: {
  db: MoggyDatabase;
  storage: KeyValueStorage;
  router: Router;
  settings: SettingsService;
  now(): number;
}): Telling {
  const { db, storage, router, settings, now } = deps;
  const report: Telling["report"] = (during, error, source = "worker") => log.add({ source, during, error });
  const told: Telling["told"] = async (what, work) => {
    try {
      await work;
    } catch (error) {
      report(what, error);
    }
  };
  const script = new LazyScript("log.js", () => globalThis.moggyLog);
  let loaded: LogKeeper | undefined;
  const keeper = (): LogKeeper => {
    loaded ??= script.load().create({
      db,
      storage,
      router,
      secrets: log.secrets,
      facts: { db, version: __VERSION__, platform: readPlatform, settings: () => settings.get(), now },
      onUnseen: (count) => attention.errors(count),
      add: (input) => log.add(input),
      settled: () => log.settled(),
    });
    return loaded;
  };
  const log: LogService = new LogService({ keeper, now });
  const attention = createAttention({
    notifications: browserNotifications,
    badge: browserBadge,
    session: browserSessionStorage,
    settings: () => settings.get(),
    languages: () => navigator.languages,
    openPage: showPage,
    openUrl: openTab,
    report: (error, during) => report(during, error),
  });
  router.registerLazy("log.", async () => void keeper());
  watchUncaught(globalThis, (input) => log.add({ source: "worker", ...input }));
  // The browser forgets badges when it ends, and when the extension is loaded anew.
  const announce = () => void told("Counting the errors that nobody has seen", log.announce());
  chrome.runtime.onStartup.addListener(announce);
  chrome.runtime.onInstalled.addListener(announce);
  return { log, attention, report, told };
}
