import type { Page } from "playwright-core";
import { type TestBrowser, userscript } from "./browser";

type Header = Record<string, string | string[]>;

/**
 * A userscript that a test can tell what to do in a page: it runs the code that it is sent where its own code runs, with the
 * granted names and what `setup` declared in scope. Its answers are JSON; `show(value)` makes text of what JSON has no form for.
 * @param name small letters; also the script's name
 * @param setup code that runs first, at the script's own time
 */
export function probeScript(name: string, header: Header, setup = ""): string {
  return userscript(
    { match: "*://*/*", "run-at": "document-start", ...header, name },
    `${SHOW}
${setup}
document.addEventListener("probe-${name}", (event) => {
  const { id, code } = JSON.parse(event.detail);
  const answer = (outcome) =>
    document.dispatchEvent(new CustomEvent("probe-${name}-" + id, { detail: JSON.stringify(outcome) }));
  const failed = (error) => answer({ error: { name: String(error?.name), message: String(error?.message ?? error) } });
  try {
    eval("(async () => {" + code + "\\n})()").then((value) => answer({ value: value === undefined ? null : value }), failed);
  } catch (error) {
    failed(error);
  }
});
document.documentElement.setAttribute("data-probe-${name}", "ready");`,
  );
}

/** Text that tells values apart which JSON would make alike. */
const SHOW = `const show = (value) => {
  const kind = Object.prototype.toString.call(value).slice(8, -1);
  if (Object.is(value, -0)) return "-0";
  if (value === null || /^(Undefined|Number|Boolean)$/.test(kind)) return String(value);
  if (kind === "BigInt") return value + "n";
  if (kind === "String") return JSON.stringify(value);
  if (kind === "Date") return "Date(" + value.getTime() + ")";
  if (kind === "RegExp") return String(value);
  if (kind === "Array") return "[" + Array.from(value, show).join(",") + "]";
  if (kind === "Map") return "Map(" + show([...value]) + ")";
  if (kind === "Set") return "Set(" + show([...value]) + ")";
  if (kind === "ArrayBuffer") return "ArrayBuffer(" + [...new Uint8Array(value)] + ")";
  if (ArrayBuffer.isView(value)) return kind + "(" + [...value] + ")";
  return kind + "{" + Object.entries(value).map(([k, v]) => k + ":" + show(v)).join(",") + "}";
};`;

/** Installs a probe and answers with its uuid. */
export async function installProbe(
  browser: TestBrowser,
  name: string,
  header: Header,
  setup = "",
): Promise<string> {
  const { uuid } = await browser.eval<{ uuid: string }>("eval:installScript", {
    code: probeScript(name, header, setup),
  });
  return uuid;
}

/**
 * Runs code in a probe: the body of an async function, whose result comes back as JSON. An error that it throws is thrown here,
 * with its name and message.
 */
export async function probe<T = unknown>(page: Page, name: string, code: string): Promise<T> {
  await probeReady(page, name);
  const text = await page.evaluate(
    ([event, sent]) =>
      new Promise<string>((resolve) => {
        const id = String(Math.random());
        document.addEventListener(`${event}-${id}`, (e) => resolve((e as CustomEvent<string>).detail), {
          once: true,
        });
        document.dispatchEvent(new CustomEvent(event, { detail: JSON.stringify({ id, code: sent }) }));
      }),
    [`probe-${name}`, code] as const,
  );
  const { value, error } = JSON.parse(text) as { value: T; error?: { name: string; message: string } };
  if (error) throw Object.assign(new Error(error.message), { name: error.name });
  return value;
}

/** The same without an answer: for code after which the page is gone. The probe must be ready. */
export async function tellProbe(page: Page, name: string, code: string): Promise<void> {
  await page.evaluate(
    ([event, sent]) =>
      document.dispatchEvent(new CustomEvent(event, { detail: JSON.stringify({ id: "", code: sent }) })),
    [`probe-${name}`, code] as const,
  );
}

/** Waits until the probe has run in the page. */
export async function probeReady(page: Page, name: string): Promise<void> {
  await page.locator(`:root[data-probe-${name}]`).waitFor({ state: "attached" });
}
