import { Check, TriangleAlert } from "lucide-react";
import { useT } from "@/locales/react";
import { type Asking, powersOf } from "./powers";

/** What a script may do, one sentence a line. */
export function PowerList({ script }: { script: Asking }) {
  const t = useT();
  const powers = powersOf(t, script);
  if (powers.length === 0) return <p className="text-muted">{t("power.nothing")}</p>;
  return (
    <ul className="flex flex-col gap-1.5">
      {powers.map(({ id, text, strong }) => (
        <li key={id} className="flex gap-2">
          {strong ? (
            <TriangleAlert size={16} className="mt-0.5 shrink-0 text-warn" aria-label={t("power.strong")} />
          ) : (
            <Check size={16} className="mt-0.5 shrink-0 text-faint" aria-hidden="true" />
          )}
          <span>{text}</span>
        </li>
      ))}
    </ul>
  );
}
