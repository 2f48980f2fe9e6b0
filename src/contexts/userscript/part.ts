import type { CatAreas } from "@/agent/api/compose";
import type { GmFunction } from "@/gm/types";

/**
 * What a part adds to the runtime of a world (src/userscripts/runtime-parts.ts): the default export of a file in `parts/`. It is a bundle
 * without the modules that the base has; it gets the base's own (build/runtime-bundles.ts), so their state is one.
 */
export interface RuntimePart {
  /** GM functions. */
  functions?: readonly GmFunction[];
  /** Areas of CAT.agent. */
  areas?: CatAreas;
}
