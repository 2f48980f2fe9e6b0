// @vitest-environment jsdom
import { act, screen, waitFor, within } from "@testing-library/react";
import { logRow, REPORT, someEntries } from "@tests/fixtures/pages/log-data";
import { describe, expect, it, vi } from "vitest";
import { OptionsApp } from "@/pages/options/OptionsApp";
import { ErrorBoundary } from "@/pages/shared/ErrorBoundary";
import { NamedError } from "@/rpc/errors";
import { someModels, someScripts } from "../../fixtures/pages/data";
import { inputsOf, show } from "./harness";

function Broken(): never {
  throw new TypeError("no such thing");
}

const entries = () =>
  within(screen.getByRole("list", { name: "Entries of the log" })).getAllByRole("listitem");

describe("log page", () => {
  it("shows entries, newest first, says up to when they were seen, and links to scripts with errors", async () => {
    const rows = someEntries();
    const { worker } = show(<OptionsApp />, { log: rows, scripts: someScripts() }, "#/log");
    await screen.findByText("7 entries");
    expect(entries().map((entry) => entry.textContent)).toEqual(
      rows.map(({ message }) => expect.stringContaining(message)),
    );
    expect(screen.getByRole("link", { name: "Page summary (3)" })).toHaveAttribute(
      "href",
      "#/scripts/u-summary/log",
    );
    await waitFor(() => expect(inputsOf(worker, "log.seen")).toEqual([{ at: rows[0]?.at }]));
    worker.state.log = [logRow({ id: 8, at: (rows[0]?.at ?? 0) + 5, message: "Newest" }), ...rows];
    worker.touch();
    await screen.findByText("Newest");
    await waitFor(() => expect(inputsOf(worker, "log.seen")).toHaveLength(2));
  });

  it("is narrowed down by level and by words, also those of the source", async () => {
    const { user } = show(<OptionsApp />, { log: someEntries() }, "#/log");
    await screen.findByText("7 entries");
    await user.selectOptions(screen.getByRole("combobox", { name: "Level" }), "Warning");
    expect(entries()).toHaveLength(1);
    await user.selectOptions(screen.getByRole("combobox", { name: "Level" }), "All levels");
    // A key that is pressed in a control is the control's.
    act(() => screen.getByRole("combobox", { name: "Level" }).blur());
    await user.keyboard("/");
    expect(screen.getByRole("searchbox", { name: "Search the log" })).toHaveFocus();
    await user.keyboard("offscreen DISK");
    expect(entries()).toHaveLength(1);
    await user.keyboard(" nowhere");
    await user.click(screen.getByRole("button", { name: "Show all entries" }));
    expect(entries()).toHaveLength(7);
  });

  it("opens an entry with its stack and the way to its source", async () => {
    const state = { log: someEntries(), scripts: someScripts(), models: someModels() };
    const { user } = show(<OptionsApp />, state, "#/log");
    await user.click(await screen.findByRole("button", { name: /asked for more memory/ }));
    const dialog = within(await screen.findByRole("dialog", { name: "Running a background script" }));
    expect(dialog.getByText("The script “Page summary”")).toBeVisible();
    expect(dialog.getByText(/at Registrar\.reconcile/)).toBeVisible();
    await user.keyboard("{Escape}");
    await user.click(screen.getByRole("button", { name: /refused the API key/ }));
    await user.click(await screen.findByRole("link", { name: "Open the model" }));
    await screen.findByDisplayValue("Claude");
  });

  it("is cleared at once, and brought back by undo", async () => {
    const rows = someEntries();
    const { user, worker } = show(<OptionsApp />, { log: rows }, "#/log");
    await user.click(await screen.findByRole("button", { name: "Clear" }));
    await screen.findByText("Nothing went wrong");
    expect(screen.getByRole("main")).toHaveFocus();
    const undo = await screen.findByRole("button", { name: "Undo" });
    // Until it knows of its first message, the region of messages lets the pointer through.
    await waitFor(() => expect(undo.closest("[role=region]")).not.toHaveStyle({ pointerEvents: "none" }));
    await user.click(undo);
    await screen.findByText("7 entries");
    expect(inputsOf(worker, "log.restore")).toEqual([{ rows }]);
  });

  it("shows the whole report before it is copied", async () => {
    const { user } = show(<OptionsApp />, { log: someEntries() }, "#/log");
    const write = vi.spyOn(navigator.clipboard, "writeText");
    await user.click(await screen.findByRole("button", { name: "Make a report" }));
    const text = await screen.findByRole("region", { name: "Text of the report" });
    expect(text.textContent).toBe(REPORT);
    expect(write).not.toHaveBeenCalled();
    await user.click(screen.getByRole("button", { name: "Copy the report" }));
    await screen.findByRole("button", { name: "Copied" });
    expect(write).toHaveBeenCalledWith(REPORT);
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.getByRole("button", { name: "Make a report" })).toHaveFocus());
  });
});

describe("errors that our pages see", () => {
  const broken = new NamedError("StorageError", "The disk is full.");

  it("go to the log when an action fails, and the message leads there", async () => {
    const state = { scripts: someScripts(), failing: { "scripts.setEnabled": broken } };
    const { user, worker } = show(<OptionsApp />, state);
    await user.click(await screen.findByRole("switch", { name: "Switch Dark everything off" }));
    await screen.findByRole("button", { name: "Show log" });
    expect(inputsOf(worker, "log.report")).toEqual([
      expect.objectContaining({
        name: "StorageError",
        message: "The disk is full.",
        during: "“Dark everything” was not switched off",
        shown: true,
      }),
    ]);
  });

  it("go to the log when a list cannot be read, once", async () => {
    const { worker } = show(<OptionsApp />, { failing: { "scripts.list": broken } });
    await screen.findByText("The disk is full.");
    await waitFor(() =>
      expect(inputsOf(worker, "log.report")).toEqual([
        expect.objectContaining({ during: "The scripts could not be read", name: "StorageError" }),
      ]),
    );
  });

  it("go to the log when a view breaks", async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const { worker } = show(
      <ErrorBoundary>
        <Broken />
      </ErrorBoundary>,
    );
    await waitFor(() =>
      expect(inputsOf(worker, "log.report")).toEqual([
        expect.objectContaining({ name: "TypeError", message: "no such thing", shown: true }),
      ]),
    );
  });

  it("stay out of it when they only refuse what a person gave", async () => {
    const refusal = new NamedError("InstallRefusedError", "No header.");
    const state = { scripts: someScripts(), failing: { "scripts.setEnabled": refusal } };
    const { user, worker } = show(<OptionsApp />, state);
    await user.click(await screen.findByRole("switch", { name: "Switch Dark everything off" }));
    await screen.findByText(/No header\./);
    expect(inputsOf(worker, "log.report")).toEqual([]);
    expect(screen.queryByRole("button", { name: "Show log" })).toBeNull();
  });
});
