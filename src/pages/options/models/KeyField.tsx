import type { ModelConfigView } from "@/agent/contract/models";
import { useT } from "@/locales/react";
import { Button } from "@/ui/Button";
import { Field, Input } from "@/ui/Field";
import type { ModelForm } from "./form";

export interface KeyFieldProps {
  form: ModelForm;
  stored?: ModelConfigView;
  needsKey: boolean;
  onChange(patch: Partial<ModelForm>): void;
}

/** The API key: it can be written, replaced and removed, never read back. */
export function KeyField({ form, stored, needsKey, onChange }: KeyFieldProps) {
  const t = useT();
  const kept = stored?.hasKey === true && !form.dropKey;
  const hint = form.dropKey
    ? t("models.key.dropped")
    : kept
      ? t("models.key.kept", { hint: stored?.keyHint ?? "" })
      : t(needsKey ? "models.key.needed" : "models.key.optional");
  return (
    <Field label={t("models.field.key")} hint={hint}>
      {({ invalid, ...control }) => (
        <div className="flex gap-2">
          <Input
            {...control}
            invalid={invalid}
            name="apiKey"
            type="password"
            // "new-password" keeps password managers from filling in the person's own.
            autoComplete="new-password"
            spellCheck={false}
            placeholder={kept ? `••••••••${stored?.keyHint ?? ""}` : ""}
            disabled={form.dropKey}
            value={form.apiKey}
            onChange={(event) => onChange({ apiKey: event.target.value })}
          />
          {stored?.hasKey && (
            <Button onClick={() => onChange({ dropKey: !form.dropKey, apiKey: "" })}>
              {t(form.dropKey ? "models.key.keep" : "models.key.drop")}
            </Button>
          )}
        </div>
      )}
    </Field>
  );
}
