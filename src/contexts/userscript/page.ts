import type { BootPayload } from "@/userscripts/boot-protocol";
import { testRules } from "@/userscripts/match/runtime-test";
import { whenBody } from "./document-state";

/**
 * What stands before each script of the page's own world: such a script has no powers, so there is nothing here that the page
 * could take. It checks the rules that the browser cannot and runs the code at its time.
 */
export default function runInPage(
  payload: BootPayload,
  factory: (...granted: unknown[]) => () => void,
): void {
  const { rules, names, info, at } = payload;
  if (rules !== null && !testRules(rules, location.href)) return;
  const granted: Record<string, unknown> = {
    GM_info: info,
    GM: Object.freeze({ info }),
    unsafeWindow: globalThis,
  };
  const execute = () => factory(...names.map((name) => granted[name])).call(globalThis);
  if (at === "body") whenBody(execute);
  else execute();
}
