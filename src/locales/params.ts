/**
 * The parameters of an ICU message, read from its text by the type checker: `"{name} was removed"` asks for `name`.
 * A message with a plural or a select nests braces, which is more than a template type should untangle: it takes any names.
 */
export type Value = string | number | boolean | Date;

type Complex = `${string}, plural,${string}` | `${string}, select,${string}`;

type Names<S extends string> = S extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Id},${string}` ? Id : Name) | Names<Rest>
  : never;

/** What `t` takes after the key: nothing for a message without parameters. */
export type ParamsOf<S extends string> = string extends S
  ? [params?: Record<string, Value>]
  : S extends Complex
    ? [params: Record<string, Value>]
    : [Names<S>] extends [never]
      ? []
      : [params: Record<Names<S>, Value>];
