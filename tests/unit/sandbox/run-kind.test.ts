import { describe, expect, it } from "vitest";
import { questionOf } from "@/gm/xmlhttp/connect-question";
import { NOWHERE, type ScriptCaller } from "@/rpc/caller";

const caller = (uuid: string): ScriptCaller => ({
  kind: "script",
  ...NOWHERE,
  documentId: "sandbox:run-1",
  uuid,
  name: "skill",
  grants: new Set(["fetch"]),
});
const question = {
  allowed: false,
  effect: "connect",
  host: "a.test",
  why: "nothing allows it",
  target: { url: new URL("https://a.test/"), method: "GET" },
  policy: { scriptName: "skill" },
} as unknown as Parameters<typeof questionOf>[0];

describe("a request from the sandbox", () => {
  it("is asked about in the name of the kind of run, or of the script, and of no page", () => {
    const asked = questionOf(question, caller("run:skill"));
    expect(asked).toMatchObject({ subject: "run:skill", runId: "sandbox:run-1" });
    expect(asked).not.toHaveProperty("pageUrl");
    expect(questionOf(question, caller("u-1")).subject).toBe("script:u-1");
  });
});
