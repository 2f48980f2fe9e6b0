import type { Page } from "playwright-core";

/** What is in a closed shadow root, which neither the page nor a locator can see into. */
export interface ClosedShadow {
  /** Everything that a person reads in it, line by line; "" when the host is not there. */
  text(): Promise<string>;
  /** The texts of all elements that a selector finds. */
  texts(selector: string): Promise<string[]>;
  /** The computed value of a style property. */
  style(selector: string, property: string): Promise<string>;
  /** Clicks the middle of the button with that text or accessible name. */
  click(name: string): Promise<void>;
}

/** Looks into the closed shadow root of the element with that name, by the debugger's view of the document. */
export async function closedShadow(page: Page, hostName: string): Promise<ClosedShadow> {
  const cdp = await page.context().newCDPSession(page);

  /** Calls a function with the shadow root as `this`; null when the host is not there. */
  async function call(body: string, ...args: string[]): Promise<unknown> {
    const { root } = await cdp.send("DOM.getDocument", { depth: -1, pierce: true });
    const host = find(root, hostName.toUpperCase());
    const shadow = host?.shadowRoots?.[0];
    if (!shadow) return null;
    const { object } = await cdp.send("DOM.resolveNode", { backendNodeId: shadow.backendNodeId });
    const { result, exceptionDetails } = await cdp.send("Runtime.callFunctionOn", {
      objectId: object.objectId,
      functionDeclaration: body,
      arguments: args.map((value) => ({ value })),
      returnByValue: true,
      awaitPromise: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  const shadow: ClosedShadow = {
    text: async () =>
      String(
        (await call("function () { return [...this.children].map((c) => c.innerText).join('\\n'); }")) ?? "",
      ),
    texts: async (selector) =>
      ((await call(
        "function (selector) { return [...this.querySelectorAll(selector)].map((e) => e.innerText); }",
        selector,
      )) ?? []) as string[],
    style: async (selector, property) =>
      String(
        await call(
          "function (s, p) { return getComputedStyle(this.querySelector(s)).getPropertyValue(p); }",
          selector,
          property,
        ),
      ),
    async click(name) {
      const place = (await call(
        // Where it is once it stands still: an answer that still grows moves the buttons under it.
        `async function (name) {
          const button = [...this.querySelectorAll("button")].find(
            (b) => b.checkVisibility() && (b.innerText === name || b.ariaLabel === name));
          if (!button) return null;
          const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
          for (let before = null; ; await frame()) {
            const { x, y, width, height } = button.getBoundingClientRect();
            if (before?.x === x && before.y === y) return { x: x + width / 2, y: y + height / 2 };
            before = { x, y };
          }
        }`,
        name,
      )) as { x: number; y: number } | null;
      if (!place)
        throw new Error(`<${hostName}> shows no button "${name}". It shows:\n${await shadow.text()}`);
      await page.mouse.click(place.x, place.y);
    },
  };
  return shadow;
}

interface DomNode {
  nodeName: string;
  backendNodeId: number;
  children?: DomNode[];
  shadowRoots?: DomNode[];
}

function find(node: DomNode, name: string): DomNode | undefined {
  if (node.nodeName.toUpperCase() === name) return node;
  for (const child of node.children ?? []) {
    const found = find(child, name);
    if (found) return found;
  }
  return undefined;
}
