import { Search } from "lucide-react";
import { useRef } from "react";
import { cx } from "./cx";
import { Input } from "./Field";
import { Kbd } from "./Kbd";
import { useHotkey } from "./useHotkey";

export interface SearchFieldProps {
  /** Its name, and what stands in it while it is empty. */
  label: string;
  query: string;
  onQuery(query: string): void;
  className?: string;
}

/** The field that narrows down a page's list. `/` goes there from anywhere in the page; Escape empties it, then leaves it. */
export function SearchField({ label, query, onQuery, className }: SearchFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  useHotkey("/", () => field.current?.focus());
  return (
    <div className={cx("relative", className)}>
      <Search size={16} aria-hidden="true" className="absolute top-2 left-2.5 text-faint" />
      <Input
        ref={field}
        type="search"
        aria-label={label}
        placeholder={label}
        value={query}
        onChange={(event) => onQuery(event.target.value)}
        onKeyDown={(event) => event.key === "Escape" && (query ? onQuery("") : event.currentTarget.blur())}
        className="peer pr-9 pl-8"
      />
      <span className="pointer-events-none absolute top-1.5 right-2 peer-focus:hidden" aria-hidden="true">
        <Kbd>/</Kbd>
      </span>
    </div>
  );
}
