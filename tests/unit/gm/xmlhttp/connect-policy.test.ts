import { describe, expect, it, vi } from "vitest";
import { type ConnectPolicy, type ConnectVerdict, judgeConnect } from "@/gm/xmlhttp/connect-policy";
import { questionOf, refusalOf } from "@/gm/xmlhttp/connect-question";
import type { ScriptCaller } from "@/rpc/caller";

const PAGE = "https://www.page.test";

async function allowed(url: string, connects: string[], pageOrigin = PAGE): Promise<boolean> {
  try {
    return (await judgeConnect(new URL(url), policyOf(connects, pageOrigin))).allowed;
  } catch (error) {
    expect(error).toMatchObject({ name: "PermissionDeniedError" });
    return false;
  }
}

function policyOf(connects: string[], pageOrigin = PAGE): ConnectPolicy {
  return {
    scriptName: "My script",
    connects,
    pageOrigin,
    sameSite: async (a, b) => a.split(".").slice(-2).join(".") === b.split(".").slice(-2).join("."),
  };
}

async function verdict(
  url: string,
  connects: string[],
  pageOrigin = PAGE,
): Promise<Extract<ConnectVerdict, { allowed: false }>> {
  const found = await judgeConnect(new URL(url), policyOf(connects, pageOrigin));
  if (found.allowed) throw new Error(`${url} is allowed`);
  return found;
}

