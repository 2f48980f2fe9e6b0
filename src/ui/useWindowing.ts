import { type RefObject, useLayoutEffect, useState } from "react";

export interface WindowRange {
  /** First row to render. */
  start: number;
  /** Row after the last to render. */
  end: number;
  /** Height in px of the rows left out above and below. */
  before: number;
  after: number;
}

const OVERSCAN = 12;
/** The height of a row, in px, until one has been laid out. */
const GUESS = 56;
/** Below this all rows are rendered: the browser's own search then finds them. */
const WHOLE = 60;

/**
 * Which rows of a list of equal rows are near the visible part of the document.
 * @param height,top px: of a row, and of the list's upper edge relative to the viewport (negative once scrolled past)
 */
export function rangeFor(count: number, height: number, top: number, viewport: number): WindowRange {
  if (count <= WHOLE || height <= 0) return { start: 0, end: count, before: 0, after: 0 };
  const first = Math.floor(-top / height) - OVERSCAN;
  const start = Math.min(Math.max(0, first), Math.max(0, count - 1));
  const end = Math.min(count, Math.max(start + 1, Math.ceil((viewport - top) / height) + OVERSCAN));
  return { start, end, before: start * height, after: (count - end) * height };
}

/**
 * Renders only the rows of a long list that are near the visible part. All rows are equally high (by CSS, it may depend on
 * the width of the page); the first rendered child with `data-row` is measured.
 */
export function useWindowing(list: RefObject<HTMLElement | null>, count: number): WindowRange {
  const [range, setRange] = useState<WindowRange>(() => rangeFor(count, GUESS, 0, 900));
  useLayoutEffect(() => {
    const update = (): void => {
      const element = list.current;
      if (!element) return;
      const row = element.querySelector<HTMLElement>("[data-row]");
      const next = rangeFor(
        count,
        row?.offsetHeight || GUESS,
        element.getBoundingClientRect().top,
        window.innerHeight,
      );
      setRange((old) =>
        old.start === next.start && old.end === next.end && old.after === next.after ? old : next,
      );
    };
    update();
    window.addEventListener("scroll", update, { passive: true });
    window.addEventListener("resize", update);
    return () => {
      window.removeEventListener("scroll", update);
      window.removeEventListener("resize", update);
    };
  }, [list, count]);
  // The state of the render before may be of a longer list.
  return range.end <= count ? range : rangeFor(count, GUESS, 0, 900);
}
