import { openStage, type Stage } from "@tests/fixtures/pages/stage";
import { SURFACES } from "@tests/fixtures/pages/surfaces";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";

/** Every surface in every state, narrow and light, wide and dark: it shows what it should, and nothing is wrong with it. */
describe("pages", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(inject("chromium"));
  });
  afterAll(() => stage.close());

  it.each(SURFACES)("$name", async (surface) => {
    const isPopup = surface.path.startsWith("popup");
    for (const [width, colorScheme] of [
      [isPopup ? 380 : 360, "light"],
      [isPopup ? 380 : 1280, "dark"],
    ] as const) {
      const view = await stage.show(surface, {
        viewport: { width, height: isPopup ? 600 : 800 },
        colorScheme,
      });
      expect(await view.faults(), `${width} px, ${colorScheme}`).toEqual([]);
      await view.close();
    }
  });
});
