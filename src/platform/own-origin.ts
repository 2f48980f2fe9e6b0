/** Session rules live until the browser or the extension restarts, so one that is there already is simply replaced. */
const RULE_ID = 1;

let installed: Promise<void> | undefined;

/**
 * Takes Origin and Referer off the requests that our own worker and pages send, so that no server learns which extension, with which
 * id, a person has. Resolves when the rule is in force; it is installed once a start, and again after a failure.
 */
export function stripOwnOrigin(): Promise<void> {
  installed ??= install().catch((error: unknown) => {
    installed = undefined;
    throw error;
  });
  return installed;
}

async function install(): Promise<void> {
  await chrome.declarativeNetRequest.updateSessionRules({
    removeRuleIds: [RULE_ID],
    addRules: [
      {
        id: RULE_ID,
        condition: {
          initiatorDomains: [chrome.runtime.id],
          // Left out, a rule covers everything but main frames, which is more than is meant.
          resourceTypes: [
            "xmlhttprequest",
            "websocket",
            "other",
          ] as chrome.declarativeNetRequest.ResourceType[],
        },
        action: {
          type: "modifyHeaders" as chrome.declarativeNetRequest.RuleActionType,
          requestHeaders: ["origin", "referer"].map((header) => ({
            header,
            operation: "remove" as chrome.declarativeNetRequest.HeaderOperation,
          })),
        },
      },
    ],
  });
}
