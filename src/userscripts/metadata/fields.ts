import { excerpt } from "./header";
import { type Problem, problem } from "./problems";
import type { Antifeature, InjectInto, RawEntry, RunAt, SandboxMode, ScriptMetadata } from "./types";

const RUN_AT: readonly RunAt[] = [
  "document-start",
  "document-body",
  "document-end",
  "document-idle",
  "context-menu",
];
const INJECT_INTO: readonly InjectInto[] = ["auto", "page", "content"];
const SANDBOX: readonly SandboxMode[] = ["raw", "JavaScript", "DOM"];
/** A BCP 47 tag, loosely. */
const LOCALE = /^[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8})*$/;
const DEFAULT_RUN_AT: RunAt = "document-idle";

/** What a key's handler gets: the metadata being filled, and where to say what is wrong. */
interface Target {
  meta: ScriptMetadata;
  /** Lower-case names of single-valued fields that are already set. */
  set: Set<string>;
  problems: Problem[];
}
type Handler = (target: Target, entry: RawEntry, locale: string | undefined) => void;

/** The fields whose type is T. */
type FieldsOf<T> = {
  [K in keyof ScriptMetadata]-?: ScriptMetadata[K] extends T ? K : never;
}[keyof ScriptMetadata];
type TextField = Exclude<FieldsOf<string | undefined>, "runAt" | "injectInto" | "sandbox">;
type FlagField = FieldsOf<boolean>;
type ListField = FieldsOf<string[]>;

/** True when the field is still free; the first line of a single-valued key wins. */
function claim(target: Target, field: string, entry: RawEntry): boolean {
  if (target.set.has(field)) {
    target.problems.push(
      problem("key.duplicate", entry.line, { key: entry.key, value: excerpt(entry.value) }),
    );
    return false;
  }
  target.set.add(field);
  return true;
}

const text =
  (field: TextField): Handler =>
  (target, entry) => {
    if (claim(target, field, entry)) target.meta[field] = entry.value;
  };

const flag =
  (field: FlagField): Handler =>
  (target) => {
    target.meta[field] = true;
  };

const list =
  (field: ListField): Handler =>
  (target, entry) => {
    const values = target.meta[field];
    if (!values.includes(entry.value)) values.push(entry.value);
  };

/** Tags may stand on one line, separated by blanks or commas. */
const tags: Handler = (target, entry) => {
  for (const tag of entry.value.split(/[\s,，]+/)) {
    if (tag !== "" && !target.meta.tags.includes(tag)) target.meta.tags.push(tag);
  }
};

const localized =
  (field: "name" | "description", byLocale: "names" | "descriptions"): Handler =>
  (target, entry, locale) => {
    if (locale === undefined) text(field)(target, entry, locale);
    else if (claim(target, `${field}:${locale}`, entry)) target.meta[byLocale][locale] = entry.value;
  };

/** A value of which only the first word counts. */
function firstWord(target: Target, entry: RawEntry): string {
  const [word = "", ...rest] = entry.value.split(/\s+/);
  if (rest.length > 0) {
    const params = { key: entry.key, value: excerpt(word), extra: excerpt(rest.join(" ")) };
    target.problems.push(problem("value.extra", entry.line, params));
  }
  return word;
}

function choice<F extends "runAt" | "injectInto" | "sandbox">(
  field: F,
  allowed: readonly NonNullable<ScriptMetadata[F]>[],
): Handler {
  return (target, entry) => {
    if (!claim(target, entry.key, entry)) return;
    const value = firstWord(target, entry);
    const known = allowed.find((candidate) => candidate.toLowerCase() === value.toLowerCase());
    if (known !== undefined) {
      target.meta[field] = known;
      return;
    }
    const used = target.meta[field] ?? "-";
    const params = { key: entry.key, value: excerpt(value), allowed: allowed.join(", "), used };
    target.problems.push(problem("value.unknown", entry.line, params));
  };
}

const word =
  (field: ListField): Handler =>
  (target, entry) => {
    const value = firstWord(target, entry);
    if (!target.meta[field].includes(value)) target.meta[field].push(value);
  };

/** `@connect` names a host; a whole URL is understood as its host. */
const connect: Handler = (target, entry) => {
  let host = firstWord(target, entry).toLowerCase();
  if (host.includes("://") && URL.canParse(host)) host = new URL(host).hostname;
  if (!target.meta.connects.includes(host)) target.meta.connects.push(host);
};

function isWebUrl(value: string): boolean {
  return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}

const updateUrl =
  (field: "updateURL" | "downloadURL"): Handler =>
  (target, entry) => {
    const { value } = entry;
    const isNone = value.toLowerCase() === "none";
    if (!isNone && !isWebUrl(value)) {
      target.problems.push(problem("url.invalid", entry.line, { key: entry.key, value: excerpt(value) }));
    } else if (claim(target, field, entry)) {
      target.meta[field] = isNone ? "none" : value;
    }
  };

const requirement =
  (field: "requires" | "requireCss"): Handler =>
  ({ meta }, { value }) => {
    if (!meta[field].some(({ url }) => url === value)) meta[field].push({ url: value });
  };

