/**
 * The platform-neutral names that `agent/core` may use: the part of the web platform that browsers, workers and
 * Node all have. The DOM and chrome.* are left out on purpose, so that core cannot reach for them by accident.
 */
interface AbortSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
  addEventListener(type: "abort", listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: "abort", listener: () => void): void;
}
declare const AbortSignal: {
  abort(reason?: unknown): AbortSignal;
  timeout(ms: number): AbortSignal;
  any(signals: AbortSignal[]): AbortSignal;
};
declare class AbortController {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}
declare class DOMException extends Error {
  constructor(message?: string, name?: string);
}
interface Headers {
  get(name: string): string | null;
  set(name: string, value: string): void;
  delete(name: string): void;
  has(name: string): boolean;
  forEach(callback: (value: string, key: string) => void): void;
}
declare const Headers: { new (init?: Record<string, string> | Headers): Headers };
interface ReadableStreamDefaultReader<T> {
  read(): Promise<{ done: false; value: T } | { done: true; value?: undefined }>;
  cancel(reason?: unknown): Promise<void>;
  releaseLock(): void;
}
interface ReadableStream<T = unknown> {
  getReader(): ReadableStreamDefaultReader<T>;
  pipeThrough<U>(transform: { readable: ReadableStream<U>; writable: unknown }): ReadableStream<U>;
  cancel(reason?: unknown): Promise<void>;
}
interface ReadableStreamDefaultController<T> {
  readonly desiredSize: number | null;
  enqueue(chunk: T): void;
  close(): void;
  error(reason: unknown): void;
}
declare const ReadableStream: {
  new <T>(source: {
    start?(controller: ReadableStreamDefaultController<T>): void | Promise<void>;
    pull?(controller: ReadableStreamDefaultController<T>): void | Promise<void>;
    cancel?(reason: unknown): void | Promise<void>;
  }): ReadableStream<T>;
};
interface TransformStreamDefaultController<T> {
  enqueue(chunk: T): void;
  error(reason: unknown): void;
  terminate(): void;
}
declare class TransformStream<I = unknown, O = unknown> {
  constructor(transformer?: {
    transform?(chunk: I, controller: TransformStreamDefaultController<O>): void | Promise<void>;
    flush?(controller: TransformStreamDefaultController<O>): void | Promise<void>;
  });
  readonly readable: ReadableStream<O>;
  readonly writable: unknown;
}
interface RequestInit {
  method?: string;
  headers?: Record<string, string> | Headers;
  body?: unknown;
  signal?: AbortSignal | null;
  cache?: string;
  redirect?: string;
  credentials?: string;
}
interface Response {
  readonly ok: boolean;
  readonly status: number;
  readonly type: string;
  readonly statusText: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: ReadableStream<Uint8Array> | null;
  text(): Promise<string>;
  json(): Promise<unknown>;
}
declare const Response: { new (body?: ReadableStream<Uint8Array> | string | null, init?: { status?: number; headers?: Record<string, string> | Headers }): Response };
interface URL {
  href: string;
  origin: string;
  protocol: string;
  hostname: string;
  host: string;
  pathname: string;
  search: string;
}
declare const URL: { new (url: string, base?: string): URL; canParse(url: string): boolean };
declare class TextEncoder {
  encode(text: string): Uint8Array;
}
declare class TextDecoder {
  decode(bytes?: Uint8Array, options?: { stream?: boolean }): string;
}
declare function fetch(input: string | URL, init?: RequestInit): Promise<Response>;
declare function setTimeout(callback: () => void, ms?: number): number;
declare function clearTimeout(id: number | undefined): void;
declare function queueMicrotask(callback: () => void): void;
declare const crypto: { randomUUID(): string };
declare const performance: { now(): number };
declare const console: { debug(...args: unknown[]): void; warn(...args: unknown[]): void; error(...args: unknown[]): void };
