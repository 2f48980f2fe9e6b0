import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isLocalHost } from "@/gm/xmlhttp/address";

const hostOf = (host: string) => new URL(`http://${host}/`).hostname;
const local = (host: string) => isLocalHost(hostOf(host));

describe("local addresses", () => {
  it.each([
    "localhost",
    "LOCALHOST",
    "localhost.",
    "a.b.localhost",
    "printer",
    "printer.local",
    "nas.lan",
    "x.internal",
    "router.home.arpa",
    "127.0.0.1",
    "127.0.0.1.",
    "127.1",
    "2130706433",
    "0x7f000001",
    "0x7f.1",
    "0177.0.0.1",
    "127.255.255.254",
    "0.0.0.0",
    "0",
    "10.1.2.3",
    "100.64.0.1",
    "100.127.255.255",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "192.0.0.8",
    "198.18.0.1",
    "198.19.255.255",
    "224.0.0.251",
    "255.255.255.255",
    "240.0.0.1",
    "[::]",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::ffff:10.0.0.1]",
    "[::127.0.0.1]",
    "[::ffff:0:192.168.0.1]",
    "[64:ff9b::a00:1]",
    "[64:ff9b:1::1]",
    "[2002:7f00:1::]",
    "[2002:c0a8:101::1]",
    "[2001:0:1::1]",
    "[fc00::1]",
    "[fdff:ffff::1]",
    "[fe80::1]",
    "[febf::1]",
    "[fec0::1]",
    "[ff02::fb]",
  ])("%s is", (host) => {
    expect(local(host)).toBe(true);
  });

  it.each([
    "example.com",
    "localhost.example.com",
    "local.example.com",
    "127.0.0.1.example.com",
    "home.arpa.example.com",
    "8.8.8.8",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "126.255.255.255",
    "128.0.0.1",
    "169.253.255.255",
    "172.15.255.255",
    "172.32.0.0",
    "192.0.1.0",
    "192.167.255.255",
    "192.169.0.0",
    "198.17.255.255",
    "198.20.0.0",
    "223.255.255.255",
    "[2001:db8::1]",
    "[2606:4700::1111]",
    "[::ffff:8.8.8.8]",
    "[64:ff9b::808:808]",
    "[2002:808:808::1]",
    "[fe00::1]",
    "[fbff::1]",
  ])("%s is not", (host) => {
    expect(local(host)).toBe(false);
  });

  it("holds for an IPv4 address in every spelling and in its IPv6 forms", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), (bits) => {
        const parts = [24, 16, 8, 0].map((shift) => Math.floor(bits / 2 ** shift) % 256);
        const dotted = parts.join(".");
        const expected = local(dotted);
        const hex = (n: number) => n.toString(16);
        const groups = `${hex(Math.floor(bits / 65536))}:${hex(bits % 65536)}`;
        const spellings = [
          `${bits}`,
          `0x${hex(bits)}`,
          parts.map((part) => `0${part.toString(8)}`).join("."),
          parts.map((part) => `0x${hex(part)}`).join("."),
          `[::ffff:${dotted}]`,
          `[::ffff:${groups}]`,
          `[64:ff9b::${groups}]`,
          `[2002:${groups}::1]`,
        ];
        for (const spelling of spellings) expect(local(spelling), spelling).toBe(expected);
      }),
    );
  });
});
