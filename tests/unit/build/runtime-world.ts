import vm from "node:vm";
import { exposedNames } from "@/userscripts/grants";

/** A user-script world without a browser: what the runtime needs of one, and the frames that it sends. */
export interface World {
  /** Evaluates code as a registration does. */
  evaluate(code: string): unknown;
  /** Runs a script with these grants and returns what it was given, by name. */
  run(grants: readonly string[]): Record<string, unknown>;
  /** Methods that were called or opened over the port. */
  readonly sent: string[];
}

export function createWorld(): World {
  const sent: string[] = [];
  const event = { addListener: () => undefined };
  const port = {
    postMessage: ({ f }: { f?: { m?: string } }) => void (f?.m && sent.push(f.m)),
    onMessage: event,
    onDisconnect: event,
  };
  const context = vm.createContext({
    chrome: { runtime: { connect: () => port } },
    document: { readyState: "complete", visibilityState: "visible", addEventListener: () => undefined },
    location: { href: "https://a.test/" },
    addEventListener: () => undefined,
    console,
    setTimeout,
    queueMicrotask,
    AbortController,
    Blob,
    Response,
    TextDecoder,
    URL,
    atob,
    btoa,
  });
  let scripts = 0;
  return {
    sent,
    evaluate: (code) => vm.runInContext(code, context),
    run(grants) {
      const names = exposedNames(grants);
      const payload = {
        uuid: `uuid-${++scripts}`,
        names,
        info: { script: { name: "Test", grant: grants } },
        at: "registered",
        snapshot: '{"k":"1"}',
        revision: 1,
        source: "test.user.js",
      };
      const given: Record<string, unknown> = {};
      context.given = given;
      const collect = `{${names.map((name) => `${JSON.stringify(name)}: ${name}`).join(",")}}`;
      vm.runInContext(
        `this["moggy:boot"].run("token", ${JSON.stringify(payload)}, function (${names.join(",")}) {
          return function () { Object.assign(given, ${collect}); };
        }, null)`,
        context,
      );
      return given;
    },
  };
}
