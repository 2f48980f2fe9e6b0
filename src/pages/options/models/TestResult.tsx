import { CircleCheck, TriangleAlert } from "lucide-react";
import type { ModelDiagnosis, ModelTest } from "@/agent/contract/models";
import type { MessageKey } from "@/locales/catalogue";
import { useT } from "@/locales/react";
import { Banner } from "@/ui/Banner";
import { Button } from "@/ui/Button";

/** What to do about each diagnosis; the words of what happened are under `models.diagnosis.<code>`. */
const ADVICE: Record<ModelDiagnosis, MessageKey> = {
  "wrong-key": "models.diagnosis.wrong-key.todo",
  unreachable: "models.diagnosis.unreachable.todo",
  "wrong-url": "models.diagnosis.wrong-url.todo",
  "model-missing": "models.diagnosis.model-missing.todo",
  "rate-limited": "models.diagnosis.rate-limited.todo",
  "server-error": "models.diagnosis.server-error.todo",
  "origin-refused": "models.diagnosis.origin-refused.todo",
  "not-an-api": "models.diagnosis.not-an-api.todo",
  other: "models.diagnosis.other.todo",
};

export interface TestResultProps {
  result: ModelTest;
  /** Takes over a base address that was found to answer. */
  onUseUrl?(apiBaseUrl: string): void;
}

/** What a test call came to: the answer and its speed, or what is wrong and what to do. */
export function TestResult({ result, onUseUrl }: TestResultProps) {
  const t = useT();
  if (result.ok) {
    return (
      <Banner tone="ok" icon={<CircleCheck size={16} aria-hidden="true" />} title={t("models.test.ok")}>
        <p>
          {t("models.test.times", { first: seconds(result.firstTokenMs), total: seconds(result.totalMs) })}
        </p>
        {result.reply.trim() !== "" && <p>{t("models.test.reply", { reply: result.reply.trim() })}</p>}
      </Banner>
    );
  }
  const { suggestion = "" } = result.params;
  return (
    <Banner
      tone="danger"
      icon={<TriangleAlert size={16} aria-hidden="true" />}
      title={t.any(`models.diagnosis.${result.diagnosis}`)}
      actions={
        suggestion !== "" &&
        onUseUrl && (
          <Button onClick={() => onUseUrl(suggestion)}>{t("models.test.useUrl", { url: suggestion })}</Button>
        )
      }
    >
      <p>{t("models.test.asked", { host: result.params.host ?? "", model: result.params.model ?? "" })}</p>
      <p>
        {suggestion === ""
          ? t.any(ADVICE[result.diagnosis])
          : t("models.test.suggestion", { url: suggestion })}
      </p>
      {result.detail && (
        <details className="mt-1">
          <summary className="rounded-inner text-small text-faint">{t("models.test.detail")}</summary>
          <pre className="mt-1 max-h-40 overflow-auto font-mono text-code whitespace-pre-wrap">
            {result.detail}
          </pre>
        </details>
      )}
    </Banner>
  );
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(ms < 10_000 ? 2 : 0);
}
