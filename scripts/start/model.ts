import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Stop } from "../lib/stop.mjs";
import type { EvalClient } from "./eval-client";

export interface ModelChoice {
  /** As the Models page lists it. */
  title: string;
  /** Base URL of an OpenAI-compatible host. */
  url: string;
  /** The model's name there. */
  name: string;
  apiKey?: string;
}

type Sender = Pick<EvalClient, "send">;

/**
 * Makes a model the default of the profile. Every start sets the same config, whose id is kept in the profile, so that the list of
 * models does not grow by one each time.
 */
export async function setModel(client: Sender, model: ModelChoice, profile: string): Promise<void> {
  const notePath = join(profile, "moggy-start.json");
  const config = {
    name: model.title,
    provider: "openai-compatible",
    apiBaseUrl: model.url,
    model: model.name,
    // Empty removes the key that another host may have had.
    apiKey: model.apiKey ?? "",
  };
  const known = existsSync(notePath)
    ? (JSON.parse(await readFile(notePath, "utf8")) as { modelId: string }).modelId
    : undefined;
  let id = known && (await update(client, config, known));
  id ??= await save(client, config);
  await writeFile(notePath, JSON.stringify({ modelId: id }));
}

async function save(client: Sender, config: Record<string, unknown>): Promise<string> {
  return ((await client.send("eval:setModel", config)) as { id: string }).id;
}

/** The id again, or undefined when the person has removed that config: then a new one is made. */
async function update(
  client: Sender,
  config: Record<string, unknown>,
  id: string,
): Promise<string | undefined> {
  try {
    return await save(client, { ...config, id });
  } catch (error) {
    if (error instanceof Stop) return undefined;
    throw error;
  }
}
