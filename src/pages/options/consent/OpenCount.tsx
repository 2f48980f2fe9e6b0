import { useT } from "@/locales/react";
import { Badge } from "@/ui/Badge";
import { useQuestions } from "../../shared/consent/questions";

/** How many questions are open, beside the name of their place; nothing when there is none. */
export function OpenCount() {
  const t = useT();
  const { asking, waiting } = useQuestions();
  const n = asking.length + waiting.length;
  if (n === 0) return null;
  return (
    <Badge tone="accent">
      <span aria-hidden="true">{n}</span>
      <span className="sr-only">{t("consent.cards.open", { n })}</span>
    </Badge>
  );
}
