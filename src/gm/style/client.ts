import type { GmFunction } from "../types";

const XHTML = "http://www.w3.org/1999/xhtml";

/**
 * Adds a style sheet to the document at once and returns its `<style>` element. Works before there is a head (it then goes into the
 * root element, or in as soon as there is one) and in SVG and XML documents, where an element needs its namespace to be a style.
 */
function addStyle(css: unknown): HTMLStyleElement {
  const style = document.createElementNS(XHTML, "style") as HTMLStyleElement;
  style.textContent = String(css);
  const place = () => {
    const parent = document.head ?? document.documentElement;
    parent?.append(style);
    return parent !== null;
  };
  if (!place()) {
    const observer = new MutationObserver(() => {
      if (place()) observer.disconnect();
    });
    observer.observe(document, { childList: true });
  }
  return style;
}

export const addStyleFunction: GmFunction = {
  name: "addStyle",
  legacy: () => (css: unknown) => addStyle(css),
  modern: () => async (css: unknown) => addStyle(css),
};
