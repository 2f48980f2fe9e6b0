import { Bot, EllipsisVertical, FlaskConical, Pencil, Plus, Star, Text, Trash2 } from "lucide-react";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import type { ModelConfigView } from "@/agent/contract/models";
import { useT } from "@/locales/react";
import { Badge } from "@/ui/Badge";
import { Button, buttonClass, IconButton } from "@/ui/Button";
import { AlertDialog } from "@/ui/Dialog";
import { Menu } from "@/ui/Menu";
import { Loading, Skeleton } from "@/ui/Skeleton";
import { EmptyState } from "@/ui/States";
import { useServices } from "../../connect";
import { FailedCall } from "../../shared/FailedCall";
import { useAct } from "../../shared/use-act";
import { useCall } from "../../use-call";
import { useChanges } from "../../use-stream";
import { PageHead } from "../PageHead";
import { formOf, inputOf } from "./form";
import { TestResult } from "./TestResult";
import { useModelTest } from "./use-model-test";

/** The models that scripts can talk to; the default is what a script gets that names none. */
export function ModelList() {
  const t = useT();
  const { models } = useServices();
  const changes = useChanges(models);
  const list = useCall(models, "list", {}, changes);
  const [removing, setRemoving] = useState<ModelConfigView | null>(null);
  const act = useAct();
  const data = list.data;
  const add = (
    <Link href="/models/new" className={buttonClass("primary")}>
      <Plus size={16} aria-hidden="true" />
      {t("models.add")}
    </Link>
  );
  return (
    <section aria-label={t("nav.models")} className="flex flex-col gap-4">
      <PageHead title={t("nav.models")} actions={data?.length === 0 ? null : add} />
      {list.error && (
        <FailedCall
          title={t("models.failed.list")}
          error={list.error}
          onRetry={list.reload}
          compact={!!data}
        />
      )}
      {data?.length !== 0 && !list.error && <p className="max-w-2xl text-muted">{t("models.intro")}</p>}
      {list.loading && !list.error && <RowSkeletons />}
      {data?.length === 0 && (
        <EmptyState
          icon={<Bot size={32} strokeWidth={1.5} aria-hidden="true" />}
          title={t("models.empty.title")}
          action={add}
        >
          <p>{t("models.empty.text")}</p>
        </EmptyState>
      )}
      {data && data.length > 0 && (
        <ul aria-label={t("models.list")} className="rounded-ui border border-line">
          {data.map((model) => (
            <ModelRow key={model.id} model={model} onRemove={() => setRemoving(model)} />
          ))}
        </ul>
      )}
      <AlertDialog
        open={removing !== null}
        title={t("models.remove.title", { name: removing?.name ?? "" })}
        description={t(removing?.isDefault ? "models.remove.default" : "models.remove.text")}
        confirm={t("models.remove.confirm")}
        onClose={() => setRemoving(null)}
        onConfirm={() => {
          if (!removing) return;
          const { id, name } = removing;
          void act(t("models.failed.remove", { name }), () => models.call("remove", { id }));
        }}
      />
    </section>
  );
}

function ModelRow({ model, onRemove }: { model: ModelConfigView; onRemove(): void }) {
  const t = useT();
  const { models } = useServices();
  const [, navigate] = useLocation();
  const act = useAct();
  const test = useModelTest();
  const open = `/models/${model.id}`;
  const makeDefault = () =>
    void act(t("models.failed.default", { name: model.name }), () =>
      models.call("setDefault", { id: model.id }),
    );
  const toggleSummary = () =>
    void act(t("models.failed.summary", { name: model.name }), () =>
      models.call("setSummary", { id: model.isSummary ? "" : model.id }),
    );
  return (
    <li className="flex flex-col gap-3 border-line px-3 py-3 transition-colors not-first:border-t">
      <div className="relative flex min-w-0 items-center gap-3">
        <Bot size={16} aria-hidden="true" className="shrink-0 text-faint max-sm:hidden" />
        <div className="flex min-w-0 grow flex-col">
          <div className="flex min-w-0 flex-wrap items-center gap-x-2">
            <Link href={open} className="truncate font-medium hover:underline">
              {model.name}
            </Link>
            {model.isDefault && <Badge tone="accent">{t("models.default")}</Badge>}
            {model.isSummary && <Badge>{t("models.summary")}</Badge>}
          </div>
          <p className="truncate text-small text-faint">
            {[model.model, hostOf(model.apiBaseUrl), keyState(t, model)].join(" · ")}
          </p>
        </div>
        <Button
          busy={test.running}
          icon={<FlaskConical size={16} aria-hidden="true" />}
          onClick={() => test.run(inputOf(formOf(model)))}
        >
          {test.running ? t("models.testing") : t("models.test")}
        </Button>
        <Menu
          trigger={
            <IconButton label={t("models.more", { name: model.name })}>
              <EllipsisVertical size={16} aria-hidden="true" />
            </IconButton>
          }
          groups={[
            [
              {
                label: t("models.makeDefault"),
                icon: <Star size={16} aria-hidden="true" />,
                disabled: model.isDefault,
                onSelect: makeDefault,
              },
              {
                label: t(model.isSummary ? "models.dropSummary" : "models.makeSummary"),
                icon: <Text size={16} aria-hidden="true" />,
                onSelect: toggleSummary,
              },
              {
                label: t("common.edit"),
                icon: <Pencil size={16} aria-hidden="true" />,
                onSelect: () => navigate(open),
              },
            ],
            [
              {
                label: t("models.removeMenu"),
                icon: <Trash2 size={16} aria-hidden="true" />,
                danger: true,
                onSelect: onRemove,
              },
            ],
          ]}
        />
      </div>
      <div aria-live="polite" className="empty:hidden">
        {test.result && <TestResult result={test.result} />}
        {test.error && <FailedCall title={t("models.failed.test")} error={test.error} compact />}
      </div>
    </li>
  );
}

function keyState(t: ReturnType<typeof useT>, model: ModelConfigView): string {
  if (!model.hasKey) return t("models.noKey");
  return model.keyHint ? t("models.keyEnds", { hint: model.keyHint }) : t("models.hasKey");
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address;
}

function RowSkeletons() {
  const t = useT();
  return (
    <Loading label={t("common.loading")} className="rounded-ui border border-line">
      {["a", "b"].map((key) => (
        <div key={key} className="flex items-center gap-3 border-line px-3 py-3 not-first:border-t">
          <div className="flex grow flex-col gap-2 py-1">
            <Skeleton className="h-3.5 w-40" />
            <Skeleton className="h-3 w-64" />
          </div>
          <Skeleton className="h-8 w-20" />
        </div>
      ))}
    </Loading>
  );
}
