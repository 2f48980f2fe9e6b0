// @vitest-environment jsdom
import { act, screen, waitFor } from "@testing-library/react";
import { hostilePrompt, prompt, somePrompts } from "@tests/fixtures/pages/consent-data";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { ConsentPrompt } from "@/consent/types";
import { ConsentApp } from "@/pages/consent/ConsentApp";
import { SETTLE_MS } from "@/pages/shared/consent/use-armed";
import { NamedError } from "@/rpc/errors";
import { inputsOf, show } from "./harness";

const close = vi.fn();
let focused = true;

beforeEach(() => {
  focused = true;
  close.mockReset();
  vi.spyOn(document, "hasFocus").mockImplementation(() => focused);
  vi.stubGlobal("close", close);
});

const button = (name: string): HTMLElement => screen.getByRole("button", { name });
/** Resolves once the buttons take answers. */
const armed = async (): Promise<void> => {
  await waitFor(() => expect(button("Never")).not.toHaveAttribute("aria-disabled"), { timeout: 3_000 });
};
/** The heading of the question; while it loads, the page has another one. */
const asked = (): Promise<HTMLElement> => screen.findByRole("heading", { level: 1, name: /^It wants/ });
const settle = (ms: number): Promise<void> =>
  act(() => new Promise<void>((resolve) => void setTimeout(resolve, ms)));
const same = (patch: Partial<ConsentPrompt>) => prompt(patch);

