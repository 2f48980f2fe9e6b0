import { describe, expect, it } from "vitest";
import { modelApiContract, modelsContract } from "@/agent/contract/models";
import { modelEvalMessages } from "@/agent/services/model-eval";
import type { Caller } from "@/rpc/caller";
import { RpcClient } from "@/rpc/client";
import { Router } from "@/rpc/server";
import { memoryTransportPair } from "@/rpc/transport";
import { FORM, KEY, modelService } from "./model-fakes";

const never = new AbortController().signal;

describe("saving", () => {
  it("stores a config and shows everything of it but the key", async () => {
    const { service, storage } = modelService();
    const view = await service.save({
      ...FORM,
      name: " ",
      apiBaseUrl: "http://host.test/v1/",
      maxTokens: 9,
      supportsVision: true,
    });
    expect(view).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: "m-1",
      provider: "openai-compatible",
      apiBaseUrl: "http://host.test/v1",
      model: "m-1",
      maxTokens: 9,
      supportsVision: true,
      hasKey: true,
      keyHint: "6789",
      isDefault: true,
      isSummary: false,
      createtime: expect.any(Number),
      updatetime: view.createtime,
    });
    expect(await service.list()).toEqual([view]);
    expect(storage.text()).not.toContain(KEY);
  });

  it("keeps the key when none is typed, replaces it by a new one, removes it by an empty one", async () => {
    const { service } = modelService();
    const { id } = await service.save(FORM);
    const { apiKey: _, ...untyped } = FORM;
    const renamed = await service.save({ ...untyped, id, name: "New name" });
    expect(renamed).toMatchObject({ id, name: "New name", hasKey: true, keyHint: "6789" });
    expect((await service.resolve(id)).model.apiKey).toBe(KEY);
    await service.save({ ...FORM, id, apiKey: " other-key-abcd " });
    expect((await service.resolve(id)).model.apiKey).toBe("other-key-abcd");
    expect(await service.save({ ...FORM, id, apiKey: "" })).toMatchObject({ hasKey: false });
    expect((await service.list())[0]).not.toHaveProperty("keyHint");
    expect((await service.resolve(id)).model.apiKey).toBe("");
  });

  it("gives no hint of a short key", async () => {
    expect(await modelService().service.save({ ...FORM, apiKey: "abcd1234" })).not.toHaveProperty(
      "keyHint",
      "1234",
    );
  });

  it.each([
    [{ apiBaseUrl: "host.test/v1" }, "http"],
    [{ apiBaseUrl: "file:///etc/passwd" }, "http"],
    [{ model: "  " }, "name is empty"],
    [{ apiKey: "sk-1\nX: y" }, "Copy it again"],
    [{ apiKey: "sk-abcd…wxyz" }, "Copy it again"],
  ])("refuses %o with a sentence, and stores nothing", async (wrong, word) => {
    const { service, storage } = modelService();
    await expect(service.save({ ...FORM, ...wrong })).rejects.toMatchObject({
      name: "InvalidModelError",
      message: expect.stringContaining(word),
    });
    expect(storage.text()).toBe("");
  });

  it("loses nothing when windows save at the same time", async () => {
    const { service } = modelService();
    await Promise.all(Array.from({ length: 10 }, (_, i) => service.save({ ...FORM, model: `m-${i}` })));
    const models = await service.list();
    expect(models.map(({ model }) => model)).toEqual(Array.from({ length: 10 }, (_, i) => `m-${i}`));
    expect(models.filter(({ isDefault }) => isDefault)).toHaveLength(1);
  });

  it("goes on after a change that failed", async () => {
    const { service } = modelService();
    const failed = service.save({ ...FORM, id: "gone" });
    const { id } = await service.save(FORM);
    await expect(failed).rejects.toMatchObject({ name: "NotFoundError" });
    expect((await service.list()).map((model) => model.id)).toEqual([id]);
  });
});

describe("default and summary model", () => {
  it("the first is the default until another is; one that goes is replaced by the oldest", async () => {
    const { service } = modelService();
    const [a, b, c] = [await service.save(FORM), await service.save(FORM), await service.save(FORM)];
    await service.setDefault(c.id);
    await service.setSummary(c.id);
    expect((await service.list()).map(({ isDefault, isSummary }) => [isDefault, isSummary])).toEqual([
      [false, false],
      [false, false],
      [true, true],
    ]);
    await service.remove(c.id);
    expect((await service.list()).map(({ id, isDefault, isSummary }) => [id, isDefault, isSummary])).toEqual([
      [a.id, true, false],
      [b.id, false, false],
    ]);
    await service.setSummary(b.id);
    await service.setSummary("");
    await expect(service.setDefault("")).rejects.toMatchObject({ name: "NotFoundError" });
    await expect(service.remove(c.id)).rejects.toMatchObject({ name: "NotFoundError" });
  });
});

