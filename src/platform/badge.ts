/** What the extension's button in the toolbar shows. */
export interface BadgeLook {
  /** At most four characters; "" for none. */
  text: string;
  /** `#rrggbb`. */
  background: string;
  color: string;
  /** What it says to who points at it or hears it; "" for the extension's own name. */
  title: string;
}

/** The part of the browser that draws the button. A look for a tab wins over the one for all, until the tab shows another page. */
export interface BadgeApi {
  show(look: BadgeLook, tabId?: number): Promise<void>;
}

export const browserBadge: BadgeApi = {
  async show({ text, background, color, title }, tabId) {
    const tab = tabId === undefined ? {} : { tabId };
    await Promise.all([
      chrome.action.setBadgeText({ ...tab, text }),
      chrome.action.setBadgeBackgroundColor({ ...tab, color: background }),
      chrome.action.setBadgeTextColor({ ...tab, color }),
      chrome.action.setTitle({ ...tab, title }),
    ]);
  },
};
