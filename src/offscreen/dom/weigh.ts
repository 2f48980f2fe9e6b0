/**
 * What reading a page costs, roughly: the depths of all its elements together, since most of what reads it looks from each element
 * through all that are around it.
 */
export function weigh(root: Element): number {
  const walker = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_ELEMENT);
  let depth = 0;
  let weight = 0;
  for (;;) {
    weight += depth;
    if (walker.firstChild()) {
      depth += 1;
      continue;
    }
    while (!walker.nextSibling()) {
      if (!walker.parentNode()) return weight;
      depth -= 1;
    }
  }
}
