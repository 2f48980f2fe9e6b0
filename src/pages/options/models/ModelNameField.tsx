import { RefreshCw } from "lucide-react";
import { useId, useState } from "react";
import { useT } from "@/locales/react";
import { Button } from "@/ui/Button";
import { Field, Input } from "@/ui/Field";
import { useServices } from "../../connect";
import { errorLine } from "../../shared/describe-error";
import { checkForm, type FormErrors, inputOf, type ModelForm } from "./form";

export interface ModelNameFieldProps {
  form: ModelForm;
  error: string | null;
  onChange(patch: Partial<ModelForm>): void;
  /** Shows what is missing before the endpoint can be asked; tells whether something is. */
  onIncomplete(errors: FormErrors): boolean;
}

/** The model's name at its provider, with the names that the endpoint offers as suggestions. */
export function ModelNameField({ form, error, onChange, onIncomplete }: ModelNameFieldProps) {
  const t = useT();
  const { models } = useServices();
  const listId = useId();
  const [names, setNames] = useState<readonly string[] | null>(null);
  const [failure, setFailure] = useState<Error | null>(null);
  const [loading, setLoading] = useState(false);

  const load = async (): Promise<void> => {
    if (loading || onIncomplete(checkForm(form, true))) return;
    setLoading(true);
    setFailure(null);
    try {
      setNames(await models.call("listRemote", inputOf(form)));
    } catch (cause) {
      setFailure(cause instanceof Error ? cause : new Error(String(cause)));
    } finally {
      setLoading(false);
    }
  };

  const hint =
    names === null ? t("models.field.model.hint") : t("models.field.model.found", { n: names.length });
  return (
    <Field
      label={t("models.field.model")}
      hint={<span aria-live="polite">{hint}</span>}
      error={error ?? (failure && errorLine(t, t("models.failed.names"), failure))}
    >
      {(control) => (
        <div className="flex flex-wrap gap-2">
          <Input
            {...control}
            name="model"
            list={listId}
            autoComplete="off"
            spellCheck={false}
            className="min-w-40 flex-1"
            value={form.model}
            onChange={(event) => onChange({ model: event.target.value })}
          />
          <Button
            busy={loading}
            icon={<RefreshCw size={16} aria-hidden="true" />}
            onClick={() => void load()}
          >
            {t("models.names.load")}
          </Button>
          <datalist id={listId}>
            {names?.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </div>
      )}
    </Field>
  );
}
