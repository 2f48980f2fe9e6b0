import { providerOf } from "./client";
import { modelError, parseJson } from "./errors/model-failure";
import { isRecord } from "./errors/vendor-error";
import { ModelError, type ResolvedModel } from "./types";
import { hostFetch, readText } from "./wire/model-fetch";

/** A list longer than this is cut off: nobody chooses from it by eye, and names can be typed. */
const MAX_MODELS = 2_000;
const MAX_PAGES = 20;
const BODY_MAX = 8 * 1024 * 1024;

export interface ListDeps {
  fetch: typeof fetch;
  now?(): number;
}

/**
 * The names of the models that a host offers, from `GET {base}/models`: a list under `data` (OpenAI, Anthropic, in pages) or
 * `models`, or a bare one, of objects with an `id` or a `name`, or of names. In the order of the host, each once.
 * @throws ModelError; an abort passes through
 */
export async function listModels(
  model: ResolvedModel,
  deps: ListDeps,
  signal?: AbortSignal,
): Promise<string[]> {
  const provider = providerOf(model);
  const host = { fetch: deps.fetch, now: deps.now ?? Date.now };
  const names = new Set<string>();
  let url: string | null = pageUrl(model, provider.listQuery);
  for (let page = 0; url && page < MAX_PAGES && names.size < MAX_MODELS; page += 1) {
    const response = await hostFetch(host, model, url, { headers: provider.headers(model), signal });
    const body = parseJson(await readText(response, BODY_MAX));
    const entries = entriesOf(body);
    if (!entries) throw modelError({ failure: "not-an-api", status: response.status }, model);
    const before = names.size;
    for (const name of entries) names.add(name);
    // A host that answers every page alike would otherwise be asked for ever.
    const next = names.size > before && isRecord(body) && body.has_more === true ? body.last_id : undefined;
    url =
      typeof next === "string"
        ? pageUrl(model, `${provider.listQuery || "?"}&after_id=${encodeURIComponent(next)}`)
        : null;
  }
  return [...names].slice(0, MAX_MODELS);
}

function pageUrl(model: ResolvedModel, query: string): string {
  return `${model.apiBaseUrl}/models${query}`;
}

function entriesOf(body: unknown): string[] | null {
  const list = Array.isArray(body) ? body : isRecord(body) ? (body.data ?? body.models) : undefined;
  if (!Array.isArray(list)) return null;
  return list.flatMap((entry: unknown) => {
    const name = isRecord(entry) ? (entry.id ?? entry.name ?? entry.model) : entry;
    return typeof name === "string" && name ? [name] : [];
  });
}

/** True when `error` says that a host was reached and is an API, though it did not give its list. */
export function isApiAnswer(error: unknown): boolean {
  return error instanceof ModelError && ["key", "rate-limit", "quota"].includes(error.failure);
}
