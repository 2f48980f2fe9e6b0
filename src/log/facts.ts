import type { MoggyDatabase } from "@/platform/db";
import type { PlatformInfo } from "@/platform/product";
import type { Settings } from "@/settings/contract";
import type { ReportFacts } from "./report";

export interface FactSources {
  db: MoggyDatabase;
  version: string;
  platform(): Promise<PlatformInfo>;
  settings(): Promise<Settings>;
  now(): number;
}

/** Collects what a report says beside the entries. Lists are only counted: what is in them is the person's own. */
export async function readFacts({ db, version, platform, settings, now }: FactSources): Promise<ReportFacts> {
  const [{ os, arch, browserVersion }, chosen, scripts, enabled, conversations, runs] = await Promise.all([
    platform(),
    settings(),
    db.scripts.count(),
    db.scripts.filter((head) => head.enabled).count(),
    db.conversations.count(),
    db.runs.count(),
  ]);
  return {
    version,
    browser: `Chromium ${browserVersion}`,
    os: `${os} ${arch}`,
    settings: Object.fromEntries(
      Object.entries(chosen).map(([name, value]): [string, string | number | boolean] => [
        name,
        Array.isArray(value) ? value.length : plain(value),
      ]),
    ),
    counts: { scripts, enabled, conversations, runs },
    now: now(),
  };
}

/** Settings that are a choice or a number; what a person has typed or gathered is not told. */
function plain(value: unknown): string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? value
    : "(set)";
}
