import { describe, expect, it } from "vitest";
import { BaseUrlError, normalizeBaseUrl } from "@/agent/core/models/url";

describe("normalizeBaseUrl", () => {
  it.each([
    ["https://api.openai.com/v1", "https://api.openai.com/v1"],
    [" https://API.OpenAI.com/v1// ", "https://api.openai.com/v1"],
    ["http://localhost:11434", "http://localhost:11434"],
    ["http://[::1]:8080/v1/", "http://[::1]:8080/v1"],
    ["https://host.test/a@b/v1", "https://host.test/a@b/v1"],
  ])("%s is %s: nothing is added", (text, expected) => {
    expect(normalizeBaseUrl(text)).toBe(expected);
  });

  it.each([
    ["", "empty"],
    ["api.openai.com/v1", "begin with http"],
    ["localhost:11434/v1", "begin with http"],
    ["ftp://host/v1", "begin with http"],
    ["javascript:alert(1)", "begin with http"],
    ["https://user:secret@host/v1", "user name"],
    ["https://@host/v1", "user name"],
    ["https://host/v1?key=x", "after"],
    ["https://host/v1#x", "after"],
    ["https://host/v1/chat/completions", "/chat/completions"],
    ["https://host/v1/messages/", "/messages"],
  ])("%s is refused with a sentence that says %s", (text, word) => {
    expect(() => normalizeBaseUrl(text)).toThrow(BaseUrlError);
    expect(() => normalizeBaseUrl(text)).toThrow(word);
  });
});