describe("resolve", () => {
  it("gives the default, or the one that was asked for, in a later start of the worker too", async () => {
    const { service, again } = modelService();
    await service.save(FORM);
    const b = await service.save({ ...FORM, model: "m-2", contextWindow: 1000 });
    expect((await again().resolve()).model).toMatchObject({ model: "m-1", apiKey: KEY });
    const { model, client } = await again().resolve(b.id);
    expect(model).toMatchObject({ model: "m-2", contextWindow: 1000, apiKey: KEY });
    expect(client.stream).toBeTypeOf("function");
  });

  it("says what is missing", async () => {
    const { service, secrets } = modelService();
    await expect(service.resolve()).rejects.toMatchObject({
      code: "no_model",
      message: expect.stringContaining("options"),
    });
    const { id } = await service.save(FORM);
    await expect(service.resolve("other")).rejects.toMatchObject({
      code: "no_model",
      message: expect.stringContaining("other"),
    });
    secrets.lose();
    await expect(service.resolve(id)).rejects.toMatchObject({
      name: "ModelError",
      code: "auth",
      retryable: false,
      message: expect.stringContaining("Enter the key again"),
    });
  });
});

describe("over RPC", () => {
  const place = {
    tabId: 1,
    frameId: 0,
    documentId: "d",
    origin: "https://p.test",
    url: "https://p.test/",
    incognito: false,
  };
  const page: Caller = { kind: "page", ...place };
  const script = (...grants: string[]): Caller => ({
    kind: "script",
    uuid: "u",
    name: "s",
    grants: new Set(grants),
    ...place,
  });

  function connect(caller: Caller) {
    const { service, ...rest } = modelService();
    const router = new Router();
    router.register(modelsContract, service.pageHandlers());
    router.register(modelApiContract, service.scriptHandlers());
    const client = new RpcClient(() => {
      const [near, far] = memoryTransportPair();
      router.serve(far, caller);
      return near;
    });
    return { service, client, ...rest };
  }

  it("a page saves, lists and hears of changes", async () => {
    const { client } = connect(page);
    const models = client.of<typeof modelsContract>("agent.models");
    const changes = models.stream("changes", {});
    expect((await changes.next()).value).toEqual({ revision: 0 });
    const { id } = await models.call("save", FORM);
    expect((await changes.next()).value).toEqual({ revision: 1 });
    expect((await models.call("list", {})).map((model) => model.id)).toEqual([id]);
    await models.call("remove", { id });
    expect((await changes.next()).value).toEqual({ revision: 2 });
    await changes.return?.();
  });

  it("a script with the grant sees everything but keys, and what it may not ask for is refused", async () => {
    const { client, service } = connect(script("CAT.agent.model"));
    const models = client.of<typeof modelApiContract>("agent.model");
    expect(await models.call("getDefault", {})).toBe("");
    const { id } = await service.save({ ...FORM, contextWindow: 5 });
    const { id: _, ...rest } = FORM as typeof FORM & { id?: string };
    const { apiKey: _key, ...shown } = rest;
    expect(await models.call("list", {})).toEqual([{ id, ...shown, contextWindow: 5 }]);
    expect(await models.call("get", { id: "none" })).toBeNull();
    expect(await models.call("getDefault", {})).toBe(id);
    expect(await models.call("getSummary", {})).toBe("");
    const pages = client.of<typeof modelsContract>("agent.models");
    await expect(pages.call("list", {})).rejects.toMatchObject({ name: "PermissionDeniedError" });
  });

  it("a script without the grant sees nothing", async () => {
    const { client } = connect(script("CAT.agent.conversation"));
    const models = client.of<typeof modelApiContract>("agent.model");
    await expect(models.call("list", {})).rejects.toMatchObject({ name: "PermissionDeniedError" });
  });

  it("no answer of any method holds the key, nor does an error", async () => {
    const { client } = connect(page);
    const models = client.of<typeof modelsContract>("agent.models");
    const seen: unknown[] = [await models.call("save", FORM), await models.call("list", {})];
    const bad = { ...FORM, apiBaseUrl: "http://127.0.0.1:9/v1" };
    seen.push(await models.call("test", bad));
    seen.push(await models.call("listRemote", bad).catch((e: Error) => [e.name, e.message, { ...e }]));
    expect(JSON.stringify(seen)).not.toContain(KEY);
  });
});

describe("the eval build's message", () => {
  it("stores a config and makes it the default", async () => {
    const { service } = modelService();
    await service.save(FORM);
    const set = modelEvalMessages(service)["eval:setModel"] ?? expect.fail("there is no such message");
    const params = {
      provider: "openai",
      apiBaseUrl: "http://127.0.0.1:1/v1",
      apiKey: "k",
      model: "fake",
      contextWindow: 9,
    };
    const { id } = (await set({ type: "eval:setModel", ...params })) as { id: string };
    expect((await service.resolve()).model).toMatchObject({
      id,
      provider: "openai-compatible",
      model: "fake",
      contextWindow: 9,
    });
    await expect(set({ provider: "pigeon", apiBaseUrl: "http://x/v1", model: "m" })).rejects.toThrow();
  });
});

describe("listRemote", () => {
  it("uses the stored key when none is typed, and needs no model name", async () => {
    const seen: unknown[] = [];
    const { service } = modelService(async (_url, init) => {
      seen.push(new Headers(init?.headers).get("authorization"));
      return Response.json({ data: [{ id: "a" }] });
    });
    const { id } = await service.save(FORM);
    const { apiKey: _, ...form } = { ...FORM, id, model: "" };
    expect(await service.listRemote(form, never)).toEqual(["a"]);
    await service.listRemote({ ...form, apiKey: "typed" }, never);
    expect(seen).toEqual([`Bearer ${KEY}`, "Bearer typed"]);
  });
});