const resource: Handler = ({ meta, problems }, entry) => {
  const [, name = "", url = ""] = /^(\S+)\s+(.+)$/.exec(entry.value) ?? [];
  if (url === "") {
    problems.push(problem("resource.incomplete", entry.line, { value: excerpt(entry.value) }));
  } else if (meta.resources.some((known) => known.name === name)) {
    problems.push(problem("resource.duplicate", entry.line, { name: excerpt(name) }));
  } else {
    meta.resources.push({ name, url });
  }
};

const antifeature: Handler = ({ meta }, entry, locale) => {
  const [, type = "", description = ""] = /^(\S+)(?:\s+(.*))?$/.exec(entry.value) ?? [];
  const found: Antifeature = { type, description };
  if (locale !== undefined) found.locale = locale;
  meta.antifeatures.push(found);
};

const TEXTS = [
  "namespace",
  "version",
  "author",
  "license",
  "icon",
  "icon64",
  "homepage",
  "supportURL",
  "storageName",
  "crontab",
] as const;
const ALIASES = [
  ["iconURL", "icon"],
  ["defaulticon", "icon"],
  ["icon64URL", "icon64"],
  ["homepageURL", "homepage"],
  ["website", "homepage"],
  ["source", "homepage"],
] as const;
const FLAGS = [
  ["noframes", "noframes"],
  ["background", "background"],
  ["unwrap", "unwrap"],
  ["top-level-await", "topLevelAwait"],
  ["early-start", "earlyStart"],
] as const;
const CHOICES = [
  ["run-at", "runAt", RUN_AT],
  ["inject-into", "injectInto", INJECT_INTO],
  ["sandbox", "sandbox", SANDBOX],
] as const;

const KEYS = new Map<string, Handler>([
  ...TEXTS.map((key): [string, Handler] => [key, text(key)]),
  ...ALIASES.map(([key, field]): [string, Handler] => [key, text(field)]),
  ...FLAGS.map(([key, field]): [string, Handler] => [key, flag(field)]),
  ...CHOICES.map(([key, field, allowed]): [string, Handler] => [key, choice(field, allowed)]),
  ["name", localized("name", "names")],
  ["description", localized("description", "descriptions")],
  ["match", list("matches")],
  ["include", list("includes")],
  ["exclude", list("excludes")],
  ["exclude-match", list("excludeMatches")],
  ["run-in", word("runIn")],
  ["grant", word("grants")],
  ["connect", connect],
  ["require", requirement("requires")],
  ["require-css", requirement("requireCss")],
  ["resource", resource],
  ["updateURL", updateUrl("updateURL")],
  ["downloadURL", updateUrl("downloadURL")],
  ["antifeature", antifeature],
  ["tag", tags],
]);
const LOCALIZED = new Set(["name", "description", "antifeature"]);
const VALUELESS = new Set<string>(FLAGS.map(([key]) => key));
const BY_LOWER_CASE = new Map([...KEYS.keys()].map((key) => [key.toLowerCase(), key]));

function emptyMetadata(raw: RawEntry[]): ScriptMetadata {
  return {
    name: "",
    names: {},
    descriptions: {},
    matches: [],
    includes: [],
    excludes: [],
    excludeMatches: [],
    noframes: false,
    runAt: DEFAULT_RUN_AT,
    runIn: [],
    injectInto: "auto",
    grants: [],
    connects: [],
    requires: [],
    requireCss: [],
    resources: [],
    antifeatures: [],
    tags: [],
    background: false,
    unwrap: false,
    topLevelAwait: false,
    earlyStart: false,
    raw,
  };
}

/** Gives the lines of a metadata block their meaning. A missing `@name` leaves `name` empty. */
export function readFields(raw: RawEntry[], problems: Problem[]): ScriptMetadata {
  const target: Target = { meta: emptyMetadata(raw), set: new Set(), problems };
  for (const entry of raw) {
    const colon = entry.key.indexOf(":");
    const base = colon < 0 ? entry.key : entry.key.slice(0, colon);
    const locale = colon < 0 ? undefined : entry.key.slice(colon + 1);
    const handler = locale === undefined || LOCALIZED.has(base) ? KEYS.get(base) : undefined;
    if (!handler) {
      const expected = locale === undefined ? BY_LOWER_CASE.get(base.toLowerCase()) : undefined;
      if (expected) problems.push(problem("key.case", entry.line, { key: excerpt(base), expected }));
    } else if (locale !== undefined && !LOCALE.test(locale)) {
      problems.push(problem("key.locale", entry.line, { key: excerpt(entry.key) }));
    } else if (entry.value === "" && !VALUELESS.has(base)) {
      problems.push(problem("value.missing", entry.line, { key: entry.key }));
    } else {
      handler(target, entry, locale);
    }
  }
  settleGrants(target);
  return target.meta;
}

/** `@grant none` beside real grants asks for two things at once; the real ones win. */
function settleGrants({ meta, problems }: Target): void {
  const real = meta.grants.filter((grant) => grant !== "none");
  if (real.length === 0 || real.length === meta.grants.length) return;
  const line = meta.raw.find((entry) => entry.key === "grant" && /^none\b/.test(entry.value))?.line ?? 0;
  problems.push(problem("grant.none-with-others", line, { grants: real.join(", ") }));
  meta.grants = real;
}