describe("the prompt window", () => {
  it("says who asks, for what, where, what exactly and from which page", async () => {
    show(<ConsentApp />, { prompts: [prompt()] });
    const heading = await asked();
    expect(heading).toHaveTextContent("It wants to exchange data with this server");
    expect(heading).toHaveAccessibleDescription("Page summary api.example.com");
    expect(screen.getByText("POST https://api.example.com/v1/summaries?language=en")).toBeVisible();
    expect(screen.getByText("https://news.example.com/2026/05/a-long-article")).toBeVisible();
    expect(screen.getAllByRole("button").map((one) => one.textContent)).toEqual([
      "Allow once",
      "Allow for this page",
      "Always allow",
      "Not now",
      "Never",
    ]);
  });

  it("takes no answer at the moment it appears: not by click, Enter, Space or Escape", async () => {
    const { worker, user } = show(<ConsentApp />, { prompts: [prompt()] });
    expect(await asked()).toHaveFocus();
    expect(button("Always allow")).toHaveAttribute("aria-disabled", "true");
    await user.keyboard("{Enter} {Escape}");
    await user.click(button("Always allow"));
    await user.keyboard("{Enter}");
    expect(inputsOf(worker, "consent.answer")).toEqual([]);
    await armed();
    await user.click(button("Always allow"));
    await waitFor(() =>
      expect(inputsOf(worker, "consent.answer")).toEqual([
        { id: prompt().id, askedAt: prompt().askedAt, answer: "always" },
      ]),
    );
  });

  it("takes none before the window has been in front for a while, and none when it comes back", async () => {
    focused = false;
    const { worker, user } = show(<ConsentApp />, { prompts: [prompt()] });
    await asked();
    await settle(SETTLE_MS + 200);
    await user.click(button("Always allow"));
    expect(inputsOf(worker, "consent.answer")).toEqual([]);
    focused = true;
    act(() => void window.dispatchEvent(new Event("focus")));
    // The click that brings the window to the front is not an answer.
    await user.click(button("Always allow"));
    expect(inputsOf(worker, "consent.answer")).toEqual([]);
    await armed();
    focused = false;
    act(() => void window.dispatchEvent(new Event("blur")));
    expect(button("Always allow")).toHaveAttribute("aria-disabled", "true");
  });

  it("begins anew with each question, also with the same one asked again", async () => {
    const { worker, user } = show(<ConsentApp />, { prompts: somePrompts() });
    await screen.findByText("2 more after this");
    await armed();
    await user.click(button("Allow once"));
    expect(await screen.findByText("cdn.example.net")).toBeVisible();
    expect(screen.getByRole("heading", { level: 1 })).toHaveFocus();
    await user.click(button("Always allow"));
    expect(inputsOf(worker, "consent.answer")).toHaveLength(1);
    await armed();
    worker.state.prompts = [same({ host: "cdn.example.net", askedAt: Date.now() })];
    act(() => worker.touch());
    await waitFor(() => expect(button("Always allow")).toHaveAttribute("aria-disabled", "true"));
  });

  it("offers 'for this page' to scripts, 'for this run' to runs, and neither where nothing ends", async () => {
    const { worker } = show(<ConsentApp />, { prompts: [prompt()] });
    await screen.findByRole("button", { name: "Allow for this page" });
    // A script in the background has no page.
    worker.state.prompts = [same({ pageUrl: undefined })];
    act(() => worker.touch());
    await screen.findByRole("button", { name: "Allow until the browser closes" });
    worker.state.prompts = [same({ subject: "run:task" })];
    act(() => worker.touch());
    await screen.findByRole("button", { name: "Allow for this run" });
    expect(screen.getByText("A run asks")).toBeVisible();
    worker.state.prompts = [same({ runId: undefined })];
    act(() => worker.touch());
    await waitFor(() => expect(screen.queryByRole("button", { name: /Allow for this/ })).toBeNull());
  });

  it("reads Escape as 'Not now'", async () => {
    const { worker, user } = show(<ConsentApp />, { prompts: [prompt()] });
    await asked();
    await armed();
    await user.keyboard("{Escape}");
    await waitFor(() =>
      expect(inputsOf(worker, "consent.answer")).toEqual([
        { id: prompt().id, askedAt: prompt().askedAt, answer: "deny" },
      ]),
    );
  });

  it("closes the palette on Escape, and does not take that for an answer", async () => {
    const { worker, user } = show(<ConsentApp />, { prompts: [prompt()] });
    await asked();
    await armed();
    await user.keyboard("{Control>}k{/Control}");
    await screen.findByRole("combobox");
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("combobox")).toBeNull());
    expect(inputsOf(worker, "consent.answer")).toEqual([]);
  });

  it("offers no way to allow in the palette", async () => {
    const { user } = show(<ConsentApp />, { prompts: [prompt()] });
    await asked();
    await user.keyboard("{Control>}k{/Control}allow");
    expect(await screen.findByText("Nothing is called “allow”.")).toBeVisible();
  });

  it("says politely that a question was answered elsewhere, and goes on with the next", async () => {
    const { worker } = show(<ConsentApp />, { prompts: somePrompts() });
    await screen.findByText("api.example.com");
    worker.state.prompts = worker.state.prompts.slice(1);
    act(() => worker.touch());
    expect(await screen.findByText("cdn.example.net")).toBeVisible();
    expect(await screen.findByText("That question was answered elsewhere or withdrawn.")).toBe(
      screen.getByRole("status"),
    );
  });

  it("keeps the question that is read on top, whatever is older", async () => {
    const { worker } = show(<ConsentApp />, { prompts: [prompt()] });
    await screen.findByText("api.example.com");
    worker.state.prompts = [same({ host: "older.example", askedAt: 1 }), prompt()];
    act(() => worker.touch());
    expect(await screen.findByText("1 more after this")).toBeVisible();
    expect(screen.getByText("api.example.com")).toBeVisible();
  });

  it("takes it for answered elsewhere when somebody was faster", async () => {
    const failing = { "consent.answer": new NamedError("NotFoundError", "It is answered.") };
    const { user } = show(<ConsentApp />, { prompts: [prompt()], failing });
    await asked();
    await armed();
    await user.click(button("Never"));
    await waitFor(() => expect(screen.getByRole("status")).toHaveTextContent("answered elsewhere"));
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("says why an answer was not taken, and keeps the question", async () => {
    const failing = { "consent.answer": new NamedError("DatabaseError", "The disk is full.") };
    const { user } = show(<ConsentApp />, { prompts: [prompt()], failing });
    await asked();
    await armed();
    await user.click(button("Always allow"));
    expect(await screen.findByRole("alert")).toHaveTextContent("The answer was not taken: The disk is full.");
    expect(button("Always allow")).toBeVisible();
    expect(close).not.toHaveBeenCalled();
  });

  it("says never to all that one script asks, only when it asks several things", async () => {
    const { worker, user } = show(<ConsentApp />, { prompts: somePrompts() });
    await asked();
    await armed();
    await user.click(button("Never, to all of its questions"));
    expect(await screen.findByText("192.168.1.1")).toBeVisible();
    expect(inputsOf(worker, "consent.denyAll")).toEqual([{ subject: "script:u-summary" }]);
    expect(screen.queryByRole("button", { name: "Never, to all of its questions" })).toBeNull();
  });

  it("closes after the last answer", async () => {
    const { user } = show(<ConsentApp />, { prompts: [prompt()] });
    await asked();
    await armed();
    expect(close).not.toHaveBeenCalled();
    await user.click(button("Allow once"));
    await waitFor(() => expect(close).toHaveBeenCalled());
  });

  it("stays when questions rest, and says where", async () => {
    const { worker } = show(<ConsentApp />, { prompts: [prompt()] });
    await asked();
    worker.state.prompts = [same({ state: "waiting" })];
    act(() => worker.touch());
    expect(await screen.findByText("1 question rests on the consent page.")).toBeVisible();
    expect(await screen.findByText(/^Out of time/)).toBe(screen.getByRole("status"));
    await settle(50);
    expect(close).not.toHaveBeenCalled();
  });

  it("goes on after the death of the worker, with the question it had", async () => {
    const { worker, user } = show(<ConsentApp />, { prompts: [prompt()] });
    await asked();
    await armed();
    worker.die();
    await user.click(button("Allow once"));
    await waitFor(() => expect(inputsOf(worker, "consent.answer")).toHaveLength(1));
  });

  it("says what failed and tries again", async () => {
    const failing = { "consent.prompts": new NamedError("DatabaseError", "The disk is full.") };
    const { worker, user } = show(<ConsentApp />, { prompts: [prompt()], failing });
    expect(await screen.findByRole("alert")).toHaveTextContent("The disk is full.");
    worker.state.failing = {};
    await user.click(button("Try again"));
    expect(await screen.findByText("api.example.com")).toBeVisible();
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("shows what hostile askers write as bounded data, apart from its own words", async () => {
    show(<ConsentApp />, { prompts: [hostilePrompt()] });
    const heading = await asked();
    expect(heading.textContent).toBe("It wants to exchange data with this server");
    expect(document.body.textContent).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(document.body.textContent?.length).toBeLessThan(1_500);
    expect(screen.getByText(/^paypal\.com\..*\.example\.evil\.test$/)).toBeVisible();
  });

  it("warns of a host whose letters deceive", async () => {
    const host = "xn--80ak6aa92e.com";
    show(<ConsentApp />, { prompts: [prompt({ host })] });
    expect(await screen.findByText(host)).toBeVisible();
    expect(screen.getByText("аррӏе.com")).toBeVisible();
    expect(screen.getByText(/look like Latin ones/)).toBeVisible();
  });
});
