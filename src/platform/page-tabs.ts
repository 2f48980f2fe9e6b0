/** The tab a popup was opened over. */
export interface ActiveTab {
  id: number;
  url: string;
}

/** The active tab of the window, or null when it has none that can be named (a window without tabs). */
export async function activeTab(): Promise<ActiveTab | null> {
  const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
  if (tab?.id === undefined) return null;
  return { id: tab.id, url: tab.url ?? tab.pendingUrl ?? "" };
}

/**
 * Shows one of our pages in a tab: the one that has it open already, else a new one.
 * @param path relative to the extension, such as `options.html#/models`
 */
export async function showPage(path: string): Promise<void> {
  const url = chrome.runtime.getURL(path);
  const page = url.split("#")[0] ?? url;
  const open = await chrome.tabs.query({ url: page });
  const tab = open.find((candidate) => candidate.id !== undefined && !candidate.incognito);
  if (tab?.id === undefined) {
    await chrome.tabs.create({ url });
    return;
  }
  await chrome.tabs.update(tab.id, { active: true, ...(tab.url === url ? {} : { url }) });
  await chrome.windows.update(tab.windowId, { focused: true });
}

/** Opens one of our pages in a tab of its own, even if it is open elsewhere. */
export async function openPage(path: string): Promise<void> {
  await chrome.tabs.create({ url: chrome.runtime.getURL(path) });
}

/** Loads a tab's page again. */
export async function reloadTab(tabId: number): Promise<void> {
  await chrome.tabs.reload(tabId);
}
