import type { ConsentAsker } from "@/consent/types";
import { isLocalHost, plainHost } from "@/gm/xmlhttp/address";
import { followRedirects } from "@/gm/xmlhttp/redirects";
import type { FetchHop } from "@/platform/redirects";
import { NamedError } from "@/rpc/errors";
import type { NetProfile } from "./service";

/** Who asks, where a page is read for an agent. */
const SUBJECT = { subject: "run:web_fetch", subjectName: "web_fetch" } as const;

/**
 * Reading the public web: no cookies, so that nothing of the person's logged-in pages is in what a model reads. Each host of their own
 * computer or network needs their word, also after a redirect; when they take it back, what is under way ends.
 */
export function webProfile(fetchHop: FetchHop, consent: Pick<ConsentAsker, "ask">): NetProfile {
  return {
    async send(request, signal) {
      if (!URL.canParse(request.url)) throw new NamedError("TypeError", `"${request.url}" is no address.`);
      const revoked = new AbortController();
      const all = AbortSignal.any([signal, revoked.signal]);
      const init = {
        method: request.method,
        headers: new Headers(request.headers),
        body: request.body ?? undefined,
        signal: all,
        credentials: "omit",
        referrerPolicy: "no-referrer",
      } satisfies RequestInit;
      const check = async (url: URL) => {
        if (url.protocol !== "http:" && url.protocol !== "https:") {
          throw new NamedError(
            "PermissionDeniedError",
            `Only http: and https: addresses can be read, not ${url.protocol}`,
          );
        }
        if (!isLocalHost(url.hostname)) return;
        const host = plainHost(url.hostname);
        const detail = `${request.method} ${url.href}`;
        const reply = await consent.ask(
          { ...SUBJECT, effect: "connect-private", host, detail },
          { signal: all },
        );
        if (reply.outcome !== "allowed") throw refused(host, reply.outcome);
        // Until the request is over: what allowed it outlives it.
        reply.signal.addEventListener("abort", () => revoked.abort(reply.signal.reason), { signal: all });
      };
      return followRedirects(new URL(request.url), init, { fetchHop, check });
    },
  };
}

function refused(host: string, outcome: "denied" | "waiting"): NamedError {
  const where = `${host} is on this computer or in its network`;
  return outcome === "waiting"
    ? new NamedError(
        "ConsentWaitingError",
        `${where}, and nobody answered the question whether it may be read. The question rests on the Consent page; try again once it is answered.`,
        { code: "consent_waiting", data: { host } },
      )
    : new NamedError(
        "PermissionDeniedError",
        `${where}, and the answer to the question whether it may be read was no. A lasting answer can be changed on the Consent page.`,
        { code: "connect_denied", data: { host } },
      );
}
