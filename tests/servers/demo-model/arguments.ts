import { type Offered, offeredBy, valueNamed } from "./offered";
import { keywords } from "./words";

type Schema = Record<string, unknown>;

/**
 * Builds arguments that the schema allows from the words of a request: named and quoted values, URLs, numbers, names
 * after a preposition; else the schema's own default, const, example or first enum value.
 * Keywords read: type, properties, required, enum, const, default, examples, items, minItems, maxItems, minimum,
 * maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, minLength, maxLength, pattern (to choose, not to invent), format, anyOf, oneOf, allOf, $ref to
 * the schema's own $defs.
 */
export function buildArguments(schema: Schema, request: string): unknown {
  return build(schema, "", { root: schema, offered: offeredBy(request), required: true, depth: 0 });
}

interface Context {
  root: Schema;
  offered: Offered;
  required: boolean;
  depth: number;
}

/** A schema that refers to itself ends here. */
const MAX_DEPTH = 12;

/** The value for a schema; undefined when it is optional and the request says nothing about it. */
function build(given: Schema, name: string, context: Context): unknown {
  if (context.depth > MAX_DEPTH) return undefined;
  const schema = resolved(given, context.root);
  if ("const" in schema) return context.required ? schema.const : undefined;
  if (Array.isArray(schema.enum)) return choose(schema, context);
  switch (typeOf(schema)) {
    case "object":
      return objectOf(schema, context);
    case "array":
      return listOf(schema, name, context);
    case "integer":
    case "number":
      return numberOf(schema, context);
    case "boolean":
      return booleanOf(schema, name, context);
    case "null":
      return context.required ? null : undefined;
    default:
      return stringOf(schema, name, context);
  }
}

function resolved(schema: Schema, root: Schema): Schema {
  if (typeof schema.$ref === "string" && schema.$ref.startsWith("#/")) {
    let target: unknown = root;
    for (const part of schema.$ref.slice(2).split("/")) target = isObject(target) ? target[part] : undefined;
    if (!isObject(target)) throw new Error(`the schema refers to ${schema.$ref}, which it does not define`);
    return resolved(target, root);
  }
  const choices = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(choices)) {
    const options = choices.filter(isObject);
    const first = options.find((option) => option.type !== "null") ?? options[0];
    if (first) {
      const { anyOf: _any, oneOf: _one, ...rest } = schema;
      return resolved({ ...rest, ...first }, root);
    }
  }
  if (Array.isArray(schema.allOf)) {
    const { allOf, ...rest } = schema;
    return (allOf as unknown[])
      .filter(isObject)
      .reduce<Schema>((merged, part) => merge(merged, resolved(part, root)), rest);
  }
  return schema;
}

function merge(a: Schema, b: Schema): Schema {
  const merged = { ...a, ...b };
  if (isObject(a.properties) && isObject(b.properties))
    merged.properties = { ...a.properties, ...b.properties };
  if (Array.isArray(a.required) && Array.isArray(b.required))
    merged.required = [...a.required, ...b.required];
  return merged;
}

function typeOf(schema: Schema): string {
  if (Array.isArray(schema.type)) return String(schema.type.find((type) => type !== "null") ?? "null");
  if (typeof schema.type === "string") return schema.type;
  if (isObject(schema.properties)) return "object";
  return isObject(schema.items) ? "array" : "string";
}

function choose(schema: Schema, { offered, required }: Context): unknown {
  const options = schema.enum as unknown[];
  const said = new Set(keywords(offered.text));
  const text = offered.text.toLowerCase();
  const mentioned = options.find((option) => {
    const word = String(option).toLowerCase();
    return said.has(word) || (word.length > 2 && text.includes(word));
  });
  if (mentioned !== undefined) return mentioned;
  if ("default" in schema) return required ? schema.default : undefined;
  return required ? options[0] : undefined;
}

function objectOf(schema: Schema, context: Context): unknown {
  const properties = Object.entries(isObject(schema.properties) ? schema.properties : {});
  const required = new Set(Array.isArray(schema.required) ? schema.required.map(String) : []);
  // Required ones choose first: an optional one must not take the only value that the sentence offers.
  properties.sort(([a], [b]) => Number(required.has(b)) - Number(required.has(a)));
  const built: Record<string, unknown> = {};
  const fill = (asRequired: boolean) => {
    for (const [name, part] of properties) {
      if (!isObject(part) || built[name] !== undefined) continue;
      const must = asRequired && required.has(name);
      const value = build(part, name, { ...context, required: must, depth: context.depth + 1 });
      if (value !== undefined) built[name] = value;
    }
  };
  if (!context.required) {
    // An optional object is worth making only when the sentence says something that goes into it.
    fill(false);
    if (Object.keys(built).length === 0) return undefined;
  }
  fill(true);
  return built;
}

