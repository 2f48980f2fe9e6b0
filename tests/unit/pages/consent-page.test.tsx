// @vitest-environment jsdom
import { screen, waitFor, within } from "@testing-library/react";
import { decision, manyDecisions, restingPrompts, someDecisions } from "@tests/fixtures/pages/consent-data";
import { someScripts } from "@tests/fixtures/pages/data";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { consentId } from "@/consent/types";
import { OptionsApp } from "@/pages/options/OptionsApp";
import { NamedError } from "@/rpc/errors";
import { inputsOf, show } from "./harness";

beforeEach(() => void vi.spyOn(document, "hasFocus").mockReturnValue(true));

const AT = "#/consent";
const list = (): HTMLElement => screen.getByRole("list", { name: "What you decided" });
const groups = (): string[] =>
  within(list())
    .getAllByRole("heading", { level: 3 })
    .map((one) => one.textContent ?? "");
const hosts = (): number => within(list()).getAllByRole("button").length - groups().length;

describe("the consent page", () => {
  it("shows what was decided by who asked: allowed or never, where, when, and whether it was used", async () => {
    show(<OptionsApp />, { decisions: someDecisions() }, AT);
    await screen.findByText("7 decisions");
    expect(groups()).toEqual(["Page summary", "Price watch", "A script that is no longer installed"]);
    const row = screen.getByRole("button", { name: "Revoke api.example.com for Page summary" }).closest("li");
    expect(row).toHaveTextContent(/Allowed/);
    expect(row).toHaveTextContent(/Data exchange · Decided .* ago · Last used .* ago/);
    const never = screen.getByRole("button", { name: /^Revoke xn--80ak6aa92e\.com/ }).closest("li");
    expect(never).toHaveTextContent(/Never/);
    expect(never).toHaveTextContent("Not used yet");
    expect(within(never as HTMLElement).getByRole("img")).toHaveAccessibleName(/look like Latin ones/);
    const page = within(list()).getByText(/Only in the open page news\.example\.com/);
    // Nobody notes whether such a one was used, so nothing is said of it.
    expect(page).not.toHaveTextContent(/used/i);
    expect(screen.getByRole("link", { name: "Price watch" })).toHaveAttribute(
      "href",
      "#/scripts/u-price/settings",
    );
    expect(within(row as HTMLElement).getAllByText(/ago/)[0]).toHaveAttribute("title");
  });

  it("says what this is when there is nothing", async () => {
    show(<OptionsApp />, {}, AT);
    expect(await screen.findByRole("heading", { name: "Nothing decided yet" })).toBeVisible();
    expect(screen.queryByRole("searchbox")).toBeNull();
  });

  it("says what failed and tries again", async () => {
    const failing = { "consent.decisions": new NamedError("DatabaseError", "The disk is full.") };
    const { worker, user } = show(<OptionsApp />, { decisions: someDecisions(), failing }, AT);
    const alert = await screen.findByRole("alert");
    expect(alert).toHaveTextContent("The decisions could not be read");
    worker.state.failing = {};
    await user.click(within(alert).getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("7 decisions")).toBeVisible();
  });

  it("finds by /, by words and by kind", async () => {
    const { user } = show(<OptionsApp />, { decisions: someDecisions() }, AT);
    await screen.findByText("7 decisions");
    await user.keyboard("/");
    expect(screen.getByRole("searchbox")).toHaveFocus();
    await user.keyboard("price never");
    expect(hosts()).toBe(1);
    await user.keyboard("{Escape}");
    expect(hosts()).toBe(7);
    await user.selectOptions(screen.getByRole("combobox", { name: "Show" }), "Your network");
    expect(hosts()).toBe(1);
    await user.type(screen.getByRole("searchbox"), "zzz");
    expect(screen.getByText("No decision matches.")).toHaveAttribute("role", "status");
  });

  it("revokes at once, moves the focus on, and takes it back on undo", async () => {
    const { worker, user } = show(<OptionsApp />, { decisions: someDecisions() }, AT);
    const id = consentId("script:u-summary", "connect", "api.example.com");
    await user.click(await screen.findByRole("button", { name: /^Revoke api\.example\.com/ }));
    await waitFor(() => expect(screen.queryByText("api.example.com")).toBeNull());
    await waitFor(() => expect(inputsOf(worker, "consent.revoke")).toEqual([{ ids: [id] }]));
    await waitFor(() =>
      expect(screen.getByRole("button", { name: /^Revoke img\.example\.org/ })).toHaveFocus(),
    );
    await user.click(await screen.findByRole("button", { name: "Undo" }));
    expect(await screen.findByText("api.example.com")).toBeInTheDocument();
    expect(inputsOf(worker, "consent.restore")).toEqual([{ entries: [{ id, decision: "always" }] }]);
  });

  it("brings back what could not be revoked, and says so", async () => {
    const failing = { "consent.revoke": new NamedError("DatabaseError", "The disk is full.") };
    const { user } = show(<OptionsApp />, { decisions: [decision()], failing }, AT);
    await user.click(await screen.findByRole("button", { name: /^Revoke api\.example\.com/ }));
    expect(await screen.findByText("Nothing was revoked: The disk is full.")).toBeVisible();
    expect(screen.getByText("api.example.com")).toBeInTheDocument();
  });

  it("revokes all of one script, and undoes it", async () => {
    const { worker, user } = show(<OptionsApp />, { decisions: someDecisions() }, AT);
    await user.click(await screen.findByRole("button", { name: "Revoke all 3 for Price watch" }));
    await waitFor(() => expect(groups()).toEqual(["Page summary", "A script that is no longer installed"]));
    expect(await screen.findByText("3 decisions were revoked. You will be asked again.")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Undo" }));
    await waitFor(() => expect(groups()).toContain("Price watch"));
    expect(worker.state.decisions).toHaveLength(7);
  });

  it("renders only a window of five hundred", async () => {
    show(<OptionsApp />, { decisions: manyDecisions(500) }, AT);
    await screen.findByText("500 decisions");
    const rows = within(list()).getAllByRole("listitem");
    expect(rows[0]).toHaveAttribute("aria-setsize", "510");
    expect(rows.length).toBeGreaterThan(10);
    expect(rows.length).toBeLessThan(60);
  });

  it("shows what is decided elsewhere, also after the worker died", async () => {
    const { worker } = show(<OptionsApp />, {}, AT);
    await screen.findByRole("heading", { name: "Nothing decided yet" });
    worker.die();
    worker.state.decisions = [decision()];
    expect(await screen.findByText("api.example.com", undefined, { timeout: 3_000 })).toBeInTheDocument();
  });

  it("keeps how long a question waits", async () => {
    const { worker, user } = show(<OptionsApp />, {}, AT);
    const wait = await screen.findByRole("combobox", { name: "How long a question waits" });
    expect(wait).toHaveDisplayValue("2 minutes");
    await user.selectOptions(wait, "10 minutes");
    await waitFor(() => expect(inputsOf(worker, "settings.set")).toEqual([{ consentWaitSeconds: 600 }]));
    expect(wait).toHaveDisplayValue("10 minutes");
  });
});

describe("questions that rest", () => {
  it("are first, and are answered or left", async () => {
    const { worker, user } = show(<OptionsApp />, { prompts: restingPrompts() }, AT);
    const section = await screen.findByRole("region", { name: "Questions that wait for an answer" });
    const [first, second] = within(section).getAllByRole("listitem") as [HTMLElement, HTMLElement];
    expect(within(first).queryByRole("button", { name: /Allow for this/ })).toBeNull();
    const always = within(first).getByRole("button", { name: "Always allow" });
    await waitFor(() => expect(always).not.toHaveAttribute("aria-disabled"), { timeout: 3_000 });
    const [one, two] = worker.state.prompts;
    await user.click(always);
    await waitFor(() =>
      expect(inputsOf(worker, "consent.answer")).toEqual([
        { id: one?.id, askedAt: one?.askedAt, answer: "always" },
      ]),
    );
    // The other one has moved to where the hand is.
    const leave = within(second).getByRole("button", { name: "Leave it" });
    await waitFor(() => expect(leave).toHaveAttribute("aria-disabled", "true"));
    await waitFor(() => expect(leave).not.toHaveAttribute("aria-disabled"), { timeout: 3_000 });
    await user.click(leave);
    await waitFor(() => expect(inputsOf(worker, "consent.dismiss")).toEqual([{ id: two?.id }]));
    await waitFor(() => expect(screen.queryByRole("region", { name: /^Questions that wait/ })).toBeNull());
  });
});

describe("a script's page", () => {
  it("shows what was decided about it, with a way to take it back", async () => {
    const state = { scripts: someScripts(), decisions: someDecisions() };
    const { worker, user } = show(<OptionsApp />, state, "#/scripts/u-price/settings");
    await screen.findByRole("list", { name: "What you decided" });
    expect(within(list()).getAllByRole("listitem")).toHaveLength(3);
    expect(screen.getByRole("link", { name: "All decisions" })).toHaveAttribute("href", "#/consent");
    await user.click(screen.getByRole("button", { name: /^Revoke 192\.168\.1\.1/ }));
    await waitFor(() => expect(worker.state.decisions).toHaveLength(6));
    await waitFor(() => expect(within(list()).getAllByRole("listitem")).toHaveLength(2));
  });

  it("says so when nothing was", async () => {
    show(<OptionsApp />, { scripts: someScripts() }, "#/scripts/u-price/settings");
    expect(await screen.findByText(/^You have decided nothing about this script/)).toBeVisible();
  });
});
