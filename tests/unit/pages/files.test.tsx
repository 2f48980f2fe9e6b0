// @vitest-environment jsdom
import { Blob as NodeBlob } from "node:buffer";
import { screen, waitFor, within } from "@testing-library/react";
import { manyFiles, someFiles } from "@tests/fixtures/pages/files-data";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { storeUnavailable } from "@/files/errors";
import { imageType, kindOf, textOf } from "@/pages/options/files/preview";
import { sizeInWords } from "@/pages/options/files/size";
import { OptionsApp } from "@/pages/options/OptionsApp";
import { inputsOf, show } from "./harness";

const rows = () =>
  within(screen.getByRole("list", { name: "Files of the workspace" })).getAllByRole("listitem");
const names = () => rows().map((row) => within(row).getAllByRole("button")[0]?.textContent);

// The Blob of jsdom cannot be cloned, as what goes to the worker and back is.
beforeEach(() => void vi.stubGlobal("Blob", NodeBlob));

describe("files page", () => {
  it("shows folders first, reads them when they are opened, and closes them again", async () => {
    const { user, worker } = show(<OptionsApp />, { files: someFiles() }, "#/files");
    const notes = await screen.findByRole("button", { name: "Folder notes" });
    expect(names().slice(0, 2)).toEqual(["notes", "prices"]);
    expect(inputsOf(worker, "files.list")).toEqual([{ place: { area: "workspace", path: "" } }]);
    await user.click(notes);
    await user.click(await screen.findByRole("button", { name: "Folder garden" }));
    await screen.findByRole("button", { name: "Show beans.txt" });
    expect(notes).toHaveAttribute("aria-expanded", "true");
    await user.click(notes);
    expect(screen.queryByRole("button", { name: "Show beans.txt" })).toBeNull();
    expect(await screen.findByRole("meter")).toHaveAccessibleName(/^3\.\d MB of 64 GB used$/);
  });

  it("shows a text, and says so where a file is none", async () => {
    const files = { "workspace/a.txt": "line one", "workspace/b.bin": new Uint8Array([0xff, 0, 1]) };
    const { user } = show(<OptionsApp />, { files }, "#/files");
    await user.click(await screen.findByRole("button", { name: "Show a.txt" }));
    expect(await screen.findByRole("region", { name: "Text of a.txt" })).toHaveTextContent("line one");
    await user.keyboard("{Escape}");
    await user.click(screen.getByRole("button", { name: "Show b.bin" }));
    await screen.findByText("This kind of file cannot be shown here.");
  });

  it("asks before it deletes, and shows what is left", async () => {
    const { user, worker } = show(<OptionsApp />, { files: someFiles() }, "#/files");
    await user.click(await screen.findByRole("button", { name: "More actions for film.mp4" }));
    await user.click(await screen.findByRole("menuitem", { name: "Delete" }));
    const dialog = await screen.findByRole("alertdialog", { name: "Delete the file “film.mp4”?" });
    expect(dialog).toHaveTextContent("It has 2.5 MB.");
    expect(inputsOf(worker, "files.delete")).toEqual([]);
    await user.click(within(dialog).getByRole("button", { name: "Delete" }));
    await waitFor(() => expect(screen.queryByRole("button", { name: "Show film.mp4" })).toBeNull());
    expect(inputsOf(worker, "files.delete")).toMatchObject([
      { place: { area: "workspace", path: "film.mp4" } },
    ]);
  });

  it("says what did not work, with what to do", async () => {
    const failing = { "files.delete": storeUnavailable("its worker does not start.") };
    const { user } = show(<OptionsApp />, { files: someFiles(), failing }, "#/files");
    await user.click(await screen.findByRole("button", { name: "More actions for empty.txt" }));
    await user.click(await screen.findByRole("menuitem", { name: "Delete" }));
    await user.click(await screen.findByRole("button", { name: "Delete" }));
    await screen.findByText(/“empty.txt” was not deleted/);
    expect(screen.getByRole("button", { name: "Show empty.txt" })).toBeVisible();
  });

  it("hands a file to the browser's downloads under its name", async () => {
    const clicked: HTMLAnchorElement[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
      clicked.push(this);
    });
    URL.createObjectURL = vi.fn(() => "blob:made");
    URL.revokeObjectURL = vi.fn();
    const { user } = show(<OptionsApp />, { files: someFiles() }, "#/files");
    await user.click(await screen.findByRole("button", { name: "More actions for pixel.png" }));
    await user.click(await screen.findByRole("menuitem", { name: "Download" }));
    await waitFor(() =>
      expect(clicked.map(({ download, href }) => [download, href])).toEqual([["pixel.png", "blob:made"]]),
    );
  });

  it("says in words what a clean-up came to", async () => {
    const { user, worker } = show(<OptionsApp />, {}, "#/files");
    await screen.findByText("No files yet");
    await user.click(screen.getByRole("button", { name: "Clean up" }));
    await screen.findByText("There was nothing to clean up.");
    worker.state.cleanUp = { attachments: 1, entries: 0, bytes: 1500 };
    await user.click(screen.getByRole("button", { name: "Clean up" }));
    await screen.findByText("1 attachment that nobody needs any more was deleted: 1.5 kB are free again.");
  });

  it("renders the part of a long list that is in sight", async () => {
    show(<OptionsApp />, { files: manyFiles(1_000) }, "#/files");
    await screen.findByRole("button", { name: "Show page-0001.html" });
    expect(rows().length).toBeLessThan(100);
    expect(rows()[0]).toHaveAttribute("aria-setsize", "1000");
  });
});

it("says sizes as people do", () => {
  expect([0, 1, 999, 1000, 12_345, 123_456_789, 5e12].map((n) => sizeInWords("en", n))).toEqual([
    "0 bytes",
    "1 byte",
    "999 bytes",
    "1 kB",
    "12.3 kB",
    "123 MB",
    "5 TB",
  ]);
});

it("knows what can be shown", () => {
  const file = (path: string, size: number) => kindOf({ path, size, type: "file", modifiedAt: 0 });
  expect([file("a.PNG", 5e6), file("a.png", 5e7), file("a", 10), file("a.txt", 2e6)]).toEqual([
    "image",
    "other",
    "text",
    "other",
  ]);
  expect([imageType("x.svg"), imageType("png"), imageType("x.constructor")]).toEqual([
    "image/svg+xml",
    undefined,
    undefined,
  ]);
  expect(textOf(new TextEncoder().encode("é").buffer)).toBe("é");
  expect(textOf(new Uint8Array([0xc3]).buffer)).toBeNull();
  expect(textOf(new Uint8Array([65, 0]).buffer)).toBeNull();
});