describe("@connect", () => {
  it("speaks of a page only to a script that has one", async () => {
    expect((await verdict("https://a.test/", [])).why).toContain("only the site of its page (www.page.test)");
    expect((await verdict("https://a.test/", [], "")).why).toBe(
      "it has no @connect line, and no page whose site it could reach",
    );
  });

  it.each<[string, string[], boolean]>([
    // Without a line: the page's own site.
    ["https://www.page.test/x", [], true],
    ["http://www.page.test:8080/", [], true],
    ["https://api.page.test/", [], true],
    ["https://page.test/", [], true],
    ["https://other.test/", [], false],
    ["https://page.test.evil.test/", [], false],
    // Hosts, with their subdomains, whatever the port.
    ["https://a.test/", ["a.test"], true],
    ["https://deep.sub.a.test:1234/", ["a.test"], true],
    ["https://nota.test/", ["a.test"], false],
    ["https://a.test.evil.test/", ["a.test"], false],
    ["https://b.test/", ["a.test"], false],
    ["https://a.test/", ["A.TEST"], true],
    ["https://a.test./", ["a.test"], true],
    ["https://a.test/", ["*.a.test"], true],
    ["https://x.a.test/", ["*.a.test"], true],
    ["https://a.test/", ["https://a.test:8080/path"], true],
    ["https://xn--mnchen-3ya.test/", ["münchen.test"], true],
    // With lines, the site is no longer enough, the own host always is.
    ["https://api.page.test/", ["a.test"], false],
    ["https://www.page.test/", ["a.test"], true],
    ["https://www.page.test/", ["self"], true],
    ["https://sub.www.page.test/", ["self"], true],
    ["https://page.test/", ["self"], false],
    // Everything public.
    ["https://anything.test/", ["*"], true],
    ["https://8.8.8.8/", ["*"], true],
    ["https://8.8.8.8/", ["8.8.8.8"], true],
    ["https://8.8.8.8/", ["8.8"], false],
    ["https://9.8.8.8/", ["8.8.8"], false],
    // The person's own machine and network only by name.
    ["http://localhost:3000/", ["*"], false],
    ["http://127.0.0.1/", ["*"], false],
    ["http://192.168.0.1/", ["*"], false],
    ["http://[::1]/", ["*"], false],
    ["http://169.254.169.254/latest/meta-data", ["*"], false],
    ["http://router/", ["*"], false],
    ["http://localhost:3000/", ["localhost"], true],
    ["http://app.localhost/", ["localhost"], true],
    ["http://127.0.0.1/", ["localhost"], false],
    ["http://127.0.0.1:9/", ["127.0.0.1"], true],
    ["http://2130706433/", ["127.0.0.1"], true],
    ["http://0x7f.1/", ["127.0.0.1"], true],
    ["http://127.0.0.2/", ["127.0.0.1"], false],
    ["http://[::1]/", ["::1"], true],
    ["http://[::1]/", ["[::1]"], true],
    ["http://[::ffff:127.0.0.1]/", ["127.0.0.1"], false],
    ["http://nas.local/", ["*", "nas.local"], true],
    ["http://a.nas.local/", ["nas.local"], true],
    ["http://nas.local/", ["local", "*.local"], false],
    ["http://tv.home.arpa/", ["home.arpa", "arpa"], false],
    // Never.
    ["file:///etc/passwd", ["*"], false],
    ["chrome-extension://abc/x", ["*"], false],
    ["data:text/plain,x", ["*"], false],
    ["blob:https://www.page.test/1", ["*"], false],
    ["ftp://a.test/", ["a.test"], false],
    // What names no host is no line.
    ["https://a.test/", ["???", ""], false],
  ])("%s with lines %j", async (url, connects, expected) => {
    expect(await allowed(url, connects)).toBe(expected);
  });

  it.each<[string, string, string[], boolean]>([
    ["http://localhost:5000/", "http://localhost:3000", [], true],
    ["http://127.0.0.1:5000/", "http://127.0.0.1:3000", [], true],
    ["http://127.0.0.1:5000/", "http://127.0.0.1:3000", ["self"], true],
    ["http://127.0.0.1:5000/", "http://localhost:3000", [], false],
    ["http://b.localhost/", "http://a.localhost", [], false],
    ["http://192.168.0.2/", "http://192.168.0.1", ["*"], false],
    ["https://a.test/", "null", [], false],
    ["https://a.test/", "null", ["self"], false],
    ["https://a.test/", "file://", [], false],
    ["https://a.test/", "null", ["a.test"], true],
  ])("%s from a page of %s with lines %j", async (url, origin, connects, expected) => {
    expect(await allowed(url, connects, origin)).toBe(expected);
  });

  it.each([
    ["https://api.b.test/", ["a.test"], "connect", "api.b.test"],
    ["https://b.test./", [], "connect", "b.test"],
    ["https://MÜNCHEN.test/", [], "connect", "xn--mnchen-3ya.test"],
    ["http://[::1]:80/", ["*"], "connect-private", "[::1]"],
    ["http://2130706433/", [], "connect-private", "127.0.0.1"],
    ["http://nas.local/", ["a.test"], "connect-private", "nas.local"],
  ])("%s with lines %j is asked for as %s to %s", async (url, connects, effect, host) => {
    expect(await verdict(url, connects)).toMatchObject({ effect, host });
  });

  it("what nobody can allow is not asked for", async () => {
    await expect(judgeConnect(new URL("file:///etc/passwd"), policyOf([]))).rejects.toMatchObject({
      name: "PermissionDeniedError",
    });
  });

  it("a refusal says script, host and the line to add, and where a lasting answer is changed", async () => {
    const refused = async (url: string, connects: string[]) =>
      refusalOf(
        {
          ...(await verdict(url, connects)),
          target: { url: new URL(url), method: "GET" },
          policy: policyOf(connects),
        },
        "denied",
      );
    const refusal = await refused("https://api.b.test/x?y", ["a.test"]);
    expect(refusal).toMatchObject({
      name: "PermissionDeniedError",
      code: "connect_denied",
      data: { host: "api.b.test" },
    });
    expect(refusal.message).toMatch(
      /^"My script".*https:\/\/api\.b\.test\/x\?y.*Consent page.*\/\/ @connect api\.b\.test$/,
    );
    expect((await refused("http://[::1]:80/", ["*"])).message).toMatch(
      /"\*" does not count.*@connect \[::1\]$/,
    );
    expect((await refused("https://b.test/", [])).message).toMatch(/no @connect line.*www\.page\.test/);
  });

  it("an unanswered question is another error, and the question names caller and address as the worker knows them", async () => {
    const found = await verdict("https://user:pw@api.b.test:8443/x", []);
    const url = new URL("https://api.b.test:8443/x");
    const question = { ...found, target: { url, method: "POST" }, policy: policyOf([]) };
    expect(refusalOf(question, "waiting")).toMatchObject({
      name: "ConsentWaitingError",
      message: expect.stringContaining("Consent page"),
    });
    const caller = { uuid: "u", documentId: "d", tabId: 7, url: `${PAGE}/here` } as ScriptCaller;
    expect(questionOf(question, caller)).toEqual({
      subject: "script:u",
      subjectName: "My script",
      effect: "connect",
      host: "api.b.test",
      detail: "POST https://api.b.test:8443/x",
      runId: "d",
      pageUrl: `${PAGE}/here`,
      tabId: 7,
    });
  });

  it("does not load the list of suffixes for what needs no list", async () => {
    const sameSite = vi.fn(async () => true);
    const policy = { scriptName: "s", pageOrigin: PAGE, sameSite };
    await judgeConnect(new URL(PAGE), { ...policy, connects: [] });
    await judgeConnect(new URL("https://a.test/"), { ...policy, connects: ["a.test"] });
    expect(sameSite).not.toHaveBeenCalled();
  });
});
