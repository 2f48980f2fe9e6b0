import { registerErrors } from "./errors/handler";
import { registerEvents } from "./events/handler";
import { EventHub } from "./events/hub";
import type { GmHost } from "./host";
import { MenuCommands, registerMenu } from "./menu/handler";
import { registerRelay } from "./relay/handler";
import { openValueStore, readAllDecoded, registerValues } from "./values/handler";
import { registerXmlhttp } from "./xmlhttp/handler";

/** What the rest of the worker needs of the GM APIs. */
export interface GmServices {
  values: {
    /** Encoded values and their revision, for registrations. */
    readAll(uuid: string): Promise<{ entries: Record<string, string>; revision: number }>;
    /** Values as a person's tools show them. */
    readAllDecoded(uuid: string): Promise<Record<string, unknown>>;
    /** Deletes all values of a script. */
    clear(uuid: string): Promise<void>;
  };
  menu: Pick<MenuCommands, "commandsFor" | "run" | "onChange">;
}

/** Registers the worker half of every GM API on the router. Adding one is a folder and a line here. */
export function registerGmHandlers(host: GmHost): GmServices {
  const hub = new EventHub(host, (target) => {
    menu.drop(target).catch((error: unknown) => host.report("Clearing the menu commands of a page", error));
  });
  const menu = new MenuCommands(host, hub);
  const values = openValueStore(host, hub);
  registerErrors(host);
  registerRelay(host);
  registerEvents(host, hub, values);
  registerValues(host, values);
  registerMenu(host, menu);
  registerXmlhttp(host);
  return {
    values: {
      readAll: (uuid) => values.readAll(uuid),
      readAllDecoded: (uuid) => readAllDecoded(values, uuid),
      clear: async (uuid) => void (await values.clear(uuid)),
    },
    menu,
  };
}
