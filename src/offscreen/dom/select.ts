import { NamedError } from "@/rpc/errors";
import type { SelectedElement } from "./contract";
import { parsePage, safeAddress } from "./parse";

const ADDRESSES = new Set(["href", "src", "action", "cite", "poster"]);

/** See the contract. */
export function select(input: {
  html: string;
  url: string;
  selector: string;
  attributes: string[];
  max: number;
}): SelectedElement[] {
  const { page } = parsePage(input.html, input.url);
  const found = query(page, input.selector).slice(0, input.max);
  return found.map((element) => ({
    text: (element.textContent ?? "").replace(/\s+/g, " ").trim(),
    attributes: Object.fromEntries(
      input.attributes.flatMap((name) => {
        const value = element.getAttribute(name);
        const shown = ADDRESSES.has(name.toLowerCase()) ? safeAddress(value, page.baseURI) : value;
        return shown === null ? [] : [[name, shown]];
      }),
    ),
  }));
}

function query(page: Document, selector: string): Element[] {
  try {
    return [...page.querySelectorAll(selector)];
  } catch (cause) {
    throw new NamedError("TypeError", `"${selector}" is not a CSS selector.`, { cause });
  }
}
