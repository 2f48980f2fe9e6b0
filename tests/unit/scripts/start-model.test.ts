import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Stop } from "../../../scripts/lib/stop.mjs";
import { setModel } from "../../../scripts/start/model";

/** Keeps model configs as the extension does: without an id a new one, with an id that one or an error. */
class Models {
  readonly configs = new Map<string, Record<string, unknown>>();
  private count = 0;

  async send(type: string, params: Record<string, unknown> = {}): Promise<unknown> {
    expect(type).toBe("eval:setModel");
    const id = typeof params.id === "string" ? params.id : `m${++this.count}`;
    if (params.id !== undefined && !this.configs.has(id))
      throw new Stop(`eval:setModel failed: no model ${id}`);
    this.configs.set(id, params);
    return { id };
  }
}

describe("the model of npm start", () => {
  let profile: string;
  const models = () => new Models();
  beforeEach(() => {
    profile = mkdtempSync(join(tmpdir(), "moggy-start-"));
  });
  afterEach(() => rmSync(profile, { recursive: true, force: true }));

  const demo = { title: "Demo model", url: "http://127.0.0.1:1/v1", name: "demo" };

  it("is one config, however often the demo starts and on whatever port", async () => {
    const store = models();
    await setModel(store, { ...demo, apiKey: "secret" }, profile);
    await setModel(store, { ...demo, url: "http://127.0.0.1:2/v1" }, profile);
    expect([...store.configs.values()]).toEqual([
      {
        id: "m1",
        name: "Demo model",
        provider: "openai-compatible",
        apiBaseUrl: "http://127.0.0.1:2/v1",
        model: "demo",
        apiKey: "",
      },
    ]);
  });

  it("is made anew when the person has removed it", async () => {
    const store = models();
    await setModel(store, demo, profile);
    store.configs.clear();
    await setModel(store, demo, profile);
    await setModel(store, demo, profile);
    expect([...store.configs.keys()]).toEqual(["m2"]);
  });

  it("tells a refusal that has nothing to do with the id", async () => {
    const refuse = { send: () => Promise.reject(new Stop("eval:setModel failed: bad address")) };
    await expect(setModel(refuse, demo, profile)).rejects.toThrow("bad address");
  });
});
