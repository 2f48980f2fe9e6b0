import { eventsOf } from "../events/client";
import type { GmFunction, ScriptSession } from "../types";
import type { CommandSpec, MenuContract } from "./contract";

type Callback = (event: MouseEvent) => unknown;

interface MenuOptions {
  id?: string | number;
  title?: string;
  accessKey?: string;
  autoClose?: boolean;
}

/** A script's commands in one document. The list is sent whole, once a turn, and again whenever the worker may have lost it. */
class Menu {
  readonly #session: ScriptSession;
  readonly #commands = new Map<string, { spec: CommandSpec; run: Callback }>();
  #lastId = 0;
  #scheduled = false;

  constructor(session: ScriptSession) {
    this.#session = session;
    const events = eventsOf(session);
    events.on((event) => {
      if (event.type === "menu") this.#run(event.id);
    });
    events.onOpen(() => this.#send());
  }

  /**
   * Adds a command, or replaces the one with the same `options.id`.
   * @param options an access key, or an object (both forms are in use)
   */
  add(caption: unknown, run: unknown, options?: MenuOptions | string): string | number {
    if (typeof run !== "function") {
      throw new TypeError(
        `registerMenuCommand("${String(caption)}", …) needs a function, not ${typeof run}.`,
      );
    }
    const {
      id = ++this.#lastId,
      title,
      accessKey,
      autoClose,
    } = typeof options === "string" ? ({ accessKey: options } as MenuOptions) : (options ?? {});
    const spec: CommandSpec = {
      id: String(id),
      caption: String(caption).slice(0, 2000),
      autoClose: autoClose !== false,
    };
    if (title !== undefined) spec.hint = String(title).slice(0, 2000);
    // One character of any kind is a key; what is not one cannot be pressed and is left out.
    if (typeof accessKey === "string" && [...accessKey.trim()].length === 1)
      spec.accessKey = accessKey.trim();
    this.#commands.set(spec.id, { spec, run: run as Callback });
    this.#schedule();
    return id;
  }

  remove(id: unknown): void {
    if (this.#commands.delete(String(id))) this.#schedule();
  }

  #run(id: string): void {
    const command = this.#commands.get(id);
    // Removed while the click was on its way.
    if (!command) return;
    try {
      const result = command.run(new MouseEvent("click"));
      if (result instanceof Promise) result.catch((error: unknown) => this.#session.reportError(error));
    } catch (error) {
      this.#session.reportError(error);
    }
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      const events = eventsOf(this.#session);
      // Opening sends the list by itself.
      if (events.isOpen) this.#send();
      else events.need();
    });
  }

  #send(): void {
    const commands = [...this.#commands.values()].map(({ spec }) => spec);
    this.#session.rpc
      .of<MenuContract>("gm.menu")
      .call("set", { commands }, { repeatable: true })
      .catch((error: unknown) => this.#session.reportError(error));
  }
}

const menus = new WeakMap<ScriptSession, Menu>();

function menuOf(session: ScriptSession): Menu {
  let menu = menus.get(session);
  if (!menu) {
    menu = new Menu(session);
    menus.set(session, menu);
  }
  return menu;
}

const registerMenuCommand: GmFunction = {
  name: "registerMenuCommand",
  legacy: (session) => (caption: unknown, run: unknown, options?: MenuOptions | string) =>
    menuOf(session).add(caption, run, options),
  modern: (session) => async (caption: unknown, run: unknown, options?: MenuOptions | string) =>
    menuOf(session).add(caption, run, options),
};

const unregisterMenuCommand: GmFunction = {
  name: "unregisterMenuCommand",
  legacy: (session) => (id: unknown) => menuOf(session).remove(id),
  modern: (session) => async (id: unknown) => menuOf(session).remove(id),
};

export const MENU_FUNCTIONS: readonly GmFunction[] = [registerMenuCommand, unregisterMenuCommand];
