/** What the address of the install page asks for. */
export type Start =
  | { kind: "choose"; tab: "paste" | "file" | "url" }
  /** Fetch at once. */
  | { kind: "url"; url: string }
  /** Review what this tab holds already, from a file dropped on another page. */
  | { kind: "draft" }
  /** Change an installed script. */
  | { kind: "script"; uuid: string };

/** Reads `#paste`, `#file`, `#url`, `#url=<address>`, `#draft`, `#script=<uuid>`; anything else is an empty paste. */
export function readStart(hash: string): Start {
  const [name = "", ...rest] = hash.replace(/^#/, "").split("=");
  const value = decode(rest.join("="));
  if (name === "url") return value ? { kind: "url", url: value } : { kind: "choose", tab: "url" };
  if (name === "script" && value) return { kind: "script", uuid: value };
  if (name === "draft") return { kind: "draft" };
  return { kind: "choose", tab: name === "file" ? "file" : "paste" };
}

/** An address may be given percent-encoded or plain; a stray percent sign makes it plain. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Not an encoding, so it is meant as written.
    return text;
  }
}
