import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { useT } from "@/locales/react";
import { Button } from "@/ui/Button";
import { useAct } from "./use-act";

/** Copies a text and says so for a moment. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const t = useT();
  const act = useAct();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2_000);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async (): Promise<void> => {
    setCopied(await act(t("common.copyFailed"), () => navigator.clipboard.writeText(text)));
  };
  return (
    <Button
      kind="quiet"
      icon={copied ? <Check size={16} aria-hidden="true" /> : <Copy size={16} aria-hidden="true" />}
      onClick={() => void copy()}
    >
      <span aria-live="polite">{copied ? t("common.copied") : label}</span>
    </Button>
  );
}
