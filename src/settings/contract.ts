import * as z from "zod/mini";
import { call, contract, stream } from "@/rpc/contract";

/** What a person has chosen for the whole product. Kept in chrome.storage.local. */
export interface Settings {
  theme: "system" | "light" | "dark";
  language: "auto" | "en" | "zh-CN";
  /** All scripts paused. */
  paused: boolean;
  /** Addresses (match patterns) on which no script runs. */
  blocklist: string[];
  /** How long a question waits for an answer before it rests on the consent page, in seconds. */
  consentWaitSeconds: 30 | 120 | 600;
}

export const DEFAULT_SETTINGS: Settings = {
  theme: "system",
  language: "auto",
  paused: false,
  blocklist: [],
  consentWaitSeconds: 120,
};

export const settingsPatch = z.partial(
  z.object({
    theme: z.enum(["system", "light", "dark"]),
    language: z.enum(["auto", "en", "zh-CN"]),
    paused: z.boolean(),
    blocklist: z.array(z.string().check(z.refine(isMatchPattern, "This is not a match pattern."))),
    consentWaitSeconds: z.literal([30, 120, 600]),
  }),
);

/**
 * Whether the browser takes a match pattern (Chrome's documentation, "Match patterns"). Every registration carries the
 * blocklist, and the browser refuses one whole for a single pattern that it does not take: then no script runs anywhere.
 */
function isMatchPattern(text: string): boolean {
  if (text === "<all_urls>" || text.startsWith("file:///")) return true;
  const [, host, port = ""] =
    /^(?:\*|https?):\/\/(\*|(?:\*\.)?[^/*:[\s]+|\[[\da-f:.]+\])(:\*|:\d+)?\//.exec(text) ?? [];
  if (host === undefined) return false;
  return URL.canParse(`http://${host.replace(/^\*(?:\.|$)/, "a.")}${port.replace("*", "1")}/`);
}

/** What every page needs to know about the product's own state. */
export interface ProductStatus {
  version: string;
  /** False when the browser's "Allow user scripts" switch is off: nothing runs until it is on. */
  userScripts: boolean;
  /** The page with the switch. */
  detailsUrl: string;
  browser: string;
}

export const settingsContract = contract("settings", "page", {
  get: call(z.object({})).returns<Settings>(),
  set: call(settingsPatch).returns<Settings>(),
  status: call(z.object({})).returns<ProductStatus>(),
  /** Opens the browser's page with the user-script switch. */
  openDetails: call(z.object({})).returns<void>(),
  /** The settings now, then after each change. */
  changes: stream(z.object({})).yields<Settings>(),
});

export type SettingsContract = typeof settingsContract;
