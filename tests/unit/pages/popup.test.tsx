// @vitest-environment jsdom
import { screen, waitFor, within } from "@testing-library/react";
import { script, someScripts } from "@tests/fixtures/pages/data";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { PopupApp } from "@/pages/popup/PopupApp";
import { siteOf } from "@/pages/popup/SiteLine";
import type { MenuCommand } from "@/userscripts/types";
import { inputsOf, show } from "./harness";

const tabs = {
  query: vi.fn(async (what: { active?: boolean }) =>
    what.active ? [{ id: 7, url: "https://example.com/a" }] : [],
  ),
  create: vi.fn(async () => ({ id: 8 })),
  update: vi.fn(async () => ({ id: 8 })),
  reload: vi.fn(async () => undefined),
};

beforeEach(() => {
  vi.stubGlobal("chrome", {
    runtime: { id: "moggy", getURL: (path: string) => `chrome-extension://moggy/${path}` },
    tabs,
  });
  vi.stubGlobal("close", vi.fn());
});

const command = (patch: Partial<MenuCommand>): MenuCommand => ({
  key: "k",
  uuid: "u-summary",
  scriptName: "Page summary",
  title: "Summarize",
  frameId: 0,
  ...patch,
});

describe("the popup", () => {
  it("shows the site, the scripts for it with their last error, and asks for the right tab", async () => {
    const { worker } = show(<PopupApp />, { scripts: someScripts() });
    expect(await screen.findByRole("heading", { name: "example.com" })).toBeVisible();
    const list = await screen.findByRole("region", { name: "Scripts on this page" });
    expect(within(list).getAllByRole("switch")).toHaveLength(4);
    expect(list).toHaveTextContent("Cannot read properties of null");
    expect(inputsOf(worker, "scripts.forTab")[0]).toEqual({ tabId: 7 });
  });

  it("switches a script and offers to reload the page", async () => {
    const { worker, user } = show(<PopupApp />, { scripts: [script({ uuid: "a", name: "A" })] });
    await user.click(await screen.findByRole("switch", { name: "Switch A off" }));
    await user.click(await screen.findByRole("button", { name: "Reload" }));
    expect(worker.state.scripts[0]?.enabled).toBe(false);
    await waitFor(() => expect(tabs.reload).toHaveBeenCalledWith(7));
  });

  it("pauses everything and says so", async () => {
    const { worker, user } = show(<PopupApp />, { scripts: someScripts() });
    const pause = await screen.findByRole("switch", { name: "Pause all scripts" });
    await waitFor(() => expect(pause).toBeEnabled());
    await user.click(pause);
    expect(await screen.findByText("All scripts are paused")).toBeVisible();
    await waitFor(() => expect(worker.state.settings.paused).toBe(true));
  });

  it.each([
    ["there are none", {}, "No script is installed yet."],
    [
      "none matches",
      { scripts: [script({ uuid: "a", name: "A", matches: [] })] },
      "Your one script is not written for this address.",
    ],
    [
      "the page is the browser's",
      { scripts: someScripts(), tabUrl: "chrome://settings/" },
      "This is one of the browser’s own pages, where extensions may not run scripts.",
    ],
    ["the switch is off", { userScripts: false }, "User scripts are switched off in the browser."],
  ])("says why no script runs when %s", async (_case, state, words) => {
    show(<PopupApp />, state);
    expect(await screen.findByText(words)).toBeVisible();
  });

  it("runs a menu command by click and by its access key", async () => {
    const commands = [command({ key: "1", accessKey: "S" }), command({ key: "2", title: "Other" })];
    const { worker, user } = show(<PopupApp />, { scripts: someScripts(), commands });
    await user.click(await screen.findByRole("button", { name: /^Other/ }));
    await waitFor(() => expect(inputsOf(worker, "scripts.runCommand")).toEqual([{ tabId: 7, key: "2" }]));
    await user.keyboard("s");
    await waitFor(() => expect(inputsOf(worker, "scripts.runCommand")[1]).toEqual({ tabId: 7, key: "1" }));
  });

  it("C070 stays whole whatever access key and title a script registers", async () => {
    const odd = ["+", "", "  ", "ab", "😀", "\n", "{", null, 5, {}] as Array<string | undefined>;
    const commands = odd.map((accessKey, at) =>
      command({ key: String(at), title: at === 0 ? "" : `C${at}`, accessKey }),
    );
    const { user, worker } = show(<PopupApp />, { scripts: someScripts(), commands });
    const list = await screen.findByRole("region", { name: "Commands of scripts" });
    expect(within(list).getAllByRole("button")).toHaveLength(odd.length);
    expect(within(list).getByText("Command without a name")).toBeVisible();
    expect(screen.getByRole("region", { name: "Scripts on this page" })).toBeVisible();
    await user.keyboard("+");
    await waitFor(() => expect(inputsOf(worker, "scripts.runCommand")).toEqual([{ tabId: 7, key: "0" }]));
  });

  it("says when a command failed", async () => {
    const failing = { "scripts.runCommand": new Error("The page was left.") };
    const { user } = show(<PopupApp />, { scripts: someScripts(), commands: [command({})], failing });
    await user.click(await screen.findByRole("button", { name: /^Summarize/ }));
    expect(await screen.findByText("“Summarize” did not run: The page was left.")).toBeVisible();
  });

  it("opens the pages", async () => {
    const { user } = show(<PopupApp />);
    await user.click(await screen.findByRole("button", { name: "Models" }));
    await waitFor(() =>
      expect(tabs.create).toHaveBeenCalledWith({ url: "chrome-extension://moggy/options.html#/models" }),
    );
  });
});

it.each([
  ["https://example.com:8080/a?b", "example.com:8080"],
  ["file:///home/a/page.html", "page.html"],
  ["chrome://extensions/", "chrome://extensions"],
  ["about:blank", "about:blank"],
  ["", ""],
])("siteOf(%s) is %s", (url, site) => {
  expect(siteOf(url)).toBe(site);
});
