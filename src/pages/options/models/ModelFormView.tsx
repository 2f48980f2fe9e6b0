import { FlaskConical } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { Link, useLocation } from "wouter";
import type { ModelConfigView } from "@/agent/contract/models";
import { useT } from "@/locales/react";
import { Button, buttonClass } from "@/ui/Button";
import { Field, Input } from "@/ui/Field";
import { Select } from "@/ui/Select";
import { useToast } from "@/ui/Toast";
import { useServices } from "../../connect";
import { FailedCall } from "../../shared/FailedCall";
import { checkForm, type FormErrors, inputOf, type ModelForm } from "./form";
import { KeyField } from "./KeyField";
import { ModelNameField } from "./ModelNameField";
import { TestResult } from "./TestResult";
import { useModelTest } from "./use-model-test";

export interface ModelFormViewProps {
  start: ModelForm;
  /** The config as stored, when it is one. */
  stored?: ModelConfigView;
  /** A key is expected: its field says so. */
  needsKey: boolean;
}

/** Address, key, model and limits; a test with what is typed, then save. */
export function ModelFormView({ start, stored, needsKey }: ModelFormViewProps) {
  const t = useT();
  const { models } = useServices();
  const [, navigate] = useLocation();
  const toast = useToast();
  const test = useModelTest();
  const [form, setForm] = useState(start);
  const [errors, setErrors] = useState<FormErrors>({});
  const [saving, setSaving] = useState(false);
  const [failure, setFailure] = useState<Error | null>(null);
  const formId = useId();

  const set = (patch: Partial<ModelForm>): void => {
    setForm((old) => ({ ...old, ...patch }));
    // What was said about a field does not hold for what is typed into it now.
    setErrors((old) => Object.fromEntries(Object.entries(old).filter(([field]) => !(field in patch))));
    // Nor does what came of a test or of saving; a name is no part of what is asked.
    if (Object.keys(patch).some((field) => field !== "name")) test.cancel();
    setFailure(null);
  };
  const errorOf = (field: keyof ModelForm): string | null => {
    const key = errors[field];
    return key ? t.any(key) : null;
  };
  const complain = (found: FormErrors): boolean => {
    setErrors(found);
    const [first] = Object.keys(found);
    if (first) document.getElementById(formId)?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
    return first !== undefined;
  };
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (saving || complain(checkForm(form))) return;
    setSaving(true);
    setFailure(null);
    try {
      const saved = await models.call("save", inputOf(form));
      toast({ text: t("models.saved", { name: saved.name }) });
      navigate("/models");
    } catch (error) {
      setFailure(error instanceof Error ? error : new Error(String(error)));
    } finally {
      setSaving(false);
    }
  };

  return (
    <form
      id={formId}
      noValidate
      onSubmit={(event) => void save(event)}
      className="flex max-w-xl flex-col gap-4"
    >
      <Field label={t("models.field.name")} hint={t("models.field.name.hint")}>
        {({ invalid, ...control }) => (
          <Input
            {...control}
            invalid={invalid}
            name="name"
            value={form.name}
            placeholder={form.model}
            autoComplete="off"
            onChange={(event) => set({ name: event.target.value })}
          />
        )}
      </Field>
      <Field label={t("models.field.provider")} hint={t("models.field.provider.hint")}>
        {({ invalid: _, ...control }) => (
          <Select
            {...control}
            value={form.provider}
            onChange={(provider) => set({ provider })}
            options={[
              { value: "openai-compatible", label: t("models.provider.openai-compatible") },
              { value: "anthropic", label: t("models.provider.anthropic") },
            ]}
          />
        )}
      </Field>
      <Field label={t("models.field.url")} hint={t("models.field.url.hint")} error={errorOf("apiBaseUrl")}>
        {(control) => (
          <Input
            {...control}
            name="apiBaseUrl"
            type="url"
            inputMode="url"
            spellCheck={false}
            autoComplete="off"
            placeholder={t("models.field.url.example")}
            value={form.apiBaseUrl}
            onChange={(event) => set({ apiBaseUrl: event.target.value })}
          />
        )}
      </Field>
      <KeyField form={form} stored={stored} needsKey={needsKey} onChange={set} />
      <ModelNameField form={form} error={errorOf("model")} onChange={set} onIncomplete={complain} />
      <Limits form={form} errorOf={errorOf} onChange={set} />
      <div aria-live="polite" className="empty:hidden">
        {test.result && <TestResult result={test.result} onUseUrl={(apiBaseUrl) => set({ apiBaseUrl })} />}
        {test.error && <FailedCall title={t("models.failed.test")} error={test.error} compact />}
        {failure && <FailedCall title={t("models.failed.save")} error={failure} compact />}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" type="submit" busy={saving}>
          {t("common.save")}
        </Button>
        <Button
          busy={test.running}
          icon={<FlaskConical size={16} aria-hidden="true" />}
          onClick={() => !complain(checkForm(form)) && test.run(inputOf(form))}
        >
          {test.running ? t("models.testing") : t("models.test")}
        </Button>
        {test.running && (
          <Button kind="quiet" onClick={test.cancel}>
            {t("models.test.stop")}
          </Button>
        )}
        <Link href="/models" className={buttonClass("quiet")}>
          {t("common.cancel")}
        </Link>
      </div>
    </form>
  );
}

interface LimitsProps {
  form: ModelForm;
  errorOf(field: keyof ModelForm): string | null;
  onChange(patch: Partial<ModelForm>): void;
}

/** What few people change, folded away. */
function Limits({ form, errorOf, onChange }: LimitsProps) {
  const t = useT();
  const filled = form.maxTokens !== "" || form.contextWindow !== "" || form.supportsVision;
  const wrong = errorOf("maxTokens") !== null || errorOf("contextWindow") !== null;
  const [open, setOpen] = useState(filled);
  return (
    <details
      open={open || wrong}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="rounded-ui border border-line p-3"
    >
      <summary className="rounded-inner font-medium">{t("models.more.title")}</summary>
      <div className="mt-3 flex flex-col gap-4">
        <div className="grid gap-4 sm:grid-cols-2">
          {(["maxTokens", "contextWindow"] as const).map((field) => (
            <Field
              key={field}
              label={t(`models.field.${field}`)}
              hint={t(`models.field.${field}.hint`)}
              error={errorOf(field)}
            >
              {(control) => (
                <Input
                  {...control}
                  name={field}
                  inputMode="numeric"
                  autoComplete="off"
                  value={form[field]}
                  onChange={(event) => onChange({ [field]: event.target.value })}
                />
              )}
            </Field>
          ))}
        </div>
        <label className="flex items-center gap-2">
          <input
            type="checkbox"
            className="size-4 accent-accent"
            checked={form.supportsVision}
            onChange={(event) => onChange({ supportsVision: event.target.checked })}
          />
          {t("models.field.vision")}
        </label>
      </div>
    </details>
  );
}
