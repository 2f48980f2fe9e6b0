// @vitest-environment jsdom
import { screen, waitFor, within } from "@testing-library/react";
import { someModels } from "@tests/fixtures/pages/data";
import { describe, expect, it } from "vitest";
import { OptionsApp } from "@/pages/options/OptionsApp";
import { NamedError } from "@/rpc/errors";
import { inputsOf, show } from "./harness";

describe("the list of models", () => {
  it("marks the default, and makes another one it", async () => {
    const { worker, user } = show(<OptionsApp />, { models: someModels() }, "#/models");
    const row = (await screen.findByRole("link", { name: "GPT-5 mini" })).closest("li") as HTMLElement;
    expect(within(row).getByText("Default")).toBeVisible();
    expect(within(row).getByText("gpt-5-mini · api.openai.com · Key ends in a1b2")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "More actions for Local" }));
    await user.click(await screen.findByRole("menuitem", { name: "Make default" }));
    await waitFor(() => expect(inputsOf(worker, "models.setDefault")).toEqual([{ id: "m-3" }]));
  });

  it("asks before it removes, by name, and removes nothing on Cancel", async () => {
    const { worker, user } = show(<OptionsApp />, { models: someModels() }, "#/models");
    await user.click(await screen.findByRole("button", { name: "More actions for Claude" }));
    await user.click(await screen.findByRole("menuitem", { name: "Remove…" }));
    const dialog = await screen.findByRole("alertdialog", { name: "Remove the model “Claude”?" });
    expect(within(dialog).getByRole("button", { name: "Cancel" })).toHaveFocus();
    await user.click(within(dialog).getByRole("button", { name: "Cancel" }));
    expect(inputsOf(worker, "models.remove")).toEqual([]);
    // The entry of the menu is gone; its button is where one was.
    await waitFor(() =>
      expect(screen.getByRole("button", { name: "More actions for Claude" })).toHaveFocus(),
    );
    await user.click(screen.getByRole("button", { name: "More actions for Claude" }));
    await user.click(await screen.findByRole("menuitem", { name: "Remove…" }));
    await user.click(await screen.findByRole("button", { name: "Remove the model" }));
    await waitFor(() => expect(inputsOf(worker, "models.remove")).toEqual([{ id: "m-2" }]));
  });

  it("tests with what is stored and says the diagnosis in words", async () => {
    const test = {
      ok: false as const,
      diagnosis: "wrong-key" as const,
      params: {
        host: "api.openai.com",
        baseUrl: "https://api.openai.com/v1",
        model: "gpt-5-mini",
        status: "401",
        suggestion: "",
      },
      detail: "Incorrect API key provided.",
    };
    const { worker, user } = show(<OptionsApp />, { models: someModels(), test }, "#/models");
    await user.click((await screen.findAllByRole("button", { name: "Test" }))[0] as HTMLElement);
    expect(await screen.findByText("The server does not accept the key")).toBeVisible();
    expect(screen.getByText("Incorrect API key provided.")).toBeInTheDocument();
    expect(inputsOf(worker, "models.test")).toMatchObject([{ id: "m-1", apiKey: undefined }]);
  });
});

