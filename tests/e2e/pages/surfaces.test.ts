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
    const height = isPopup ? 600 : 800;
    const view = await stage.show(surface, {
      viewport: { width: isPopup ? 380 : 360, height },
      colorScheme: "light",
    });
    expect(await view.faults(), "narrow, light").toEqual([]);
    // In the same page: loading each surface anew would take most of the time of all browser tests.
    const dark = { width: isPopup ? 380 : 1280, height, colorScheme: "dark" } as const;
    expect(await view.faultsIn(dark), "wide, dark").toEqual([]);
    await view.close();
  });
});
