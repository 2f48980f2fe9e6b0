/** One thing that went wrong and concerns the person: what they find on the log page. */
export interface LogRow {
  id?: number;
  /** ms since the epoch, of the last time. */
  at: number;
  level: "error" | "warning";
  /** Where it happened: `worker`, `offscreen`, `page:options`, `script:<uuid>`, `run:<id>`, `sandbox`. */
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
}
