import type { ReactNode } from "react";
import { useT } from "@/locales/react";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { Field } from "@/ui/Field";
import { commandKey, Kbd } from "@/ui/Kbd";
import { Card, Fact, Section } from "@/ui/Section";
import { Select } from "@/ui/Select";
import { Skeleton } from "@/ui/Skeleton";
import licence from "../../../../LICENSE?raw";
import { useServices } from "../../connect";
import { FailedCall } from "../../shared/FailedCall";
import { useSettings } from "../../shared/settings";
import { useAct } from "../../shared/use-act";
import { PageHead } from "../PageHead";

/** What this is, how it looks, and what it does with what one gives it. */
export function AboutPage() {
  const t = useT();
  return (
    <section aria-label={t("nav.about")} className="flex max-w-2xl flex-col gap-8">
      <PageHead title={t("nav.about")} />
      <Product />
      <Appearance />
      <Section title={t("about.keys")}>
        <dl className="flex flex-col gap-2">
          <Fact name={t("about.keys.palette")}>
            <Kbd>{commandKey("K")}</Kbd>
          </Fact>
          <Fact name={t("about.keys.search")}>
            <Kbd>/</Kbd>
          </Fact>
          <Fact name={t("about.keys.close")}>
            <Kbd>{t("key.escape")}</Kbd>
          </Fact>
        </dl>
      </Section>
      <Section title={t("about.privacy")}>
        <ul className="flex list-disc flex-col gap-1 pl-5 text-read">
          <li>{t("about.privacy.local")}</li>
          <li>{t("about.privacy.models")}</li>
          <li>{t("about.privacy.keys")}</li>
        </ul>
      </Section>
      <Section title={t("about.licence")}>
        <p>{t("about.licence.text")}</p>
        <details>
          <summary className="rounded-inner font-medium">{t("about.licence.show")}</summary>
          <pre className="mt-2 rounded-ui border border-line bg-sunken p-3 font-mono text-code whitespace-pre-wrap">
            {licence}
          </pre>
        </details>
      </Section>
    </section>
  );
}

function Product() {
  const t = useT();
  const services = useServices();
  const { status } = useSettings();
  const act = useAct();
  if (status.error)
    return <FailedCall title={t("about.failed")} error={status.error} onRetry={status.reload} />;
  const value = (text: ReactNode): ReactNode => (status.data ? text : <Skeleton className="my-1 h-3 w-24" />);
  return (
    <Card className="flex flex-col gap-2 p-4">
      <p className="mb-2 text-read">{t("about.what")}</p>
      <dl className="flex flex-col gap-2">
        <Fact name={t("about.version")}>{value(status.data?.version)}</Fact>
        <Fact name={t("about.browser")}>{value(status.data?.browser)}</Fact>
        <Fact name={t("about.switch")}>
          {value(
            <span className="flex flex-wrap items-center gap-2">
              <Badge tone={status.data?.userScripts ? "ok" : "warn"}>
                {t(status.data?.userScripts ? "state.on" : "state.off")}
              </Badge>
              <Button
                kind="quiet"
                className="-my-1.5"
                onClick={() =>
                  void act(t("switch.openFailed"), () => services.settings.call("openDetails", {}))
                }
              >
                {t("switch.open")}
              </Button>
            </span>,
          )}
        </Fact>
      </dl>
    </Card>
  );
}

function Appearance() {
  const t = useT();
  const { settings, error, update } = useSettings();
  const act = useAct();
  const change = (patch: Parameters<typeof update>[0]) => void act(t("settings.failed"), () => update(patch));
  if (error) return <FailedCall title={t("settings.failedRead")} error={error} compact />;
  return (
    <Section title={t("about.appearance")}>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={t("about.theme")}>
          {({ invalid: _, ...control }) => (
            <Select
              {...control}
              value={settings?.theme ?? "system"}
              onChange={(theme) => change({ theme })}
              options={[
                { value: "system", label: t("about.theme.system") },
                { value: "light", label: t("about.theme.light") },
                { value: "dark", label: t("about.theme.dark") },
              ]}
            />
          )}
        </Field>
        <Field label={t("about.language")}>
          {({ invalid: _, ...control }) => (
            <Select
              {...control}
              value={settings?.language ?? "auto"}
              onChange={(language) => change({ language })}
              options={[
                { value: "auto", label: t("about.language.auto") },
                // A language is named in itself, so that whoever needs it can read it.
                { value: "en", label: "English" },
                { value: "zh-CN", label: "简体中文" },
              ]}
            />
          )}
        </Field>
      </div>
    </Section>
  );
}
