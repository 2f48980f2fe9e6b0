/** The part of chrome.userScripts that registration needs; tests have one in memory. */
export interface UserScriptsApi {
  /** True when the person has switched user scripts on; the API object alone does not tell. */
  available(): Promise<boolean>;
  registeredIds(): Promise<string[]>;
  register(scripts: RegisteredUserScript[]): Promise<void>;
  update(scripts: RegisteredUserScript[]): Promise<void>;
  unregister(ids: string[]): Promise<void>;
  configureWorld(worldId: string): Promise<void>;
  execute(target: { tabId: number; documentId: string }, worldId: string, code: string): Promise<boolean>;
}

export type RegisteredUserScript = chrome.userScripts.RegisteredUserScript;

/**
 * CSP of the isolated worlds: userscripts and the libraries they carry use eval and Function, as every manager allows. It
 * governs only the script's own world, not the page.
 */
const WORLD_CSP = "script-src 'self' 'unsafe-eval' 'unsafe-inline'; object-src 'none'";

export const browserUserScripts: UserScriptsApi = {
  async available() {
    try {
      await chrome.userScripts.getScripts({ ids: ["-"] });
      return true;
    } catch {
      // The documented way to tell that the switch is off: the call throws.
      return false;
    }
  },
  async registeredIds() {
    return (await chrome.userScripts.getScripts()).map((script) => script.id);
  },
  register: (scripts) => chrome.userScripts.register(scripts.map(complete)),
  update: (scripts) => chrome.userScripts.update(scripts.map(complete)),
  unregister: (ids) => chrome.userScripts.unregister({ ids }),
  async configureWorld(worldId) {
    // After a relaunch the browser still holds the old configuration and tells renderers that were there before nothing of one
    // that is the same: their worlds would have no messaging. Resetting first makes it a change.
    await chrome.userScripts.resetWorldConfiguration(worldId || undefined);
    await chrome.userScripts.configureWorld({
      ...(worldId ? { worldId } : {}),
      csp: WORLD_CSP,
      messaging: true,
    });
  },
  async execute({ tabId, documentId }, worldId, code) {
    try {
      await chrome.userScripts.execute({
        target: { tabId, documentIds: [documentId] },
        js: [{ code }],
        injectImmediately: true,
        world: "USER_SCRIPT",
        ...(worldId ? { worldId } : {}),
      });
      return true;
    } catch {
      // The document or its tab is gone: an answer here, not a fault.
      return false;
    }
  },
};

/**
 * The browser's `update` leaves as it was what is left out: a script would keep the world or the exclusions of an earlier
 * registration. So nothing is left out that can be given as empty. (Globs it never changes at all; the registrar knows.)
 */
function complete(script: RegisteredUserScript): RegisteredUserScript {
  return {
    ...script,
    excludeMatches: script.excludeMatches ?? [],
    ...(script.world === "USER_SCRIPT" ? { worldId: script.worldId ?? "" } : {}),
  };
}
