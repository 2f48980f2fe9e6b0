import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkFolderPath, checkPath, isInside, splitPath } from "@/files/paths";

const refused = (path: string) => {
  try {
    checkPath(path);
  } catch (error) {
    return (error as Error).name;
  }
  return "accepted";
};

describe("checkPath", () => {
  it.each([
    "a",
    "notes/2026-11-30.md",
    "con/fig.txt".replace("con", "conf"),
    "日本語/ファイル.txt",
    "a b/c (1).tar.gz",
    ".hidden",
    "👩‍💻.txt",
    "console.log",
    "com10",
  ])("takes %s", (path) => expect(checkPath(path)).toBe(path.normalize("NFC")));

  it.each([
    ["..", "parent"],
    ["../x", "parent first"],
    ["a/../b", "parent within"],
    ["a/..", "parent last"],
    [".", "here"],
    ["a/./b", "here within"],
    ["/etc/passwd", "absolute"],
    ["//host/share", "share"],
    ["a//b", "empty part"],
    ["a/", "empty last part"],
    ["C:\\x", "drive"],
    ["c:/x", "drive with a slash"],
    ["C:", "drive alone"],
    ["a\\b", "backslash"],
    ["..\\x", "backslash parent"],
    ["a\0b", "NUL"],
    ["a\nb", "line feed"],
    ["a\u007fb", "DEL"],
    ["a\u0085b", "C1"],
    ["a\u202eb", "direction override"],
    ["a.", "trailing dot"],
    ["a /b", "trailing space"],
    ["...", "dots"],
    ["CON", "device"],
    ["x/nul.txt", "device with extension"],
    ["con .txt", "device with spaces before the extension"],
    ["LPT1.tar.gz", "printer"],
    ["com\u00b2", "device with a superscript"],
    ["a:b", "stream of NTFS"],
    ["what?.txt", "question mark"],
    ["a\ud800", "lone surrogate"],
    ["é".repeat(128), "256 bytes"],
    [`${"a/".repeat(520)}a`, "over 1024 bytes"],
  ])("refuses %j (%s)", (path) => expect(refused(path)).toBe("InvalidPathError"));

  it("refuses the empty path, which folders have", () => {
    expect(refused("")).toBe("InvalidPathError");
    expect(checkFolderPath("")).toBe("");
  });

  it("says what is wrong, and shows no more of a path than fits", () => {
    expect(() => checkPath("a/../b")).toThrow("“a/../b” cannot be the path of a file here: “..” leads out");
    expect(() => checkPath("x".repeat(5000))).toThrow(/^“x{120}…” cannot/);
  });

  it("has one spelling for what Unicode writes in two ways, and keeps case", () => {
    expect(checkPath("cafe\u0301")).toBe("caf\u00e9");
    expect(checkPath("A.txt")).not.toBe(checkPath("a.txt"));
    expect(checkPath("K")).toBe("K");
  });

  it("lets nothing through that could leave its folder, and is stable", () => {
    const piece = fc.oneof(
      fc.constantFrom("..", ".", "", "/", "\\", "a", "C:", "\0", "con", " ", "é", "e\u0301", "%2e%2e", "․․"),
      fc.string({ unit: "binary", maxLength: 5 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), fc.constantFrom("/", "", "\\"), (pieces, between) => {
        const path = pieces.join(between);
        let checked: string;
        try {
          checked = checkPath(path);
        } catch (error) {
          expect((error as Error).name).toBe("InvalidPathError");
          return;
        }
        expect(checkPath(checked)).toBe(checked);
        for (const name of checked.split("/")) {
          expect(name).not.toMatch(/^\.{0,2}$|[\\/:*?"<>|]|\p{Cc}|[. ]$/u);
          expect(new TextEncoder().encode(name).length).toBeLessThanOrEqual(255);
        }
        // As a URL parser, which also knows dot segments, sees it.
        const { pathname } = new URL(
          checked
            .split("/")
            .map((name) => encodeURIComponent(name))
            .join("/"),
          "x://h/root/",
        );
        expect(decodeURIComponent(pathname)).toBe(`/root/${checked}`);
      }),
      { numRuns: 2000 },
    );
  });
});

it("splits a path and tells what lies in a folder", () => {
  expect(splitPath("a/b/c")).toEqual({ folder: "a/b", name: "c" });
  expect(splitPath("c")).toEqual({ folder: "", name: "c" });
  expect(isInside("a/b", "a")).toBe(true);
  expect(isInside("ab", "a")).toBe(false);
  expect(isInside("a", "a")).toBe(false);
  expect(isInside("a", "")).toBe(true);
});
