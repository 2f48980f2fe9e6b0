import type { ModelConfigView, ModelInput, ProviderId } from "@/agent/contract/models";
import type { MessageKey } from "@/locales/catalogue";

/** The form as typed: all text. */
export interface ModelForm {
  id?: string;
  name: string;
  provider: ProviderId;
  apiBaseUrl: string;
  /** "" leaves the stored key as it is. */
  apiKey: string;
  /** The stored key goes away. */
  dropKey: boolean;
  model: string;
  maxTokens: string;
  contextWindow: string;
  supportsVision: boolean;
}

export const EMPTY_FORM: ModelForm = {
  name: "",
  provider: "openai-compatible",
  apiBaseUrl: "",
  apiKey: "",
  dropKey: false,
  model: "",
  maxTokens: "",
  contextWindow: "",
  supportsVision: false,
};

export function formOf(view: ModelConfigView): ModelForm {
  return {
    id: view.id,
    name: view.name,
    provider: view.provider,
    apiBaseUrl: view.apiBaseUrl,
    apiKey: "",
    dropKey: false,
    model: view.model,
    maxTokens: view.maxTokens === undefined ? "" : String(view.maxTokens),
    contextWindow: view.contextWindow === undefined ? "" : String(view.contextWindow),
    supportsVision: view.supportsVision ?? false,
  };
}

export type FormErrors = Partial<Record<keyof ModelForm, MessageKey>>;

/** What is wrong with a form, field by field. `forList`: only what asking the endpoint for its models needs. */
export function checkForm(form: ModelForm, forList = false): FormErrors {
  const errors: FormErrors = {};
  const url = form.apiBaseUrl.trim();
  if (url === "") errors.apiBaseUrl = "models.invalid.urlMissing";
  else if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    errors.apiBaseUrl = "models.invalid.url";
  if (forList) return errors;
  if (form.model.trim() === "") errors.model = "models.invalid.model";
  for (const field of ["maxTokens", "contextWindow"] as const) {
    if (form[field].trim() !== "" && readCount(form[field]) === null) errors[field] = "models.invalid.count";
  }
  return errors;
}

/** What the worker takes. Call only when checkForm has nothing to say. */
export function inputOf(form: ModelForm): ModelInput {
  const model = form.model.trim();
  return {
    id: form.id,
    name: form.name.trim() || model || form.apiBaseUrl.trim(),
    provider: form.provider,
    apiBaseUrl: form.apiBaseUrl.trim(),
    apiKey: form.dropKey ? "" : form.apiKey.trim() || undefined,
    model,
    maxTokens: readCount(form.maxTokens) ?? undefined,
    contextWindow: readCount(form.contextWindow) ?? undefined,
    supportsVision: form.supportsVision || undefined,
  };
}

/** A whole number above 0; "8k", "200 000" and "200,000" are understood. Null when it is none. */
export function readCount(text: string): number | null {
  const [, digits, unit] = /^(\d+)(k|m)?$/i.exec(text.replace(/[\s,_.]/g, "")) ?? [];
  if (digits === undefined) return null;
  const factor = unit === undefined ? 1 : unit.toLowerCase() === "k" ? 1_000 : 1_000_000;
  const count = Number(digits) * factor;
  return Number.isSafeInteger(count) && count > 0 ? count : null;
}
