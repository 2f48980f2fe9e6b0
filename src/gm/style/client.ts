import { bothForms } from "../forms";

/**
 * Adds a style sheet to the document at once and gives its `<style>` element. Works before there is a head (it then goes into the
 * root element, or in as soon as there is one), in SVG and XML documents, where an element needs its namespace to be a style, and
 * on pages with a strict CSP, which does not govern what an isolated world adds.
 */
export const addStyle = bothForms("addStyle", (_session, css) => {
  const style = document.createElementNS("http://www.w3.org/1999/xhtml", "style");
  style.textContent = `${css}`;
  const place = () => {
    const parent = document.head ?? document.documentElement;
    parent?.append(style);
    return parent;
  };
  if (!place()) {
    const observer = new MutationObserver(() => place() && observer.disconnect());
    observer.observe(document, { childList: true });
  }
  return style;
});
