/** Where the window is noted in session storage. */
export const OPENED_KEY = "consent.window";

/** The window as it was opened, kept for the session: it outlives the worker that opened it. */
export interface Opened {
  windowId: number;
  /** Ids of the questions for which it has come to the front. */
  shownFor: string[];
}
