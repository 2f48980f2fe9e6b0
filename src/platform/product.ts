/** The browser, as `GM_info.platform` names it. */
export interface PlatformInfo {
  os: string;
  arch: string;
  browserName: string;
  browserVersion: string;
}

/** The browser and machine, as scripts may know them. */
export async function readPlatform(): Promise<PlatformInfo> {
  const { os, arch } = await chrome.runtime.getPlatformInfo();
  return {
    os,
    arch,
    browserName: "chrome",
    browserVersion: /Chrome\/([\d.]+)/.exec(navigator.userAgent)?.[1] ?? "",
  };
}

/** The browser's page about this extension, where the user-script switch is. */
export function detailsUrl(): string {
  return `chrome://extensions/?id=${chrome.runtime.id}`;
}

export async function openTab(url: string): Promise<void> {
  await chrome.tabs.create({ url });
}

/** The address of a tab, "" when it has none that may be known. */
export async function tabUrl(tabId: number): Promise<string> {
  return (await chrome.tabs.get(tabId)).url ?? "";
}

/** The text of a file of the extension's own package. */
export async function packagedText(file: string): Promise<string> {
  return (await fetch(chrome.runtime.getURL(file))).text();
}

/**
 * A function of the extension's own package as source text, for registered code: the file is a bundle that assigns it to the
 * variable `bundled`. On one line, so that what follows keeps its line numbers.
 */
export async function packagedFunction(file: string): Promise<string> {
  const bundle = await packagedText(file);
  return `(()=>{${bundle.trim().replaceAll("\n", " ")};return bundled})()`;
}
