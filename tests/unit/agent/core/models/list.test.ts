import { describe, expect, it } from "vitest";
import { listModels } from "@/agent/core/models/list";
import { answering, KEY, model } from "./harness";

const json = (value: unknown) => () => Response.json(value);

describe("listModels", () => {
  it.each([
    ["OpenAI", { object: "list", data: [{ id: "a" }, { id: "b" }, { id: "a" }] }],
    ["a bare list", [{ id: "a" }, "b"]],
    ["Ollama", { models: [{ name: "a" }, { name: "b" }, { size: 3 }] }],
  ])("reads the list of %s", async (_name, body) => {
    expect(await listModels(model(), answering(json(body)))).toEqual(["a", "b"]);
  });

  it("asks with the key, at /models of the base URL", async () => {
    const { fetch, sent } = answering(json({ data: [] }));
    await listModels(model(), { fetch });
    await listModels(model({ provider: "anthropic" }), { fetch });
    expect(sent.map(({ url }) => url)).toEqual([
      "http://host.test/v1/models",
      "http://host.test/v1/models?limit=1000",
    ]);
    expect(sent[0]?.headers).toMatchObject({ authorization: `Bearer ${KEY}` });
    expect(sent[1]?.headers).toMatchObject({ "x-api-key": KEY, "anthropic-version": "2023-06-01" });
  });

  it("follows the pages of Anthropic, and stops at a host that says the same each time", async () => {
    const pages = [
      { data: [{ id: "a" }], has_more: true, last_id: "a" },
      { data: [{ id: "b" }], has_more: false },
    ];
    let n = 0;
    const paged = answering(() => Response.json(pages[n++]));
    expect(await listModels(model({ provider: "anthropic" }), paged)).toEqual(["a", "b"]);
    expect(paged.sent[1]?.url).toBe("http://host.test/v1/models?limit=1000&after_id=a");
    const stuck = answering(json(pages[0]));
    expect(await listModels(model({ provider: "anthropic" }), stuck)).toEqual(["a"]);
    expect(stuck.sent).toHaveLength(2);
  });

  it("says so when there is no list, no right key, or no host", async () => {
    const failing = (reply: () => Response) => listModels(model(), answering(reply));
    await expect(failing(json({ hello: 1 }))).rejects.toMatchObject({ failure: "not-an-api" });
    await expect(failing(() => new Response("<html>"))).rejects.toMatchObject({ failure: "not-an-api" });
    await expect(failing(() => new Response("{}", { status: 401 }))).rejects.toMatchObject({
      failure: "key",
    });
    await expect(
      failing(() => {
        throw new TypeError("Failed to fetch");
      }),
    ).rejects.toMatchObject({ failure: "network" });
  });
});
