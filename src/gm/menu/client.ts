import { REPEATABLE } from "@/rpc/client";
import { eventsOf } from "../events/client";
import { bothForms, need, perSession } from "../forms";
import { first, later, put, SafeMap } from "../natives";
import type { GmFunction } from "../types";
import type { CommandSpec, MenuContract } from "./contract";

/** Characters of a text, as the contract has it. */
const MOST_TEXT = 2000;

type Callback = (event: MouseEvent) => unknown;

interface MenuOptions {
  id?: string | number;
  title?: string;
  accessKey?: string;
  autoClose?: boolean;
}

/** A script's commands in one document. The list is sent whole, once a turn, and again whenever the worker may have lost it. */
const menuOf = perSession((session) => {
  const events = eventsOf(session);
  const commands = new SafeMap<string, { spec: CommandSpec; run: Callback }>();
  let lastId = 0;
  let scheduled = false;

  events.menu = {
    opened: () => send(),
    // One that is not there was removed while the click was on its way.
    take: ({ id }) => void click(commands.get(id)?.run),
  };

  return {
    /** Adds a command, or replaces the one with the same `options.id`; a string in place of options is the access key. */
    add(caption: unknown, run: Callback, options?: MenuOptions | string | null): string | number {
      need(typeof run === "function", "A menu command needs a function to run.");
      const given: MenuOptions = typeof options === "string" ? { accessKey: options } : (options ?? {});
      const { id = ++lastId, title, autoClose = true } = given;
      const key = `${given.accessKey ?? ""}`.trim();
      const spec = {
        id: `${id}`,
        caption: shown(caption),
        hint: title ? shown(title) : undefined,
        autoClose: !!autoClose,
        // One character of any kind is a key; what is not one cannot be pressed and is left out.
        accessKey: [...key].length === 1 ? key : undefined,
      };
      need(spec.id.length <= 200, "A menu command's id has at most 200 characters.");
      commands.set(spec.id, { spec, run });
      changed();
      return id;
    },
    remove(id: unknown): void {
      if (commands.delete(`${id}`)) changed();
    },
  };

  async function click(run: Callback | undefined): Promise<void> {
    try {
      await run?.(new MouseEvent("click"));
    } catch (error) {
      session.reportError(error);
    }
  }

  function changed(): void {
    if (scheduled) return;
    scheduled = true;
    later(() => {
      scheduled = false;
      // Opening sends the list by itself.
      if (events.isOpen) void send();
      else events.need();
    });
  }

  async function send(): Promise<void> {
    const list: CommandSpec[] = [];
    commands.forEach(({ spec }) => void put(list, list.length, spec));
    try {
      await session.rpc.of<MenuContract>("gm.menu").call("set", { commands: list }, REPEATABLE);
    } catch (error) {
      session.reportError(error);
    }
  }
});

/** As text that is not longer than the worker takes: one command that it refused would keep all from the menu. */
const shown = (text: unknown): string => first(MOST_TEXT, `${text}`);

export const MENU_FUNCTIONS: readonly GmFunction[] = [
  bothForms("registerMenuCommand", (session, caption: unknown, run: Callback, options?: MenuOptions) =>
    menuOf(session).add(caption, run, options),
  ),
  bothForms("unregisterMenuCommand", (session, id: unknown) => menuOf(session).remove(id)),
];
