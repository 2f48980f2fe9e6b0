import { useState } from "react";
import type { ConsentAnswer, ConsentPrompt } from "@/consent/types";
import type { MessageKey } from "@/locales/catalogue";
import { useT } from "@/locales/react";
import { Button } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { errorLine } from "../describe-error";
import { type Questions, useQuestions } from "./questions";

export interface AnswersProps {
  prompt: ConsentPrompt;
  /** From `useArmed`: until then the buttons are there and do nothing. */
  armed: boolean;
  className?: string;
}

/** The answers to one question. None stands out: the person decides, not the look. */
export function Answers({ prompt, armed, className }: AnswersProps) {
  const t = useT();
  const questions = useQuestions();
  const { busy, failure, give } = useGive();
  const same = questions.asking.filter(({ subject }) => subject === prompt.subject).length;
  const button = (key: MessageKey, action: () => Promise<void>, quiet = false) => (
    <Button
      kind={quiet ? "quiet" : "plain"}
      busy={busy === key}
      aria-disabled={!armed || busy !== null || undefined}
      className={cx("grow", !armed && "opacity-60")}
      onClick={() => armed && busy === null && void give(key, action)}
    >
      {t.any(key)}
    </Button>
  );
  const say = (answer: ConsentAnswer) => () => questions.answer(prompt, answer);
  const row = "flex flex-wrap gap-2";
  return (
    <div className={cx("flex flex-col gap-2", className)}>
      {failure && (
        <p role="alert" className="text-small text-danger-fg">
          {errorLine(t, t("consent.failed.answer"), failure)}
        </p>
      )}
      <div className={row}>
        {button("consent.answer.once", say("once"))}
        {prompt.runId !== undefined && prompt.state === "asking" && button(runKey(prompt), say("run"))}
        {button("consent.answer.always", say("always"))}
      </div>
      <div className={row}>
        {prompt.state === "asking"
          ? button("consent.answer.deny", say("deny"))
          : button("consent.answer.dismiss", () => questions.dismiss(prompt))}
        {button("consent.answer.never", say("never"))}
      </div>
      {prompt.state === "asking" && same > 1 && (
        <div className={row}>{button("consent.answer.denyAll", () => questions.denyAll(prompt), true)}</div>
      )}
    </div>
  );
}

/** For a script, a run is the document that it runs in; the one of a background script has no page, and lasts as long as the browser. */
function runKey({ subject, pageUrl }: ConsentPrompt): MessageKey {
  if (!subject.startsWith("script:")) return "consent.answer.run";
  return pageUrl === undefined ? "consent.answer.session" : "consent.answer.page";
}

/** Gives one answer at a time, and keeps why it was not taken. */
function useGive() {
  const [busy, setBusy] = useState<string | null>(null);
  const [failure, setFailure] = useState<Error | null>(null);
  const give = async (key: string, action: () => Promise<void>): Promise<void> => {
    setBusy(key);
    setFailure(null);
    try {
      await action();
    } catch (error) {
      setFailure(error instanceof Error ? error : new Error(String(error)));
    } finally {
      setBusy(null);
    }
  };
  return { busy, failure, give };
}

/** How a question that left by itself is spoken of; null when there is nothing to say. */
export function departureKey({ departure }: Questions): MessageKey | null {
  if (departure === null) return null;
  return departure === "rests" ? "consent.departed.rests" : "consent.departed.elsewhere";
}
