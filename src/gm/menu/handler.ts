import { SessionList } from "@/platform/session-list";
import { NamedError } from "@/rpc/errors";
import { Listeners } from "@/rpc/listeners";
import type { MenuCommand } from "@/userscripts/types";
import type { EventHub, Target } from "../events/hub";
import type { GmHost } from "../host";
import { type CommandSpec, menuContract } from "./contract";

/** A command as the popup shows it. */
export interface ShownCommand extends MenuCommand {
  hint?: string;
  autoClose: boolean;
}

/** The commands of one script in one document. */
interface Entry extends Target {
  frameId: number;
  commands: CommandSpec[];
}

/** Menu commands of all tabs. Kept in session storage per tab, since they outlive the worker but not the document. */
export class MenuCommands {
  readonly #tabs = new Map<number, SessionList<Entry>>();
  readonly #listeners = new Listeners();

  constructor(
    private readonly host: Pick<GmHost, "session" | "scripts" | "documents">,
    private readonly hub: Pick<EventHub, "deliver">,
  ) {}

  /** The commands of all scripts that are in the tab now, in the order of registration. */
  async commandsFor(tabId: number): Promise<ShownCommand[]> {
    const entries = await this.#present(tabId);
    const shown = await Promise.all(
      entries.map(async (entry) => {
        const head = await this.host.scripts.get(entry.uuid);
        if (!head?.enabled) return [];
        return entry.commands.map((command) => show(entry, head.name, command));
      }),
    );
    return shown.flat();
  }

  /**
   * Runs a command, waking its document when needed.
   * @throws NotFoundError when it is not there any more, TimeoutError when its page does not answer
   */
  async run(tabId: number, key: string): Promise<void> {
    for (const entry of await this.#present(tabId)) {
      const command = entry.commands.find(({ id }) => keyOf(entry, id) === key);
      if (!command) continue;
      try {
        return await this.hub.deliver(entry, { type: "menu", id: command.id });
      } catch (error) {
        if (error instanceof NamedError && error.name === "NotFoundError") await this.drop(entry);
        throw error;
      }
    }
    throw new NamedError(
      "NotFoundError",
      "This command is not there any more: its page was left, or the script removed it.",
    );
  }

  /** Replaces the commands of a script in a document. */
  async set(target: Target & { frameId: number }, commands: CommandSpec[]): Promise<void> {
    const { tabId, documentId, uuid, frameId } = target;
    await this.#tab(tabId).update((entries) => {
      const next: Entry = { tabId, documentId, uuid, frameId, commands };
      const at = entries.findIndex((entry) => isOf(entry, target));
      if (commands.length === 0) return entries.filter((_, i) => i !== at);
      return at < 0 ? [...entries, next] : entries.map((entry, i) => (i === at ? next : entry));
    });
    this.#changed();
  }

  /** Forgets a script's commands in a document that is gone. */
  async drop(target: Target): Promise<void> {
    let found = false;
    await this.#tab(target.tabId).update((entries) => {
      found = entries.some((entry) => isOf(entry, target));
      return found ? entries.filter((entry) => !isOf(entry, target)) : entries;
    });
    if (found) this.#changed();
  }

  /** Runs `listener` at each change; returns what stops that. */
  readonly onChange = this.#listeners.add;

  /** Entries whose document the tab still shows; the others were left while no worker ran, and go. */
  async #present(tabId: number): Promise<readonly Entry[]> {
    const list = this.#tab(tabId);
    if ((await list.read()).length === 0) return [];
    const documents = await this.host.documents(tabId);
    await list.update((entries) =>
      entries.every(({ documentId }) => documents.has(documentId))
        ? entries
        : entries.filter(({ documentId }) => documents.has(documentId)),
    );
    return list.read();
  }

  #tab(tabId: number): SessionList<Entry> {
    let list = this.#tabs.get(tabId);
    if (!list) {
      list = new SessionList<Entry>(this.host.session, `gm.menu.${tabId}`);
      this.#tabs.set(tabId, list);
    }
    return list;
  }

  #changed(): void {
    this.#listeners.tell();
  }
}

function isOf(entry: Target, target: Target): boolean {
  return entry.documentId === target.documentId && entry.uuid === target.uuid;
}

function keyOf({ documentId, uuid }: Target, id: string): string {
  return JSON.stringify([documentId, uuid, id]);
}

function show(entry: Entry, scriptName: string, command: CommandSpec): ShownCommand {
  const { id, caption, hint, accessKey, autoClose } = command;
  const shown: ShownCommand = {
    key: keyOf(entry, id),
    uuid: entry.uuid,
    scriptName,
    title: caption,
    frameId: entry.frameId,
    autoClose,
  };
  if (hint !== undefined) shown.hint = hint;
  if (accessKey !== undefined) shown.accessKey = accessKey;
  return shown;
}

/** The worker half of the menu functions. */
export function registerMenu(host: GmHost, menu: MenuCommands): void {
  host.router.register(menuContract, {
    set: async ({ commands }, { caller }) => {
      if (caller.kind !== "script")
        throw new NamedError("PermissionDeniedError", "Only scripts have menu commands.");
      const { tabId, documentId, frameId, uuid } = caller;
      await menu.set({ tabId, documentId, frameId, uuid }, commands);
    },
  });
}