function listOf(schema: Schema, name: string, context: Context): unknown {
  const items = isObject(schema.items) ? schema.items : {};
  const least = typeof schema.minItems === "number" ? schema.minItems : 0;
  const most = typeof schema.maxItems === "number" ? schema.maxItems : Number.POSITIVE_INFINITY;
  const list: unknown[] = [];
  while (list.length < most) {
    const value = build(items, name, {
      ...context,
      required: list.length < least,
      depth: context.depth + 1,
    });
    // An element that takes nothing from the sentence comes again and again: the least number of it is enough.
    if (
      value === undefined ||
      (list.length >= least && JSON.stringify(value) === JSON.stringify(list.at(-1)))
    )
      break;
    list.push(value);
  }
  if (list.length > 0) return list;
  return context.required ? (schema.default ?? []) : undefined;
}

function numberOf(schema: Schema, { offered, required }: Context): unknown {
  const at = offered.numbers.findIndex((value) => allowed(value, schema));
  if (at >= 0) return offered.numbers.splice(at, 1)[0];
  if (!required) return undefined;
  if (typeof schema.default === "number") return schema.default;
  const step = typeof schema.multipleOf === "number" ? schema.multipleOf : 1;
  const low = Number(schema.minimum ?? schema.exclusiveMinimum ?? Number.NEGATIVE_INFINITY);
  const high = Number(schema.maximum ?? schema.exclusiveMaximum ?? Number.POSITIVE_INFINITY);
  const middle = Number.isFinite(low) && Number.isFinite(high) ? (low + high) / 2 : undefined;
  const candidates = [
    1,
    0,
    Math.ceil(low / step) * step,
    (Math.floor(low / step) + 1) * step,
    Math.floor(high / step) * step,
  ];
  candidates.push((Math.ceil(high / step) - 1) * step, low, high, middle ?? 0);
  return candidates.find((value) => Number.isFinite(value) && allowed(value, schema)) ?? 0;
}

function allowed(value: number, schema: Schema): boolean {
  if (typeOf(schema) === "integer" && !Number.isSafeInteger(value)) return false;
  if (typeof schema.minimum === "number" && value < schema.minimum) return false;
  if (typeof schema.maximum === "number" && value > schema.maximum) return false;
  if (typeof schema.exclusiveMinimum === "number" && value <= schema.exclusiveMinimum) return false;
  if (typeof schema.exclusiveMaximum === "number" && value >= schema.exclusiveMaximum) return false;
  return typeof schema.multipleOf !== "number" || Number.isInteger(value / schema.multipleOf);
}

function booleanOf(schema: Schema, name: string, { offered, required }: Context): unknown {
  const said = new Set(keywords(offered.text));
  if (name && keywords(name.replace(/_/g, " ")).some((word) => said.has(word))) return true;
  if (!required) return undefined;
  return typeof schema.default === "boolean" ? schema.default : false;
}

const FORMATS: Record<string, string> = {
  date: "2025-01-01",
  "date-time": "2025-01-01T12:00:00Z",
  time: "12:00:00Z",
  email: "demo@example.com",
  uuid: "00000000-0000-4000-8000-000000000000",
  uri: "https://example.com/",
  url: "https://example.com/",
};

/** Properties that want the request itself. */
const WHOLE =
  /^(q|query|text|prompt|question|message|input|content|request|goal|instructions?|search|expression)$/i;

function stringOf(schema: Schema, name: string, context: Context): unknown {
  const { offered, required } = context;
  const format = typeof schema.format === "string" ? schema.format : "";
  const fitting = (value: string | undefined): value is string => value !== undefined && fits(value, schema);
  if (format === "uri" || format === "url" || /url|uri|link|href/i.test(name)) {
    const url = offered.urls.shift();
    if (fitting(url)) return url;
    if (!required) return undefined;
    return schema.default ?? FORMATS.uri;
  }
  if (format in FORMATS) return required ? (schema.default ?? FORMATS[format]) : undefined;
  const named = name === "" ? undefined : valueNamed(name, offered.text);
  if (fitting(named)) return named;
  const free = [offered.quoted, ...(required ? [offered.places] : [])].find((values) => fitting(values[0]));
  if (free) return free.shift();
  if (!required) return undefined;
  if (typeof schema.default === "string") return schema.default;
  if (Array.isArray(schema.examples) && typeof schema.examples[0] === "string") return schema.examples[0];
  const topic = WHOLE.test(name) ? offered.text : keywords(offered.text).join(" ") || offered.text;
  return sized(topic, schema);
}

function fits(value: string, schema: Schema): boolean {
  const { length } = [...value];
  if (typeof schema.minLength === "number" && length < schema.minLength) return false;
  if (typeof schema.pattern === "string" && !new RegExp(schema.pattern, "u").test(value)) return false;
  return typeof schema.maxLength !== "number" || length <= schema.maxLength;
}

function sized(text: string, schema: Schema): string {
  const least = typeof schema.minLength === "number" ? schema.minLength : 0;
  const most = typeof schema.maxLength === "number" ? schema.maxLength : Number.POSITIVE_INFINITY;
  const points = [...text].slice(0, most);
  return points.join("") + "x".repeat(Math.max(0, least - points.length));
}

function isObject(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
