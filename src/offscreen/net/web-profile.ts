import { isLocalHost } from "@/gm/xmlhttp/address";
import { followRedirects } from "@/gm/xmlhttp/redirects";
import type { FetchHop } from "@/platform/redirects";
import { NamedError } from "@/rpc/errors";
import type { NetProfile } from "./service";

/**
 * Reading the public web: no cookies, so that nothing of the person's logged-in pages is in what a model reads, and nothing of their own
 * computer or network unless `allowLocal` says so for the host, also after a redirect.
 */
export function webProfile(
  fetchHop: FetchHop,
  allowLocal: (host: string, signal: AbortSignal) => Promise<boolean>,
): NetProfile {
  return {
    async send(request, signal) {
      if (!URL.canParse(request.url)) {
        throw new NamedError("TypeError", `"${request.url}" is no address.`);
      }
      const init = {
        method: request.method,
        headers: new Headers(request.headers),
        body: request.body ?? undefined,
        signal,
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
        if (isLocalHost(url.hostname) && !(await allowLocal(url.hostname, signal))) {
          throw new NamedError(
            "PermissionDeniedError",
            `${url.hostname} is on this computer or in its network. It may be read only with your consent.`,
          );
        }
      };
      return followRedirects(new URL(request.url), init, { fetchHop, check });
    },
  };
}
