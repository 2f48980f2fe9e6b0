import type { Page } from "playwright-core";
import type { TestBrowser } from "../../tests/e2e/harness/browser";
import type { LlmServer } from "../../tests/servers/llm";
import type { PageServer } from "../../tests/servers/pages";
import type { FixtureContents } from "./contents";

/** What an area has at hand while it fills the product with data. */
export interface Stage {
  browser: TestBrowser;
  pages: PageServer;
  llm: LlmServer;
  /** A page in which the keeper runs; the area closes it. */
  openKeeper(): Promise<Page>;
}

/**
 * One kind of data. To have a new kind in the next fixture, write a file with one of these, put it into `AREAS` (areas.ts), add what it
 * returns to `FixtureContents`, and a check to tests/e2e/upgrade.
 */
export interface Area {
  name: string;
  /** `last`: in a second session of the browser, which is then killed. For what a start of the browser would clear up. */
  session: "first" | "last";
  /** Makes the data through the doors that people and scripts use, and tells what must be found again. */
  fill(stage: Stage, soFar: Partial<FixtureContents>): Promise<Partial<FixtureContents>>;
}
