import { type ReactNode, useEffect, useRef } from "react";
import { useT } from "@/locales/react";

export interface PageHeadProps {
  title: string;
  /** Beside the title: a count, a state. */
  aside?: ReactNode;
  actions?: ReactNode;
  /** Above the title: the way back. */
  back?: ReactNode;
}

/** At the first place after a load the browser has put the focus where it belongs already. */
let entered = false;

/** The heading of a place. It names the document and takes the focus when the place is entered, as a page load would. */
export function PageHead({ title, aside, actions, back }: PageHeadProps) {
  const t = useT();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${t("product.name")}`;
  }, [title, t]);
  useEffect(() => {
    if (entered) heading.current?.focus({ preventScroll: true });
    entered = true;
  }, []);
  return (
    <div className="flex flex-col gap-2">
      {back}
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="flex min-w-0 items-baseline gap-3">
          <h1 ref={heading} tabIndex={-1} className="text-title font-semibold">
            {title}
          </h1>
          {aside}
        </div>
        {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
      </div>
    </div>
  );
}
