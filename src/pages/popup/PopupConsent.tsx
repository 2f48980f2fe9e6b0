import { MessageCircleQuestion } from "lucide-react";
import { useRef, useState } from "react";
import type { ConsentPrompt } from "@/consent/types";
import { useT } from "@/locales/react";
import { showPage } from "@/platform/page-tabs";
import { Button } from "@/ui/Button";
import { Answers, departureKey } from "../shared/consent/Answers";
import { QuestionBody } from "../shared/consent/QuestionBody";
import { questionKey, useQuestions } from "../shared/consent/questions";
import { useArmed } from "../shared/consent/use-armed";
import { usePopupAct } from "./use-popup-act";

/**
 * The open questions in the popup, above everything. What is open when the popup opens stands in its place from the first sight
 * on. What comes later would push down what the person aims at: it is offered by a button that floats over the title, and shown
 * when that is pressed.
 */
export function PopupConsent() {
  const t = useT();
  const questions = useQuestions();
  const { asking, waiting, known } = questions;
  const [shown, setShown] = useState<boolean | null>(null);
  const resting = useRef<number | null>(null);
  const n = asking.length;
  // Settled once: what the popup opened with.
  if (known && shown === null) setShown(n > 0);
  if (known) resting.current ??= waiting.length;
  const said = departureKey(questions);
  const top = asking[0];
  const rests = !top && !said && resting.current !== null && resting.current > 0 && waiting.length > 0;
  const inPlace = (shown && (top !== undefined || said !== null)) || rests;
  return (
    <>
      <p aria-live="polite" className="sr-only">
        {top ? t("consent.cards.open", { n }) : said && t.any(said)}
      </p>
      {inPlace && (
        <section aria-label={t("consent.cards")}>
          {shown && top && <Card key={questionKey(top)} prompt={top} more={n - 1} />}
          {shown && !top && said && <p className="rounded-ui bg-sunken p-3 text-muted">{t.any(said)}</p>}
          {rests && <Resting n={waiting.length} />}
        </section>
      )}
      {!shown && top && (
        <Button
          icon={<MessageCircleQuestion size={16} aria-hidden="true" className="text-accent-fg" />}
          onClick={() => setShown(true)}
          className="fixed top-1.5 left-1/2 z-30 -translate-x-1/2 animate-rise bg-raised shadow-float"
        >
          {t("consent.cards.open", { n })}
        </Button>
      )}
    </>
  );
}

function Card({ prompt, more }: { prompt: ConsentPrompt; more: number }) {
  const t = useT();
  const armed = useArmed(questionKey(prompt));
  return (
    <div className="flex flex-col gap-3 rounded-ui border border-line-strong bg-raised p-3">
      <QuestionBody prompt={prompt} level={2} compact />
      <Answers prompt={prompt} armed={armed} />
      {more > 0 && <p className="text-small text-muted">{t("consent.window.more", { n: more })}</p>}
    </div>
  );
}

/** Questions that rest are answered where there is room for them. */
function Resting({ n }: { n: number }) {
  const t = useT();
  const act = usePopupAct();
  const open = (): void =>
    act.run(t("consent.failed.open"), async () => {
      await showPage("options.html#/consent");
      window.close();
    });
  return (
    <div className="flex flex-col gap-1">
      <Button
        kind="accent"
        icon={<MessageCircleQuestion size={16} aria-hidden="true" />}
        onClick={open}
        className="-ml-3 self-start text-left whitespace-normal"
      >
        {t("consent.window.resting", { n })}
      </Button>
      {act.message}
    </div>
  );
}
