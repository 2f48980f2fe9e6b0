/** One thing that went wrong and concerns the person: what they find on the log page. */
export interface LogRow {
  id?: number;
  /** ms since the epoch, of the last time. */
  at: number;
  level: "error" | "warning";
  /** Where it happened: `worker`, `offscreen`, `page:options`, `script:<uuid>`, `model:<id>`, `run:<id>`, `sandbox`. */
  source: string;
  /** Name of the error. */
  name: string;
  /** What was being done, in words: "Registering the scripts". */
  during: string;
  message: string;
  /** Secrets are masked before anything is stored. */
  stack?: string;
  /** How often the same came in a row. */
  count: number;
  /** The person was told when it happened, so nothing need call them to the log. */
  shown?: boolean;
}

/** What went wrong, as whoever saw it says it. */
export interface LogInput {
  source: string;
  during: string;
  error: unknown;
  /** "error" when left out; a warning is something that Moggy got along with. */
  level?: LogRow["level"];
  shown?: boolean;
}

/** The most entries that are kept; the oldest go first. */
export const MOST_ENTRIES = 500;

/** Where entries are kept, as whoever takes them in sees it. */
export interface LogKeeper {
  /** Masks and stores entries, oldest first. Rejects when they could not be stored; then none was. */
  keep(rows: readonly LogRow[]): Promise<void>;
  /** Says how many errors there are that the person has not seen. */
  announce(): Promise<void>;
}
