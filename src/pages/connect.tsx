import { createContext, type ReactNode, useContext } from "react";
import type { ModelsContract } from "@/agent/contract/models";
import type { ConsentContract } from "@/consent/contract";
import type { FilesContract } from "@/files/contract";
import type { LogContract } from "@/log/contract";
import type { DataContract } from "@/migrations/contract";
import { RpcClient } from "@/rpc/client";
import type { Client } from "@/rpc/contract";
import type { Connect } from "@/rpc/transport";
import type { BackgroundContract } from "@/sandbox/contract/background";
import type { SettingsContract } from "@/settings/contract";
import type { ScriptsContract } from "@/userscripts/contract";

/** What the worker offers to pages; one line a service. */
export interface Services {
  scripts: Client<ScriptsContract>;
  models: Client<ModelsContract>;
  settings: Client<SettingsContract>;
  log: Client<LogContract>;
  consent: Client<ConsentContract>;
  files: Client<FilesContract>;
  data: Client<DataContract>;
  background: Client<BackgroundContract>;
}

/** One connection for the whole page; it opens on the first call and again by itself after a worker death. */
export function createServices(connect: Connect): Services {
  const client = new RpcClient(connect);
  return {
    scripts: client.of<ScriptsContract>("scripts"),
    models: client.of<ModelsContract>("agent.models"),
    settings: client.of<SettingsContract>("settings"),
    log: client.of<LogContract>("log"),
    consent: client.of<ConsentContract>("consent"),
    files: client.of<FilesContract>("files"),
    data: client.of<DataContract>("data"),
    background: client.of<BackgroundContract>("background"),
  };
}

const ServicesContext = createContext<Services | null>(null);

export function ServicesProvider({ services, children }: { services: Services; children: ReactNode }) {
  return <ServicesContext value={services}>{children}</ServicesContext>;
}

/** The services of the page. */
export function useServices(): Services {
  const services = useContext(ServicesContext);
  if (!services)
    throw new Error("useServices() was called outside of <ServicesProvider>. Wrap the page in it.");
  return services;
}
