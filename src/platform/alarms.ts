/** Alarms of the browser, which wake the worker. */
export interface Alarms {
  /**
   * Sees to it that the alarm goes off every so many minutes. One that is there is left alone: making it anew would begin its time again,
   * and a worker that starts often would never hear it.
   */
  keep(name: string, everyMinutes: number): Promise<void>;
  /** Without one of that name, nothing. */
  drop(name: string): Promise<void>;
}

export const browserAlarms: Alarms = {
  async keep(name, everyMinutes) {
    const there = await chrome.alarms.get(name);
    if (there?.periodInMinutes !== everyMinutes)
      await chrome.alarms.create(name, { periodInMinutes: everyMinutes });
  },
  async drop(name) {
    await chrome.alarms.clear(name);
  },
};

/** Calls back each time the alarm of that name goes off. To be called while the worker's script is evaluated. */
export function onAlarm(name: string, callback: () => void): void {
  chrome.alarms.onAlarm.addListener((alarm) => {
    if (alarm.name === name) callback();
  });
}
