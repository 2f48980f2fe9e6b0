/**
 * A contract is written once, beside its service, and both halves take their types from it: the client through
 * `import type`, so that no schema is shipped into pages, and the server at run time for the check at the trust boundary.
 */

/** What a contract needs of a schema: any zod or zod/mini schema fits. */
export interface Parser<T> {
  parse(value: unknown): T;
}

/** Who may call: scripts (by grant), our own pages, the relay, the offscreen document, or the worker (which calls the offscreen document). */
export type Audience = "script" | "page" | "relay" | "offscreen" | "worker";

export interface CallSpec<I, O> {
  kind: "call";
  input: Parser<I>;
  /** Grants of which a script needs at least one. Left out: any identified script. */
  grants?: readonly string[];
  readonly output?: O;
}

export interface StreamSpec<I, T> {
  kind: "stream";
  input: Parser<I>;
  grants?: readonly string[];
  readonly output?: T;
}

// biome-ignore lint/suspicious/noExplicitAny: a bound for inference only; no value of this type is ever read.
export type AnySpec = CallSpec<any, any> | StreamSpec<any, any>;

export interface Contract<
  N extends string = string,
  M extends Record<string, AnySpec> = Record<string, AnySpec>,
> {
  name: N;
  audience: Audience;
  methods: M;
}

/** Declares a contract: `contract("gm.values", "script", { write: call(schema, grants).returns<Ack>() })`. */
export function contract<N extends string, M extends Record<string, AnySpec>>(
  name: N,
  audience: Audience,
  methods: M,
): Contract<N, M> {
  return { name, audience, methods };
}

/** A method that answers once. */
export function call<I>(input: Parser<I>, grants?: readonly string[]) {
  return { returns: <O>(): CallSpec<I, O> => ({ kind: "call", input, grants }) };
}

/** A method that answers with a stream of items. */
export function stream<I>(input: Parser<I>, grants?: readonly string[]) {
  return { yields: <T>(): StreamSpec<I, T> => ({ kind: "stream", input, grants }) };
}

export type InputOf<S> = S extends CallSpec<infer I, unknown> | StreamSpec<infer I, unknown> ? I : never;
export type OutputOf<S> =
  S extends CallSpec<infer _I, infer O> ? O : S extends StreamSpec<infer _J, infer T> ? T : never;

type CallNames<M> = { [K in keyof M]: M[K] extends { kind: "call" } ? K : never }[keyof M] & string;
type StreamNames<M> = { [K in keyof M]: M[K] extends { kind: "stream" } ? K : never }[keyof M] & string;

export interface CallOptions {
  signal?: AbortSignal;
  /** Sent again by itself when the worker died during it: only for calls that may take effect twice without harm. */
  repeatable?: boolean;
}

export interface StreamOptions<I, T> {
  signal?: AbortSignal;
  /**
   * After a worker death the stream is opened again with what this returns for the last item that came; left out, or where it returns
   * null, the stream ends with DisconnectedError.
   */
  resume?: (last: T | undefined) => I | null;
}

/** The typed client of a contract. */
export interface Client<C extends Contract> {
  call<M extends CallNames<C["methods"]>>(
    method: M,
    input: InputOf<C["methods"][M]>,
    options?: CallOptions,
  ): Promise<OutputOf<C["methods"][M]>>;
  stream<M extends StreamNames<C["methods"]>>(
    method: M,
    input: InputOf<C["methods"][M]>,
    options?: StreamOptions<InputOf<C["methods"][M]>, OutputOf<C["methods"][M]>>,
  ): AsyncIterableIterator<OutputOf<C["methods"][M]>>;
}

/** The handlers of a contract. `Ctx` is what the server knows of the caller. */
export type Handlers<C extends Contract, Ctx> = {
  [M in keyof C["methods"]]: C["methods"][M] extends { kind: "call" }
    ? (
        input: InputOf<C["methods"][M]>,
        ctx: Ctx,
      ) => Promise<OutputOf<C["methods"][M]>> | OutputOf<C["methods"][M]>
    : (input: InputOf<C["methods"][M]>, ctx: Ctx) => AsyncIterable<OutputOf<C["methods"][M]>>;
};
