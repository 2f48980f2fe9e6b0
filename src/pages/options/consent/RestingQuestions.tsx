import { useT } from "@/locales/react";
import { Card, Section } from "@/ui/Section";
import { Time } from "@/ui/Time";
import { Answers } from "../../shared/consent/Answers";
import { QuestionBody } from "../../shared/consent/QuestionBody";
import { questionKey, useQuestions } from "../../shared/consent/questions";
import { useArmed } from "../../shared/consent/use-armed";

/** The questions that nobody answered in time, with their answers. */
export function RestingQuestions() {
  const t = useT();
  const { waiting } = useQuestions();
  // One list, one moment: when an entry goes, the next moves under the hand that has just answered.
  const armed = useArmed(waiting.map(questionKey).join("\n"));
  if (waiting.length === 0) return null;
  return (
    <Section title={t("consent.resting")} hint={t("consent.resting.hint")}>
      <ul className="grid gap-3 lg:grid-cols-2">
        {waiting.map((prompt) => (
          <li key={questionKey(prompt)} className="min-w-0">
            <Card className="flex h-full flex-col gap-4 p-4">
              <QuestionBody prompt={prompt} level={3} className="grow" />
              <p className="text-small text-faint">
                {t("consent.resting.asked")} <Time at={prompt.askedAt} />
              </p>
              <Answers prompt={prompt} armed={armed} />
            </Card>
          </li>
        ))}
      </ul>
    </Section>
  );
}
