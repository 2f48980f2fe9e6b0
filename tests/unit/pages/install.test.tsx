// @vitest-environment jsdom
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { CODE, OLD_CODE, someScripts } from "@tests/fixtures/pages/data";
import { describe, expect, it } from "vitest";
import { InstallApp } from "@/pages/install/InstallApp";
import { NamedError } from "@/rpc/errors";
import { inputsOf, show } from "./harness";

async function review(user: ReturnType<typeof show>["user"], code: string): Promise<void> {
  const field = await screen.findByLabelText("Code of the script");
  await user.click(field);
  await user.clear(field);
  await user.paste(code);
  await user.click(screen.getByRole("button", { name: "Review" }));
}

describe("the install page", () => {
  it("shows what the script may do before anything is stored, then installs it", async () => {
    const { worker, user } = show(<InstallApp />, {}, "#paste");
    await review(user, CODE);
    const heading = await screen.findByRole("heading", { name: "Page summary" });
    expect(screen.getByText("It runs on every website (*://*/*).")).toBeVisible();
    expect(screen.getByText("Exchange data with api.example.com")).toBeVisible();
    expect(screen.getByText("Pasted code · by Lena Berg")).toBeVisible();
    expect(inputsOf(worker, "scripts.install")).toEqual([]);
    const button = screen.getByRole("button", { name: "Install the script" });
    expect(heading).toHaveFocus();
    expect(button).not.toHaveFocus();
    await user.click(button);
    expect(await screen.findByRole("heading", { name: "“Page summary” is installed" })).toHaveFocus();
    expect(inputsOf(worker, "scripts.install")).toEqual([{ code: CODE, sourceUrl: undefined }]);
    expect(sessionStorage).toHaveLength(0);
  });

  it("shows warnings before powers, and the code last", async () => {
    const { user } = show(<InstallApp />, {}, "#paste");
    await review(user, CODE);
    const order = [
      await screen.findByText("Know before you install"),
      screen.getByRole("heading", { name: "What it may do" }),
      screen.getByRole("heading", { name: "Where it runs" }),
      screen.getByRole("heading", { name: "Code" }),
    ];
    for (const [at, element] of order.slice(1).entries()) {
      expect((order[at] as HTMLElement).compareDocumentPosition(element)).toBe(
        Node.DOCUMENT_POSITION_FOLLOWING,
      );
    }
  });

  it("refuses by name, with the line, and offers no way to install", async () => {
    const { user } = show(<InstallApp />, {}, "#paste");
    await review(user, CODE.replace("GM_setValue", "GM_cookie"));
    const alert = await screen.findByRole("alert");
    expect(alert).toHaveTextContent("This script cannot be installed");
    expect(alert).toHaveTextContent("GM_cookie");
    expect(within(alert).getByRole("button", { name: "Line 10" })).toBeVisible();
    expect(screen.queryByRole("button", { name: /Install|Update|Replace/ })).toBeNull();
    await user.click(screen.getByRole("button", { name: "Edit the code" }));
    expect(screen.getByLabelText("Code of the script")).toHaveValue(CODE.replace("GM_setValue", "GM_cookie"));
  });

  it("says what is missing when it is no userscript at all", async () => {
    const { user } = show(<InstallApp />, {}, "#paste");
    await review(user, "alert(1)");
    expect(await screen.findByRole("alert")).toHaveTextContent("==UserScript==");
  });

  it("compares with the installed version and says which is newer", async () => {
    const { user } = show(<InstallApp />, { scripts: someScripts() }, "#paste");
    await review(user, CODE);
    expect(await screen.findByText("Version 2.4.1 is installed; this is 2.5.0")).toBeVisible();
    const diff = await screen.findByRole("region", { name: "Comparison with the installed version" });
    expect(diff).toHaveTextContent("-const LIMIT = 8_000;");
    expect(diff).toHaveTextContent("+const LIMIT = 12_000;");
    expect(screen.getByText("4 lines added, 2 removed")).toBeVisible();
    expect(screen.getByRole("button", { name: "Update the script" })).toBeVisible();
  });

  it("keeps what was typed, and the review, over a reload", async () => {
    const first = show(<InstallApp />, {}, "#paste");
    await first.user.click(await screen.findByLabelText("Code of the script"));
    await first.user.paste("// half a script");
    cleanup();
    show(<InstallApp />, {}, "#paste");
    expect(await screen.findByLabelText("Code of the script")).toHaveValue("// half a script");
    cleanup();
    const third = show(<InstallApp />, {}, "#paste");
    await review(third.user, CODE);
    await screen.findByRole("heading", { name: "Page summary" });
    const { hash } = window.location;
    cleanup();
    show(<InstallApp />, {}, hash);
    expect(await screen.findByRole("heading", { name: "Page summary" })).toBeVisible();
  });

  it("fetches an address at once, names the host, and stores where it came from", async () => {
    const url = "https://scripts.example.org/a.user.js";
    const { worker, user } = show(<InstallApp />, {}, `#url=${encodeURIComponent(url)}`);
    expect(await screen.findByText("From scripts.example.org · by Lena Berg")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Install the script" }));
    await waitFor(() =>
      expect(inputsOf(worker, "scripts.install")).toEqual([{ code: OLD_CODE, sourceUrl: url }]),
    );
  });

  it("says why an address cannot be fetched, and refuses what is none before asking", async () => {
    const failing = { "scripts.fetchSource": new NamedError("FetchError", "The server answered 404.") };
    const { worker, user } = show(<InstallApp />, { failing }, "#url=https://a.example/x.user.js");
    expect(await screen.findByRole("alert")).toHaveTextContent("The server answered 404.");
    const field = screen.getByLabelText("Address of the script");
    await user.clear(field);
    await user.type(field, "javascript:alert(1)");
    await user.click(screen.getByRole("button", { name: "Fetch" }));
    expect(screen.getByText("Enter an address that begins with http:// or https://.")).toBeVisible();
    expect(inputsOf(worker, "scripts.fetchSource")).toHaveLength(1);
  });

  it("reads a file, and says when it is no text", async () => {
    const { user } = show(<InstallApp />, {}, "#file");
    const input = (await screen.findAllByLabelText("Choose a file")).find(
      (element) => element.tagName === "INPUT",
    ) as HTMLInputElement;
    await user.upload(
      input,
      new File([new Uint8Array([0xff, 0xfe, 0x00])], "a.user.js", { type: "text/javascript" }),
    );
    expect(await screen.findByRole("alert")).toHaveTextContent("The file is not text in UTF-8.");
    await user.upload(input, new File([CODE], "summary.user.js", { type: "text/javascript" }));
    expect(await screen.findByText("From the file summary.user.js · by Lena Berg")).toBeVisible();
  });

  it("says why the installation failed and lets one try again", async () => {
    const failing = { "scripts.install": new NamedError("StorageError", "The disk is full.") };
    const { worker, user } = show(<InstallApp />, { failing }, "#paste");
    await review(user, CODE);
    await user.click(await screen.findByRole("button", { name: "Install the script" }));
    expect(await screen.findByText("The disk is full.")).toBeVisible();
    worker.state.failing = {};
    await user.click(screen.getByRole("button", { name: "Install the script" }));
    expect(await screen.findByRole("heading", { name: "“Page summary” is installed" })).toBeVisible();
  });

  it("brings the code of an installed script to be edited", async () => {
    show(<InstallApp />, { scripts: someScripts() }, "#script=u-summary");
    await waitFor(() => expect(screen.getByLabelText("Code of the script")).toHaveValue(OLD_CODE));
    expect(window.location.hash).toBe("#paste");
  });

  it("takes a very large script at once", async () => {
    const { user } = show(<InstallApp />, {}, "#paste");
    const field = await screen.findByLabelText("Code of the script");
    const large = "x".repeat(1_000_000);
    await user.click(field);
    await user.paste("ab");
    (field as HTMLTextAreaElement).setSelectionRange(1, 1);
    await user.paste(large);
    expect((field as HTMLTextAreaElement).value).toBe(`a${large}b`);
  });

  it("promises no run before the browser's switch is on", async () => {
    const { user } = show(<InstallApp />, { userScripts: false }, "#paste");
    await review(user, CODE);
    await user.click(await screen.findByRole("button", { name: "Install the script" }));
    expect(await screen.findByText(/after you have allowed user scripts/)).toBeVisible();
    expect(screen.queryByText(/from now on/)).toBeNull();
  });

  it("says that the browser's switch is off", async () => {
    show(<InstallApp />, { userScripts: false }, "#paste");
    expect(await screen.findByText("User scripts are switched off in the browser")).toBeVisible();
  });
});
