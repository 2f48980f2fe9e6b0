// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from "vitest";
import { log } from "@/gm/log/client";
import { addStyle } from "@/gm/style/client";
import type { GmFunction, ScriptSession } from "@/gm/types";

const session = { info: { script: { name: "Mine" } } } as unknown as ScriptSession;
/** Both forms of a function for that session. */
function forms(fn: GmFunction) {
  type Form = (...args: unknown[]) => unknown;
  return { legacy: fn.legacy?.(session) as Form, modern: fn.modern?.(session) as Form };
}
const add = (css: string) => forms(addStyle).legacy(css) as HTMLStyleElement;

afterEach(() => {
  document.open();
  document.write("<!doctype html><title>t</title><p id=p>x</p>");
  document.close();
});

describe("GM_addStyle", () => {
  it("gives the element, in the head, in force at once", async () => {
    const style = add("p { color: rgb(1, 2, 3) }");
    expect(style.parentNode).toBe(document.head);
    expect(style.sheet?.cssRules).toHaveLength(1);
    const later = (await forms(addStyle).modern("p {}")) as HTMLStyleElement;
    expect(later.tagName).toBe("STYLE");
  });

  it("C061 works before there is a head, and before there is anything", async () => {
    document.head.remove();
    expect(add("p {}").parentNode).toBe(document.documentElement);
    document.documentElement.remove();
    const early = add("p {}");
    expect(early.parentNode).toBeNull();
    document.append(document.createElement("html"));
    await vi.waitFor(() => expect(early.parentNode).toBe(document.documentElement));
  });

  it("C065 makes a style also where the document is no HTML", () => {
    const svg = new DOMParser().parseFromString("<svg xmlns='http://www.w3.org/2000/svg'/>", "image/svg+xml");
    vi.stubGlobal("document", svg);
    const style = add("rect {}");
    vi.unstubAllGlobals();
    expect(style.namespaceURI).toBe("http://www.w3.org/1999/xhtml");
    expect(style.parentNode).toBe(svg.documentElement);
  });
});

describe("GM_log", () => {
  it("writes to the console with the script's name, in both forms", async () => {
    const write = vi.spyOn(console, "log").mockReturnValue(undefined);
    const data = { a: 1 };
    forms(log).legacy("text", data);
    await forms(log).modern("more");
    expect(write.mock.calls).toEqual([
      ["[Mine]", "text", data],
      ["[Mine]", "more"],
    ]);
  });
});
