// @vitest-environment jsdom
import { act, screen, waitFor, within } from "@testing-library/react";
import { manyScripts, script, scriptError, someScripts } from "@tests/fixtures/pages/data";
import { describe, expect, it } from "vitest";
import { OptionsApp } from "@/pages/options/OptionsApp";
import { NamedError } from "@/rpc/errors";
import { inputsOf, show } from "./harness";

const names = (): string[] =>
  within(screen.getByRole("list", { name: "Installed scripts" }))
    .getAllByRole("listitem")
    .map((row) => within(row).getAllByRole("link")[0]?.textContent ?? "");

describe("the list of scripts", () => {
  it("shows every script in its order of execution, with state, world and last error", async () => {
    show(<OptionsApp />, { scripts: someScripts().reverse() });
    await screen.findByText("Page summary");
    expect(names().slice(0, 3)).toEqual([
      "Page summary",
      "Dark everything",
      "Keyboard navigation for the issue tracker",
    ]);
    expect(screen.getByText("On · Own world · news.example.com and 2 more")).toBeVisible();
    expect(screen.getAllByText(/Cannot read properties of null/)[0]).toBeVisible();
    expect(screen.getByText("Needs attention")).toBeVisible();
  });

  it("says what this is and how to begin when there is none", async () => {
    show(<OptionsApp />);
    expect(await screen.findByRole("heading", { name: "No scripts yet" })).toBeVisible();
    expect(screen.getByRole("link", { name: "Paste code" })).toHaveAttribute("href", "install.html#paste");
    expect(screen.queryByRole("link", { name: "Install a script" })).toBeNull();
  });

  it("says what failed, why and what to do, and tries again", async () => {
    const failing = { "scripts.list": new NamedError("DatabaseError", "The disk is full.") };
    const { worker, user } = show(<OptionsApp />, { scripts: someScripts(), failing });
    const alert = await screen.findByRole("alert");
    expect(alert).toHaveTextContent("The scripts could not be read");
    expect(alert).toHaveTextContent("The disk is full.");
    worker.state.failing = {};
    await user.click(within(alert).getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("Page summary")).toBeVisible();
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("finds by / and every word, and says when nothing is found", async () => {
    const { user } = show(<OptionsApp />, { scripts: someScripts() });
    await screen.findByText("Page summary");
    await user.keyboard("/");
    expect(screen.getByRole("searchbox")).toHaveFocus();
    await user.keyboard("shop.example watch");
    expect(names()).toEqual(["Price watch"]);
    await user.keyboard("zzz");
    expect(screen.getByRole("status")).toHaveTextContent("No script matches “shop.example watchzzz”.");
    await user.keyboard("{Escape}");
    expect(names()).toHaveLength(5);
  });

  it("switches at once, and back when it could not be done", async () => {
    const { worker, user } = show(<OptionsApp />, { scripts: [script({ uuid: "a", name: "A" })] });
    await user.click(await screen.findByRole("switch", { name: "Switch A off" }));
    await waitFor(() => expect(worker.state.scripts[0]?.enabled).toBe(false));
    worker.state.failing = { "scripts.setEnabled": new Error("The database is locked.") };
    await user.click(screen.getByRole("switch", { name: "Switch A on" }));
    expect(await screen.findByText("“A” was not switched on: The database is locked.")).toBeVisible();
    expect(screen.getByRole("switch", { name: "Switch A on" })).not.toBeChecked();
  });

  it("removes at once and brings back on undo", async () => {
    const { worker, user } = show(<OptionsApp />, { scripts: someScripts() });
    await user.click(await screen.findByRole("button", { name: "More actions for Price watch" }));
    await user.click(await screen.findByRole("menuitem", { name: "Remove" }));
    await waitFor(() => expect(worker.state.scripts).toHaveLength(4));
    await waitFor(() => expect(names()).not.toContain("Price watch"));
    await waitFor(() => expect(screen.getByRole("link", { name: /^A script with a name/ })).toHaveFocus());
    await user.click(await screen.findByRole("button", { name: "Undo" }));
    await waitFor(() => expect(names()).toContain("Price watch"));
    expect(inputsOf(worker, "scripts.restore")).toEqual([{ uuid: "u-price" }]);
  });

  it("moves a script in the order that is true now, not in the one shown", async () => {
    const scripts = ["a", "b", "c"].map((uuid, at) =>
      script({ uuid, name: uuid.toUpperCase(), position: at + 1 }),
    );
    const { worker, user } = show(<OptionsApp />, { scripts });
    await user.click(await screen.findByRole("button", { name: "More actions for C" }));
    // Another window moved B to the front in the meantime.
    worker.state.scripts = [1, 0, 2].map((from, at) => ({
      ...(scripts[from] as (typeof scripts)[0]),
      position: at + 1,
    }));
    await user.click(await screen.findByRole("menuitem", { name: "Run earlier" }));
    await waitFor(() => expect(inputsOf(worker, "scripts.reorder")).toEqual([{ uuids: ["b", "c", "a"] }]));
  });

  it("renders only a window of a thousand scripts", async () => {
    show(<OptionsApp />, { scripts: manyScripts(1_000) });
    await screen.findByText("Script number 1");
    expect(screen.getByText("1,000 scripts")).toBeVisible();
    const rows = screen.getAllByRole("listitem").filter((row) => row.hasAttribute("data-row"));
    expect(rows[0]).toHaveAttribute("aria-setsize", "1000");
    expect(rows.length).toBeGreaterThan(10);
    expect(rows.length).toBeLessThan(60);
  });

  it("shows what changed elsewhere, also after the worker died", async () => {
    const { worker } = show(<OptionsApp />, { scripts: [script({ uuid: "a", name: "A" })] });
    await screen.findByText("A");
    worker.state.scripts = [...worker.state.scripts, script({ uuid: "b", name: "B", position: 2 })];
    worker.touch();
    expect(await screen.findByText("B")).toBeVisible();
    worker.die();
    worker.state.scripts = [script({ uuid: "c", name: "C" })];
    expect(await screen.findByText("C", undefined, { timeout: 3_000 })).toBeVisible();
    expect(screen.queryByText("A")).toBeNull();
  });
});

describe("a script's page", () => {
  const state = {
    scripts: someScripts(),
    errors: {
      "u-summary": [
        scriptError("u-summary"),
        scriptError("u-summary", { message: "Second", stack: undefined }),
      ],
    },
  };

  it("says in sentences what it may do and where it runs", async () => {
    show(<OptionsApp />, state, "#/scripts/u-price/settings");
    expect(await screen.findByText("Exchange data with api.shop.example and cdn.shop.example")).toBeVisible();
    expect(screen.getByText("https://shop.example/item/*")).toBeVisible();
    expect(screen.getByText(/It runs in a world of its own/)).toBeVisible();
    expect(screen.getByText(/Line 6:.*Unterminated group/)).toBeVisible();
  });

  it("shows errors with their stack, leads to the line, and clears them", async () => {
    const { worker, user } = show(<OptionsApp />, state, "#/scripts/u-summary/log");
    const [first] = await screen.findAllByRole("listitem");
    expect(first).toHaveTextContent("at readArticle (Page%20summary.user.js:9:31)");
    expect(within(first as HTMLElement).getByRole("link", { name: "Show line 9" })).toHaveAttribute(
      "href",
      "#/scripts/u-summary/code/9",
    );
    await user.click(screen.getByRole("button", { name: "Clear" }));
    expect(await screen.findByRole("heading", { name: "No errors" })).toBeVisible();
    expect(inputsOf(worker, "scripts.clearErrors")).toEqual([{ uuid: "u-summary" }]);
  });

  it("keeps the tab in the address and takes it from there", async () => {
    const { user } = show(<OptionsApp />, state, "#/scripts/u-summary");
    await user.click(await screen.findByRole("tab", { name: "Settings" }));
    expect(window.location.hash).toBe("#/scripts/u-summary/settings");
    expect(screen.getByRole("tab", { name: "Settings" })).toHaveAttribute("aria-selected", "true");
  });

  it("says that a script is not installed instead of failing", async () => {
    show(<OptionsApp />, state, "#/scripts/nobody");
    expect(await screen.findByText("This script is not installed")).toBeVisible();
    expect(screen.getAllByRole("link", { name: "Scripts" }).length).toBeGreaterThan(0);
  });
});

describe("going back", () => {
  it("shows the list again at once, and asks anew", async () => {
    const { worker, user } = show(<OptionsApp />, { scripts: someScripts() });
    await user.click(await screen.findByRole("link", { name: "Dark everything" }));
    await screen.findByRole("heading", { name: "Dark everything" });
    const asked = inputsOf(worker, "scripts.list").length;
    worker.state.delayMs = 200;
    await user.click(screen.getAllByRole("link", { name: "Scripts" })[1] as HTMLElement);
    expect(names()).toHaveLength(5);
    expect(screen.queryByRole("status")).toBeNull();
    await waitFor(() => expect(inputsOf(worker, "scripts.list").length).toBeGreaterThan(asked));
  });
});

describe("the frame", () => {
  it("says on every place that the browser's switch is off, and opens the page with it", async () => {
    const { worker, user } = show(<OptionsApp />, { userScripts: false }, "#/models");
    expect(await screen.findByText("User scripts are switched off in the browser")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Open extension settings" }));
    await waitFor(() => expect(inputsOf(worker, "settings.openDetails")).toHaveLength(1));
  });

  it("opens the palette on Ctrl-K, goes where Enter says, and closes on Escape", async () => {
    const { user } = show(<OptionsApp />, { scripts: someScripts() });
    await screen.findByText("Page summary");
    await user.keyboard("{Control>}k{/Control}");
    await user.keyboard("dark every");
    await screen.findByRole("option", { name: /Dark everything/ });
    await user.keyboard("{Enter}");
    expect(await screen.findByRole("heading", { name: "Dark everything" })).toBeVisible();
    await user.keyboard("{Control>}k{/Control}");
    expect(screen.getByRole("combobox")).toHaveFocus();
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("combobox")).toBeNull());
    // The focus is where it was, though something was chosen the time before.
    const button = screen.getByRole("link", { name: "Edit code" });
    act(() => button.focus());
    await user.keyboard("{Control>}k{/Control}");
    expect(screen.getByRole("combobox")).toHaveFocus();
    await user.keyboard("{Escape}");
    await waitFor(() => expect(button).toHaveFocus());
  });

  it("changes language and theme for good, and marks the document", async () => {
    const { worker, user } = show(<OptionsApp />, {}, "#/about");
    await screen.findByText("Chromium 156.0");
    worker.state.settings = { ...worker.state.settings, language: "zh-CN", theme: "dark" };
    worker.touch();
    expect(await screen.findByRole("heading", { name: "关于" })).toBeVisible();
    await waitFor(() => expect(document.documentElement.lang).toBe("zh-CN"));
    expect(document.documentElement.dataset.theme).toBe("dark");
    await user.selectOptions(screen.getByRole("combobox", { name: "主题" }), "浅色");
    await waitFor(() => expect(inputsOf(worker, "settings.set")).toEqual([{ theme: "light" }]));
    expect(document.documentElement.dataset.theme).toBe("light");
  });

  it("leads an unknown address to the first place", async () => {
    show(<OptionsApp />, {}, "#/nowhere");
    await waitFor(() => expect(window.location.hash).toBe("#/scripts"));
  });
});
