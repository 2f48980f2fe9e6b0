import { KIT_FUNCTIONS } from "@/gm/clients";
import { takeScriptPort } from "@/platform/script-port";
import { RpcClient } from "@/rpc/client";
import { MuxClient } from "@/rpc/transports/mux";
import {
  BOOT_NAME,
  type Boot,
  type BootPayload,
  type Factory,
  type UrlTest,
} from "@/userscripts/boot-protocol";
import { whenBody } from "./document-state";
import { reportErrors } from "./error-reporter";
import { grantable, grantedValues } from "./granted-values";
import {
  apply,
  create,
  dataProperty,
  defineProperty,
  freeze,
  getOwnPropertyDescriptor,
  SafeMap,
} from "./natives";
import type { RuntimePart } from "./part";
import { createSession, type Session, sendError } from "./session";

/**
 * Evaluated once per user-script world and document, before any script of that world. Leaves one property on the global,
 * by which the registered scripts find it.
 */
export default function start(parts: readonly RuntimePart[]): void {
  if (getOwnPropertyDescriptor(globalThis, BOOT_NAME)) return;
  const all = grantable(
    [...KIT_FUNCTIONS, ...parts.flatMap((part) => part.functions ?? [])],
    Object.assign({}, ...parts.map((part) => part.areas)),
  );
  const mux = new MuxClient(takeScriptPort());
  // By themselves, not by uuid: whoever shares the world can call run() and must not be able to take another's place.
  const sessions = new SafeMap<Session, Session>();
  const expectSyntaxError = reportErrors(sessions);

  const boot: Boot = Object.assign(create(null), {
    expect(token: string) {
      expectSyntaxError((message) => sendError(new RpcClient(() => mux.channel(token)), message, undefined));
    },
    run(token: string, payload: BootPayload, factory: Factory, matches: UrlTest | null) {
      expectSyntaxError(null);
      if (matches?.(location.href) === false) return;
      const session = createSession(payload, new RpcClient(() => mux.channel(token)));
      sessions.set(session, session);
      const execute = () => {
        const code = apply(factory, undefined, grantedValues(payload, session, all)) as () => void;
        apply(code, globalThis, []);
      };
      if (payload.at === "body") whenBody(execute);
      else execute();
    },
    wake: (uuid: string) =>
      sessions.forEach((session) => {
        if (session.uuid === uuid) session.wake();
      }),
  });
  defineProperty(globalThis, BOOT_NAME, dataProperty(freeze(boot)));
}
