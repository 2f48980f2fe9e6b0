import { BOOT_NAME, type BootPayload } from "./boot-protocol";

/**
 * Text around a script's code. The code starts on the first line, so that its line numbers are those of the file; the
 * outer function is called with the granted values and has returned before the code runs, so that `arguments` of no function
 * on the stack holds them. User code stays sloppy, as userscripts expect; the token is an argument of a strict function only.
 */
export function wrapIsolated(
  token: string,
  payload: BootPayload,
  test: TestSource | null,
  code: string,
): string {
  const head = `this[${literal(BOOT_NAME)}].run(${literal(token)},${literal(payload)},`;
  return `${head}${factory(payload.names, code)},${testOf(test)})${tail(payload.source)}`;
}

/** Said in a registration entry of its own before the code: a syntax error in the code that follows is then known to be its. */
export function announce(token: string): string {
  return `this[${literal(BOOT_NAME)}].expect(${literal(token)})`;
}

/** The same for the page's own world, which has no runtime: `prelude` is an expression, a function of payload and factory. */
export function wrapPage(
  prelude: string,
  payload: BootPayload,
  test: TestSource | null,
  code: string,
): string {
  return `(${prelude})(${literal(payload)},${factory(payload.names, code)},${testOf(test)})${tail(payload.source)}`;
}

/** The test of an address: `tester` is an expression, a function that makes it of serialized rules. */
export interface TestSource {
  tester: string;
  rules: unknown;
}

/** Carried only by the scripts that need it, since most do without. */
function testOf(test: TestSource | null): string {
  return test ? `(${test.tester})(${literal(test.rules)})` : "null";
}

function factory(names: readonly string[], code: string): string {
  return `function(${names.join(",")}){return function(){${code}\n}}`;
}

function tail(source: string): string {
  return `\n//# sourceURL=${source}`;
}

/** The address under which DevTools and stack traces show the script. */
export function sourceUrl(uuid: string, name: string): string {
  return `moggy-script:///${uuid}/${encodeURIComponent(name.toWellFormed())}.user.js`;
}

/** A value as JavaScript source on one line. JSON is a subset of JavaScript; `<` needs no care since this is never HTML. */
function literal(value: unknown): string {
  return JSON.stringify(value);
}
