import { describe, expect, it } from "vitest";
import { sourceUrl } from "@/userscripts/wrapper";

describe("the address of a script", () => {
  it.each(["half \uD83D of a pair", "\uDC00", "__proto__", "a\nb", "100%", "\u202Eevil"])(
    "is one whatever its name: %j",
    (name) => {
      const address = sourceUrl("u", name);
      expect(URL.canParse(address)).toBe(true);
      expect(address).toMatch(/^moggy-script:\/\/\/u\/[^\s/]+\.user\.js$/);
    },
  );
});
