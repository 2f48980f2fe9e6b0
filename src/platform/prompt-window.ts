import { NamedError } from "@/rpc/errors";

/** The window in which questions are put to the person when no page of ours is in front of them. */
export interface PromptWindows {
  /** Opens one, in front. @returns its id */
  open(): Promise<number>;
  /** Brings it to the front. @returns false when it is not there any more */
  focus(id: number): Promise<boolean>;
  /** Closes it; one that is gone already is none to close. */
  close(id: number): Promise<void>;
  exists(id: number): Promise<boolean>;
  /** Whether a tab is the one that a person sees now: the active one of the window in front. */
  inFront(tabId: number): Promise<boolean>;
  /** Calls back with the id of each browser window that was closed. To be called while the worker's script is evaluated. */
  onClosed(listener: (id: number) => void): void;
}

const PAGE = "consent.html";
const WIDTH = 420;
const HEIGHT = 560;

export const browserPromptWindows: PromptWindows = {
  async open() {
    const created = await chrome.windows.create({
      url: chrome.runtime.getURL(PAGE),
      type: "popup",
      focused: true,
      width: WIDTH,
      height: HEIGHT,
      // Our pages cannot be in a private window, from where the question may come.
      incognito: false,
      ...(await place()),
    });
    if (created?.id === undefined) {
      throw new NamedError(
        "WindowUnavailableError",
        "The browser opened no window for questions. They can be answered in Moggy's options and popup.",
      );
    }
    return created.id;
  },
  async focus(id) {
    try {
      await chrome.windows.update(id, { focused: true });
      return true;
    } catch {
      // The browser's only reason is that there is no such window.
      return false;
    }
  },
  async close(id) {
    try {
      await chrome.windows.remove(id);
    } catch {
      // It is gone, which is what was wanted.
    }
  },
  async exists(id) {
    try {
      await chrome.windows.get(id);
      return true;
    } catch {
      // The browser's only reason is that there is no such window.
      return false;
    }
  },
  async inFront(tabId) {
    try {
      const tab = await chrome.tabs.get(tabId);
      return tab.active && (await chrome.windows.get(tab.windowId)).focused;
    } catch {
      // A tab that was closed meanwhile is not in front.
      return false;
    }
  },
  onClosed(listener) {
    chrome.windows.onRemoved.addListener(listener);
  },
};

/** Over the upper middle of the window that the person works in; where the browser likes when that is not known. */
async function place(): Promise<{ left: number; top: number } | Record<string, never>> {
  try {
    const { left, top, width } = await chrome.windows.getLastFocused();
    if (left === undefined || top === undefined || width === undefined) return {};
    return { left: Math.max(0, Math.round(left + (width - WIDTH) / 2)), top: Math.max(0, top + 80) };
  } catch {
    // No window is open at all.
    return {};
  }
}
