import { callWorker } from "../../tests/e2e/harness/rpc";
import type { Area } from "./stage";

/** Settings. All scripts are paused, which is why this comes last. */
export const settingsArea: Area = {
  name: "settings",
  session: "last",
  async fill({ browser }) {
    const settings = await callWorker<Record<string, unknown>>(browser.options, "settings.set", {
      theme: "dark",
      language: "zh-CN",
      paused: true,
      blocklist: ["*://blocked.example/*", "*://*/plain/blocked*"],
    });
    return { settings };
  },
};