describe("the model form", () => {
  it("starts from a preset, and keeps a typed key out of the page once it is saved", async () => {
    const { worker, user } = show(<OptionsApp />, {}, "#/models/new");
    await user.click(await screen.findByRole("radio", { name: "Anthropic" }));
    expect(screen.getByLabelText("Base address")).toHaveValue("https://api.anthropic.com/v1");
    await user.type(screen.getByLabelText("API key"), "sk-secret");
    await user.type(screen.getByLabelText("Model"), "claude-sonnet-4-5");
    await user.click(screen.getByText("Limits and abilities"));
    await user.type(screen.getByLabelText("Context window, in tokens"), "200k");
    await user.click(screen.getByRole("button", { name: "Save" }));
    expect(await screen.findByRole("link", { name: "claude-sonnet-4-5" })).toBeVisible();
    expect(inputsOf(worker, "models.save")).toEqual([
      expect.objectContaining({
        name: "claude-sonnet-4-5",
        provider: "anthropic",
        apiKey: "sk-secret",
        contextWindow: 200_000,
        maxTokens: undefined,
      }),
    ]);
    expect(document.body.innerHTML).not.toContain("sk-secret");
  });

  it("shows no stored key, keeps it when nothing is typed, and erases it when told to", async () => {
    const { worker, user } = show(<OptionsApp />, { models: someModels() }, "#/models/m-2");
    const key = await screen.findByLabelText("API key");
    expect(key).toHaveValue("");
    expect(key).toHaveAttribute("type", "password");
    await user.click(screen.getByRole("button", { name: "Save" }));
    await waitFor(() =>
      expect(inputsOf(worker, "models.save")).toMatchObject([{ id: "m-2", apiKey: undefined }]),
    );

    await user.click(await screen.findByRole("link", { name: "Claude" }));
    await user.click(await screen.findByRole("button", { name: "Erase key" }));
    expect(screen.getByText("The stored key is erased when you save.")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(inputsOf(worker, "models.save")[1]).toMatchObject({ id: "m-2", apiKey: "" }));
  });

  it("points at the field that is wrong and sends nothing", async () => {
    const { worker, user } = show(<OptionsApp />, {}, "#/models/new");
    const url = await screen.findByLabelText("Base address");
    await user.clear(url);
    await user.type(url, "ftp://x");
    await user.click(screen.getByRole("button", { name: "Save" }));
    expect(url).toHaveFocus();
    expect(url).toBeInvalid();
    expect(screen.getByText("The address must begin with http:// or https://.")).toBeVisible();
    expect(screen.getByText("Enter the name of the model.")).toBeVisible();
    expect(inputsOf(worker, "models.save")).toEqual([]);
    await user.type(url, "y");
    expect(url).not.toBeInvalid();
  });

  it("says why it could not be saved and keeps what was typed", async () => {
    const failing = { "models.save": new NamedError("StorageError", "The storage is full.") };
    const { user } = show(<OptionsApp />, { failing }, "#/models/new");
    await user.type(await screen.findByLabelText("Model"), "gpt-5");
    await user.click(screen.getByRole("button", { name: "Save" }));
    expect(await screen.findByRole("alert")).toHaveTextContent("The model was not saved");
    expect(screen.getByRole("alert")).toHaveTextContent("The storage is full.");
    expect(screen.getByLabelText("Model")).toHaveValue("gpt-5");
  });

  it("offers the endpoint's models, or says why it cannot", async () => {
    const { worker, user } = show(<OptionsApp />, {}, "#/models/new");
    await user.click(await screen.findByRole("button", { name: "Load list" }));
    expect(await screen.findByText("The server offers 3 models; type to search them.")).toBeVisible();
    expect([...document.querySelectorAll("datalist option")].map((o) => o.getAttribute("value"))).toContain(
      "gpt-5-nano",
    );
    worker.state.remoteModels = new Error("The server answered 401.");
    await user.click(screen.getByRole("button", { name: "Load list" }));
    expect(await screen.findByText("The list could not be loaded: The server answered 401.")).toBeVisible();
  });

  it("offers the address that was found to answer", async () => {
    const test = {
      ok: false as const,
      diagnosis: "wrong-url" as const,
      params: { host: "h", baseUrl: "https://h", model: "m", status: "404", suggestion: "https://h/v1" },
      detail: "",
    };
    const { user } = show(<OptionsApp />, { models: someModels(), test }, "#/models/m-1");
    await user.click(await screen.findByRole("button", { name: "Test" }));
    await user.click(await screen.findByRole("button", { name: "Use https://h/v1" }));
    expect(screen.getByLabelText("Base address")).toHaveValue("https://h/v1");
  });

  it("takes back what a test said once something else would be asked", async () => {
    const test = { ok: true as const, reply: "OK", firstTokenMs: 100, totalMs: 200 };
    const { user } = show(<OptionsApp />, { models: someModels(), test }, "#/models/m-1");
    await user.click(await screen.findByRole("button", { name: "Test" }));
    await screen.findByText("The model answers");
    await user.type(screen.getByLabelText("Name"), "2");
    expect(screen.getByText("The model answers")).toBeVisible();
    await user.type(screen.getByLabelText("Model"), "2");
    expect(screen.queryByText("The model answers")).toBeNull();
  });
});
