/** What a notification shows, as the browser takes it. */
export interface NotificationLook {
  title: string;
  message: string;
  /** Captions, at most two. */
  buttons: readonly string[];
  /** Stays until it is dealt with, where the system can do that. */
  sticky: boolean;
}

/** The system's notifications. */
export interface NotificationsApi {
  /** False when the browser has none, or the person has switched them off for it. */
  available(): Promise<boolean>;
  /** Shows one, in place of one with the same id. */
  show(id: string, look: NotificationLook): Promise<void>;
  /** Takes one away; nothing happens when there is none. */
  clear(id: string): Promise<void>;
  /** Calls back for clicks, also for those on notifications of an earlier worker. To be called while the worker's script is evaluated. */
  listen(on: NotificationEvents): void;
}

export interface NotificationEvents {
  /** `button` is the index of the clicked button; absent for the notification itself. */
  clicked(id: string, button?: number): void;
  /** It is gone without a click. */
  closed(id: string): void;
}

/** In a browser without the capability `chrome.notifications` is not there at all. */
function api(): typeof chrome.notifications | undefined {
  return chrome.notifications;
}

export const browserNotifications: NotificationsApi = {
  available: async () => (await api()?.getPermissionLevel()) === "granted",
  async show(id, { title, message, buttons, sticky }) {
    await api()?.create(id, {
      type: "basic",
      iconUrl: chrome.runtime.getURL("icons/128.png"),
      title,
      message,
      ...(buttons.length > 0 ? { buttons: buttons.map((caption) => ({ title: caption })) } : {}),
      ...(sticky ? { requireInteraction: true } : {}),
    });
  },
  async clear(id) {
    await api()?.clear(id);
  },
  listen({ clicked, closed }) {
    api()?.onClicked.addListener((id) => clicked(id));
    api()?.onButtonClicked.addListener((id, button) => clicked(id, button));
    api()?.onClosed.addListener((id) => closed(id));
  },
};
