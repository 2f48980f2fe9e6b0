import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { type DemoPage, startDemoPage } from "../../../scripts/start/demo-page";
import { readOptions } from "../../../scripts/start/options";

const read = (args: string[], env: NodeJS.ProcessEnv = {}) => readOptions(args, env, "/project");

describe("the options of npm start", () => {
  it("have defaults", () => {
    expect(read([])).toEqual({
      help: false,
      headless: false,
      once: false,
      rebuild: false,
      profile: "/project/.moggy/profile",
      port: 0,
    });
  });

  it("take a model host with its name and key", () => {
    const args = ["--model-url", "http://127.0.0.1:11434/v1", "--model", "llama"];
    expect(read(args).model).toEqual({ url: "http://127.0.0.1:11434/v1", name: "llama" });
    expect(read([...args, "--api-key", "k"]).model?.apiKey).toBe("k");
    expect(read(args, { MOGGY_API_KEY: "from env" }).model?.apiKey).toBe("from env");
  });

  it("read the rest", () => {
    expect(read(["--headless", "--once", "--rebuild", "--profile", "/tmp/p", "--port", "8080"])).toEqual({
      help: false,
      headless: true,
      once: true,
      rebuild: true,
      profile: "/tmp/p",
      port: 8080,
    });
  });

  it.each([
    [["--port", "0"], "--port 0: a port is a number from 1 to 65535"],
    [["--port", "http"], "--port http: a port is a number"],
    [["--port", "70000"], "--port 70000: a port is a number"],
    [["--model-url", "localhost:1"], "that is no http or https address"],
    [["--model-url", "http://x/v1"], "--model-url needs --model NAME"],
    [["--model", "x"], "give --model-url URL too"],
    [["--headles"], "npm start -- --help lists the options"],
    [["stray"], "npm start -- --help lists the options"],
  ])("refuse %j with what is right", (args, message) => {
    expect(() => read(args)).toThrow(message);
  });
});

describe("the demo page's server", () => {
  let page: DemoPage | undefined;
  afterEach(async () => {
    await page?.close();
    page = undefined;
  });

  it("serves the page with a place for the conversation, and nothing else of the disk", async () => {
    page = await startDemoPage(0);
    const response = await fetch(page.url);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('id="moggy-demo"');
    expect((await fetch(`${page.url}style.css`)).headers.get("content-type")).toBe("text/css; charset=utf-8");
    expect((await fetch(`${page.url}../session.ts`)).status).toBe(404);
    expect((await fetch(`${page.url}%2e%2e%2fsession.ts`)).status).toBe(404);
  });

  it("says which port is taken", async () => {
    const other = createServer();
    await new Promise<void>((ready) => other.listen(0, "127.0.0.1", ready));
    const { port } = other.address() as AddressInfo;
    await expect(startDemoPage(port)).rejects.toThrow(`Port ${port} is taken by another program`);
    await new Promise((closed) => other.close(closed));
  });
});
