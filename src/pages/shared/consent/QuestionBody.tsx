import { Bot, FileCode2, TriangleAlert } from "lucide-react";
import { type ReactNode, type Ref, useId } from "react";
import type { ConsentPrompt } from "@/consent/types";
import { useT } from "@/locales/react";
import { cx } from "@/ui/cx";
import { hostName } from "./host-name";
import { untrustedText } from "./untrusted-text";

const NAME_LENGTH = 80;
/** How much of an address is shown: its beginning says most. */
const DETAIL_LENGTH = { full: 240, compact: 100 };
const PAGE_LENGTH = { full: 120, compact: 60 };

export interface QuestionBodyProps {
  prompt: ConsentPrompt;
  /** 1 where the question is all that there is. */
  level: 1 | 2 | 3;
  /** The element that takes the focus when the question is put in front of the person. */
  headingRef?: Ref<HTMLHeadingElement>;
  /** Without what explains, and addresses shorter: for the popup. */
  compact?: boolean;
  className?: string;
}

/**
 * Who asks, for what, and what exactly would happen. Our own words stand free; everything that the asker has chosen stands in a
 * box of its own, bounded and without characters that are not seen, so that it cannot pass for ours.
 */
export function QuestionBody({ prompt, level, headingRef, compact, className }: QuestionBodyProps) {
  const t = useT();
  const id = useId();
  const { effect, host, detail, pageUrl } = prompt;
  const size = compact ? "compact" : "full";
  const isScript = prompt.subject.startsWith("script:");
  const Heading = `h${level}` as const;
  const Icon = isScript ? FileCode2 : Bot;
  return (
    <div className={cx("flex min-w-0 flex-col gap-3", className)}>
      <div className="flex min-w-0 flex-col gap-1">
        <p className="flex items-center gap-1.5 text-small text-muted">
          <Icon size={12} aria-hidden="true" />
          {t(isScript ? "consent.asks.script" : "consent.asks.run")}
        </p>
        <Foreign id={`${id}-who`} className="font-medium">
          {untrustedText(prompt.subjectName, NAME_LENGTH) || t("consent.noName")}
        </Foreign>
      </div>
      <Heading
        ref={headingRef}
        tabIndex={-1}
        aria-describedby={host ? `${id}-who ${id}-host` : `${id}-who`}
        className={level === 1 ? "text-head font-semibold" : "text-read font-semibold"}
      >
        {t.any(`consent.effect.${effect}`)}
      </Heading>
      {host !== "" && <Host id={`${id}-host`} host={host} large={level === 1} />}
      {!compact && <p className="text-muted">{t.any(`consent.means.${effect}`)}</p>}
      {(detail || pageUrl) && (
        <dl className="flex flex-col gap-2">
          {detail && (
            <Fact name={t("consent.detail")}>
              <Foreign mono>{untrustedText(detail, DETAIL_LENGTH[size])}</Foreign>
            </Fact>
          )}
          {pageUrl && (
            <Fact name={t("consent.page")}>
              <Foreign mono>{untrustedText(pageUrl, PAGE_LENGTH[size])}</Foreign>
            </Fact>
          )}
        </dl>
      )}
    </div>
  );
}

/** The host in full: as it is sent, what it stands for, and a warning when that may deceive. */
function Host({ id, host, large }: { id: string; host: string; large: boolean }) {
  const t = useT();
  const { ascii, readable, warning } = hostName(host);
  return (
    <div className="flex flex-col gap-1.5">
      <Foreign id={id} mono className={cx("py-1.5 font-semibold", large && "text-head")}>
        {ascii}
      </Foreign>
      {readable && (
        <p className="text-small text-muted">
          {t("consent.readable")} <bdi className="font-mono text-code text-fg">{readable}</bdi>
        </p>
      )}
      {warning && (
        <p className="flex gap-1.5 text-small text-warn">
          <TriangleAlert size={12} aria-hidden="true" className="mt-0.5 shrink-0" />
          {t.any(`consent.warning.${warning}`)}
        </p>
      )}
    </div>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col gap-0.5">
      <dt className="text-small text-muted">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}

/** Text that is not ours. */
function Foreign(props: { children: ReactNode; id?: string; mono?: boolean; className?: string }) {
  return (
    <p
      id={props.id}
      className={cx(
        "max-w-full self-start overflow-hidden rounded-inner border border-line bg-sunken px-1.5 py-0.5 break-words",
        props.mono && "font-mono text-code",
        props.className,
      )}
    >
      <bdi>{props.children}</bdi>
    </p>
  );
}
