import type { UrlTest } from "@/userscripts/boot-protocol";
import { type SerializedRules, testRules } from "@/userscripts/match/runtime-test";

/** Goes with the scripts whose rules the browser's patterns cannot express. */
export default function matcher(rules: SerializedRules): UrlTest {
  return (url) => testRules(rules, url);
}
