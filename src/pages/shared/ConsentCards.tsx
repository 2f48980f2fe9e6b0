import { ChevronDown, MessageCircleQuestion } from "lucide-react";
import { type KeyboardEvent, useRef, useState } from "react";
import type { ConsentPrompt } from "@/consent/types";
import { useT } from "@/locales/react";
import { Button, IconButton } from "@/ui/Button";
import { Answers, departureKey } from "./consent/Answers";
import { QuestionBody } from "./consent/QuestionBody";
import { questionKey, useQuestions } from "./consent/questions";
import { useArmed } from "./consent/use-armed";

const CARDS_ID = "consent-cards";

/** Puts the focus on the cards, for the command that goes there: in a moment, when the palette no longer holds the focus. */
export function focusCards(): void {
  setTimeout(() => document.getElementById(CARDS_ID)?.focus());
}

/**
 * The open questions above a page that is used for something else. The card floats over the upper corner: nothing of the page moves,
 * the focus stays where it is, and what was clicked at the moment it came does not answer it. It can be laid aside; then a small
 * button at the bottom keeps it at hand. Screen readers are told politely.
 */
export function ConsentCards() {
  const t = useT();
  const questions = useQuestions();
  const { asking } = questions;
  const [aside, setAside] = useState(false);
  const said = departureKey(questions);
  const top = asking[0];
  const n = asking.length;
  return (
    <section id={CARDS_ID} tabIndex={-1} aria-label={t("consent.cards")}>
      <p aria-live="polite" className="sr-only">
        {top ? t("consent.cards.open", { n }) : said && t.any(said)}
      </p>
      {top && !aside && (
        <Card key={questionKey(top)} prompt={top} more={n - 1} onAside={() => setAside(true)} />
      )}
      {top && aside && (
        <Button
          icon={<MessageCircleQuestion size={16} aria-hidden="true" className="text-accent-fg" />}
          onClick={() => setAside(false)}
          className="fixed bottom-16 left-1/2 z-30 -translate-x-1/2 animate-rise bg-raised shadow-float"
        >
          {t("consent.cards.open", { n })}
        </Button>
      )}
      {!top && said && (
        <p className="fixed top-3 right-3 z-30 w-[min(26rem,calc(100vw-1.5rem))] rounded-ui border border-line bg-raised p-3 text-muted shadow-float">
          {t.any(said)}
        </p>
      )}
    </section>
  );
}

function Card({ prompt, more, onAside }: { prompt: ConsentPrompt; more: number; onAside(): void }) {
  const t = useT();
  const armed = useArmed(questionKey(prompt));
  const card = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    // Escape closes what is on top, as everywhere in the page; here that is no answer.
    if (event.key !== "Escape") return;
    event.preventDefault();
    onAside();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the key is handled for the controls inside.
    <div
      ref={card}
      onKeyDown={onKeyDown}
      className="fixed top-3 right-3 z-30 flex max-h-[calc(100dvh-1.5rem)] w-[min(26rem,calc(100vw-1.5rem))] animate-rise flex-col overflow-y-auto rounded-ui border border-line-strong bg-raised shadow-float"
    >
      <div className="relative p-4">
        <IconButton label={t("consent.cards.hide")} onClick={onAside} className="absolute top-2 right-2">
          <ChevronDown size={16} aria-hidden="true" />
        </IconButton>
        <QuestionBody prompt={prompt} level={2} />
      </div>
      <div className="sticky bottom-0 flex flex-col gap-2 border-t border-line bg-raised px-4 py-3">
        <Answers prompt={prompt} armed={armed} />
        {more > 0 && <p className="text-small text-muted">{t("consent.window.more", { n: more })}</p>}
      </div>
    </div>
  );
}
