import { describe, expect, it, vi } from "vitest";
import { checkConnect } from "@/gm/xmlhttp/connect-policy";

const PAGE = "https://www.page.test";

async function allowed(url: string, connects: string[], pageOrigin = PAGE): Promise<boolean> {
  try {
    await checkConnect(new URL(url), {
      scriptName: "My script",
      connects,
      pageOrigin,
      sameSite: async (a, b) => a.split(".").slice(-2).join(".") === b.split(".").slice(-2).join("."),
    });
    return true;
  } catch (error) {
    expect(error).toMatchObject({ name: "PermissionDeniedError" });
    return false;
  }
}

describe("@connect", () => {
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

  it("says script, host and the line to add", async () => {
    const check = (url: string, connects: string[]) =>
      checkConnect(new URL(url), {
        scriptName: "My script",
        connects,
        pageOrigin: PAGE,
        sameSite: async () => false,
      });
    await expect(check("https://api.b.test/x?y", ["a.test"])).rejects.toMatchObject({
      message: expect.stringMatching(
        /"My script".*https:\/\/api\.b\.test\/x\?y.*\/\/ @connect api\.b\.test$/,
      ),
      data: { host: "api.b.test" },
    });
    await expect(check("http://[::1]:80/", ["*"])).rejects.toThrow(/"\*" does not count.*@connect \[::1\]$/);
    await expect(check("https://b.test/", [])).rejects.toThrow(/no @connect line.*www\.page\.test/);
  });

  it("does not load the list of suffixes for what needs no list", async () => {
    const sameSite = vi.fn(async () => true);
    const policy = { scriptName: "s", pageOrigin: PAGE, sameSite };
    await checkConnect(new URL(PAGE), { ...policy, connects: [] });
    await checkConnect(new URL("https://a.test/"), { ...policy, connects: ["a.test"] });
    expect(sameSite).not.toHaveBeenCalled();
  });
});
