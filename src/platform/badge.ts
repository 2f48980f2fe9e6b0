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

/** The part of the browser that draws the button. */
export interface BadgeApi {
  show(look: BadgeLook): Promise<void>;
}

export const browserBadge: BadgeApi = {
  async show({ text, background, color, title }) {
    await Promise.all([
      chrome.action.setBadgeText({ text }),
      chrome.action.setBadgeBackgroundColor({ color: background }),
      chrome.action.setBadgeTextColor({ color }),
      chrome.action.setTitle({ title }),
    ]);
  },
};
