import { ArrowLeft } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Link } from "wouter";
import { useT } from "@/locales/react";
import { Loading, Skeleton } from "@/ui/Skeleton";
import { ErrorState } from "@/ui/States";
import { useServices } from "../../connect";
import { FailedCall } from "../../shared/FailedCall";
import { useCall } from "../../use-call";
import { PageHead } from "../PageHead";
import { EMPTY_FORM, formOf } from "./form";
import { ModelFormView } from "./ModelFormView";
import { PRESETS } from "./presets";

/** A new model: first where it comes from, then the form. */
export function ModelNewPage() {
  const t = useT();
  const [preset, setPreset] = useState(PRESETS[0]);
  const start = preset
    ? { ...EMPTY_FORM, provider: preset.provider, apiBaseUrl: preset.apiBaseUrl, name: "" }
    : EMPTY_FORM;
  return (
    <Shell title={t("models.add")}>
      <fieldset>
        <legend className="mb-2 font-medium">{t("models.preset")}</legend>
        <div className="flex flex-wrap gap-2">
          {PRESETS.map((one) => (
            <label
              key={one.id}
              className="inline-flex h-8 cursor-pointer items-center rounded-ui border border-line px-3 transition-colors hover:bg-hover has-checked:border-accent has-checked:bg-accent-soft has-checked:text-accent-fg has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus"
            >
              <input
                type="radio"
                name="preset"
                className="sr-only"
                checked={one === preset}
                onChange={() => setPreset(one)}
              />
              {one.name || t("models.preset.custom")}
            </label>
          ))}
        </div>
        {preset?.hint && <p className="mt-2 text-muted">{t.any(preset.hint)}</p>}
      </fieldset>
      <ModelFormView key={preset?.id} start={start} needsKey={preset?.needsKey ?? false} />
    </Shell>
  );
}

/** A stored model. Its key is never shown: a new one can be typed over it. */
export function ModelEditPage({ id }: { id: string }) {
  const t = useT();
  const { models } = useServices();
  const list = useCall(models, "list", {});
  const model = list.data?.find((one) => one.id === id);
  if (list.error) {
    return (
      <Shell title={t("common.edit")}>
        <FailedCall title={t("models.failed.list")} error={list.error} onRetry={list.reload} />
      </Shell>
    );
  }
  if (!list.data) {
    return (
      <Shell title={t("common.edit")}>
        <Loading label={t("common.loading")} className="flex max-w-xl flex-col gap-4">
          {["a", "b", "c", "d"].map((key) => (
            <Skeleton key={key} className="h-12 w-full" />
          ))}
        </Loading>
      </Shell>
    );
  }
  if (!model) {
    return (
      <Shell title={t("common.edit")}>
        <ErrorState title={t("models.gone")} why={t("models.gone.why")} todo={t("models.gone.todo")} />
      </Shell>
    );
  }
  return (
    <Shell title={model.name}>
      <ModelFormView start={formOf(model)} stored={model} needsKey={false} />
    </Shell>
  );
}

function Shell({ title, children }: { title: string; children: ReactNode }) {
  const t = useT();
  return (
    <section aria-label={title} className="flex flex-col gap-5">
      <PageHead
        back={
          <Link
            href="/models"
            className="inline-flex items-center gap-1 self-start rounded-inner text-muted hover:text-fg"
          >
            <ArrowLeft size={16} aria-hidden="true" />
            {t("nav.models")}
          </Link>
        }
        title={title}
      />
      {children}
    </section>
  );
}
