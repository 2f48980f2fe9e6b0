import { Link } from "wouter";
import { useT } from "@/locales/react";
import type { LogRow } from "@/log/types";
import { buttonClass } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { Fact } from "@/ui/Section";
import { Time } from "@/ui/Time";
import { CopyButton } from "../../shared/CopyButton";
import { LevelMark } from "./EntryList";
import { describeSource } from "./source";

export interface EntryDialogProps {
  entry: LogRow;
  names: ReadonlyMap<string, string> | undefined;
  onClose(): void;
}

/** All that is known of one entry. */
export function EntryDialog({ entry, names, onClose }: EntryDialogProps) {
  const t = useT();
  const { text, link } = describeSource(t, entry.source, names);
  return (
    <Dialog open wide onClose={onClose} title={entry.during} description={entry.message}>
      <dl className="flex flex-col gap-1.5">
        <Fact name={t("logPage.level")}>
          <LevelMark level={entry.level} />
        </Fact>
        <Fact name={t("logPage.name")}>{entry.name}</Fact>
        <Fact name={t("logPage.source")}>{text}</Fact>
        <Fact name={t("logPage.when")}>
          <Time at={entry.at} />
        </Fact>
        <Fact name={t("logPage.often")}>{t("logPage.times", { n: entry.count })}</Fact>
      </dl>
      {entry.stack && (
        <section aria-label={t("logPage.stack")} className="flex min-w-0 flex-col gap-1">
          <h3 className="text-faint">{t("logPage.stack")}</h3>
          <pre
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (WCAG 2.1.1).
            tabIndex={0}
            className="max-h-60 overflow-auto rounded-ui bg-sunken p-3 font-mono text-code whitespace-pre-wrap"
          >
            {entry.stack}
          </pre>
        </section>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <CopyButton text={entryText(entry)} label={t("common.copy")} />
        {link && (
          <Link href={link.href} onClick={onClose} className={buttonClass()}>
            {link.label}
          </Link>
        )}
      </div>
    </Dialog>
  );
}

/** An entry as one would paste it into a bug report. */
function entryText({ at, source, during, name, message, stack, count }: LogRow): string {
  const head = `${new Date(at).toISOString()} ${source} (${count}×)\n${during}\n${name}: ${message}`;
  return stack ? `${head}\n${stack}` : head;
}
