// @vitest-environment jsdom
import { act, screen, waitFor, within } from "@testing-library/react";
import { prompt, restingPrompts, somePrompts } from "@tests/fixtures/pages/consent-data";
import { someScripts } from "@tests/fixtures/pages/data";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { InstallApp } from "@/pages/install/InstallApp";
import { OptionsApp } from "@/pages/options/OptionsApp";
import { PopupApp } from "@/pages/popup/PopupApp";
import { inputsOf, show } from "./harness";

const tabs = {
  query: vi.fn(async (what: { active?: boolean }) =>
    what.active ? [{ id: 7, url: "https://example.com/a" }] : [],
  ),
  create: vi.fn(async () => ({ id: 8 })),
};

beforeEach(() => {
  vi.spyOn(document, "hasFocus").mockReturnValue(true);
  vi.stubGlobal("chrome", {
    runtime: { id: "moggy", getURL: (path: string) => `chrome-extension://moggy/${path}` },
    tabs,
  });
  vi.stubGlobal("close", vi.fn());
});

const button = (name: string | RegExp): HTMLElement => screen.getByRole("button", { name });
const armed = async (): Promise<void> => {
  await waitFor(() => expect(button("Always allow")).not.toHaveAttribute("aria-disabled"), {
    timeout: 3_000,
  });
};

describe("cards in a page", () => {
  it("come without taking the focus, tell screen readers, and take no answer at that moment", async () => {
    const { worker, user } = show(<OptionsApp />, { scripts: someScripts() });
    const search = await screen.findByRole("searchbox");
    await user.type(search, "pag");
    worker.state.prompts = [prompt()];
    act(() => worker.touch());
    const card = await screen.findByRole("region", { name: "Questions to you" });
    expect(await within(card).findByText("api.example.com")).toBeVisible();
    expect(within(card).getByText("1 question for you")).toHaveAttribute("aria-live", "polite");
    expect(search).toHaveFocus();
    await user.click(button("Always allow"));
    expect(inputsOf(worker, "consent.answer")).toEqual([]);
    await armed();
    await user.click(button("Allow for this page"));
    await waitFor(() =>
      expect(inputsOf(worker, "consent.answer")).toEqual([
        { id: prompt().id, askedAt: prompt().askedAt, answer: "run" },
      ]),
    );
    await waitFor(() => expect(screen.queryByText("api.example.com")).toBeNull());
  });

  it("are laid aside by Escape, which answers nothing, and come back", async () => {
    const { worker, user } = show(<OptionsApp />, { scripts: someScripts(), prompts: [prompt()] });
    await screen.findByText("api.example.com");
    await armed();
    act(() => button("Always allow").focus());
    await user.keyboard("{Escape}");
    expect(screen.queryByText("api.example.com")).toBeNull();
    expect(inputsOf(worker, "consent.answer")).toEqual([]);
    await user.click(button("1 question for you"));
    expect(await screen.findByText("api.example.com")).toBeVisible();
    expect(button("Always allow")).toHaveAttribute("aria-disabled", "true");
  });

  it("say that a question was answered elsewhere", async () => {
    const { worker } = show(<OptionsApp />, { prompts: [prompt()] });
    await screen.findByText("api.example.com");
    worker.state.prompts = [];
    act(() => worker.touch());
    expect((await screen.findAllByText(/^That question was answered elsewhere/))[0]).toBeInTheDocument();
    expect(screen.queryByText("api.example.com")).toBeNull();
  });

  it("are reached by the palette, and only while there is one", async () => {
    const { worker, user } = show(<OptionsApp />, { prompts: [prompt()] });
    await screen.findByText("api.example.com");
    await user.keyboard("{Control>}k{/Control}open question");
    await screen.findByRole("option", { name: /Go to the open question/ });
    await user.keyboard("{Enter}");
    await waitFor(() => expect(screen.getByRole("region", { name: "Questions to you" })).toHaveFocus());
    worker.state.prompts = [];
    act(() => worker.touch());
    await waitFor(() => expect(screen.queryByText("api.example.com")).toBeNull());
    await user.keyboard("{Control>}k{/Control}open question");
    expect(screen.queryByRole("option")).toBeNull();
  });

  it("show no question that rests, but count it in the rail", async () => {
    show(<OptionsApp />, { prompts: restingPrompts() });
    expect(await screen.findByRole("link", { name: /Consent.*2 questions for you/ })).toBeVisible();
    expect(screen.queryByRole("button", { name: "Always allow" })).toBeNull();
  });

  it("are above the install page, too", async () => {
    show(<InstallApp />, { prompts: [prompt()] }, "#paste");
    expect(await screen.findByText("api.example.com")).toBeVisible();
  });
});

describe("cards in the popup", () => {
  it("are in place when the popup opens, and are answered there", async () => {
    const { worker, user } = show(<PopupApp />, { scripts: someScripts(), prompts: somePrompts() });
    expect(await screen.findByText("api.example.com")).toBeVisible();
    expect(screen.getByText("2 more after this")).toBeVisible();
    await armed();
    await user.click(button("Not now"));
    await waitFor(() => expect(inputsOf(worker, "consent.answer")).toHaveLength(1));
    expect(await screen.findByText("cdn.example.net")).toBeVisible();
    expect(button("Always allow")).toHaveAttribute("aria-disabled", "true");
  });

  it("that come later are offered by a button, so that nothing moves", async () => {
    const { worker, user } = show(<PopupApp />, { scripts: someScripts() });
    await screen.findByText("Page summary");
    worker.state.prompts = [prompt()];
    act(() => worker.touch());
    const offer = await screen.findByRole("button", { name: "1 question for you" });
    expect(screen.queryByText("api.example.com")).toBeNull();
    await user.click(offer);
    expect(screen.getByText("api.example.com")).toBeVisible();
  });

  it("keep the place of a question that left by itself", async () => {
    const { worker } = show(<PopupApp />, { scripts: someScripts(), prompts: [prompt()] });
    await screen.findByText("api.example.com");
    worker.state.prompts = [];
    act(() => worker.touch());
    await waitFor(() =>
      expect(screen.getByRole("region", { name: "Questions to you" })).toHaveTextContent(
        "That question was answered elsewhere",
      ),
    );
  });

  it("lead to the questions that rest", async () => {
    const { user } = show(<PopupApp />, { scripts: someScripts(), prompts: restingPrompts() });
    await user.click(await screen.findByRole("button", { name: "2 questions rest on the consent page." }));
    await waitFor(() =>
      expect(tabs.create).toHaveBeenCalledWith({ url: "chrome-extension://moggy/options.html#/consent" }),
    );
  });
});
