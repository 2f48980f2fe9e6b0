import { type CSSProperties, memo, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { cx } from "./cx";
import type { TokenKind } from "./highlight";
import { SLICE_LINES, Slices } from "./slices";

const COLOURS: Record<Exclude<TokenKind, "plain">, string> = {
  keyword: "text-code-keyword",
  string: "text-code-string",
  number: "text-code-number",
  comment: "text-code-comment",
};

export interface CodeViewProps {
  code: string;
  /** Its name for screen readers. */
  label: string;
  /** Lines to point out, 1-based. */
  marks?: readonly number[];
  /** Scrolls this line into view whenever it changes; `{ line }` anew to do it again. */
  goTo?: { line: number } | null;
  className?: string;
}

/**
 * Code to read, with line numbers. The whole text is in the page, so the browser's own search and copying work; slices out
 * of sight are neither laid out nor coloured, so 20,000 lines open at once.
 */
export function CodeView({ code, label, marks = [], goTo, className }: CodeViewProps) {
  const slices = useMemo(() => new Slices(code), [code]);
  const box = useRef<HTMLDivElement>(null);
  const width = String(slices.lineCount).length;

  useLayoutEffect(() => {
    if (!goTo || !box.current) return;
    const lineHeight = Number.parseFloat(getComputedStyle(box.current).lineHeight) || 20;
    box.current.scrollTo({ top: Math.max(0, (goTo.line - 4) * lineHeight) });
    box.current.scrollIntoView({ block: "nearest" });
  }, [goTo]);

  return (
    <section
      ref={box}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (WCAG 2.1.1).
      tabIndex={0}
      aria-label={label}
      className={cx(
        "relative overflow-auto rounded-ui border border-line bg-sunken py-2 font-mono text-code focus-visible:-outline-offset-2",
        className,
      )}
    >
      <div className="relative isolate min-w-max">
        {marks.map((line) => (
          <div
            key={line}
            aria-hidden="true"
            className="absolute inset-x-0 -z-10 bg-code-mark"
            style={{ top: `${line - 1}lh`, height: "1lh" }}
          />
        ))}
        {slices.texts.map((_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a slice is its place; the list is rebuilt with the code.
          <Slice key={index} slices={slices} index={index} digits={width} />
        ))}
      </div>
    </section>
  );
}

interface SliceProps {
  slices: Slices;
  index: number;
  digits: number;
}

const Slice = memo(function Slice({ slices, index, digits }: SliceProps) {
  const element = useRef<HTMLDivElement>(null);
  const near = useNear(element);
  const lines = slices.lineCountOf(index);
  const numbers = useMemo(
    () => Array.from({ length: lines }, (_, at) => index * SLICE_LINES + at + 1).join("\n"),
    [index, lines],
  );
  const style: CSSProperties = {
    contentVisibility: "auto",
    containIntrinsicSize: `auto 40rem auto ${lines}lh`,
  };
  return (
    <div ref={element} className="flex" style={style}>
      <pre
        aria-hidden="true"
        className="sticky left-0 shrink-0 bg-sunken pr-4 pl-3 text-right text-faint select-none"
        style={{ minWidth: `calc(${digits}ch + 1.75rem)` }}
      >
        {numbers}
      </pre>
      <pre className="grow pr-4">
        <code>{near ? <Coloured slices={slices} index={index} /> : slices.texts[index]}</code>
      </pre>
    </div>
  );
});

function Coloured({ slices, index }: { slices: Slices; index: number }) {
  const tokens = useMemo(() => slices.tokens(index), [slices, index]);
  return tokens.map(({ kind, text }, at) =>
    kind === "plain" ? (
      text
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: tokens have no identity but their place.
      <span key={at} className={COLOURS[kind]}>
        {text}
      </span>
    ),
  );
}

/** True once the element has come near the visible part; it stays true. */
function useNear(element: React.RefObject<HTMLElement | null>): boolean {
  const [near, setNear] = useState(false);
  useEffect(() => {
    if (near || !element.current) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && setNear(true),
      { rootMargin: "600px" },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [near, element]);
  return near;
}
