import { opfsContract } from "@/agent/contract/opfs";
import type { OffscreenLink } from "@/offscreen/types";
import type { MoggyDatabase } from "@/platform/db";
import type { Keepalive } from "@/platform/keepalive";
import type { CallContext } from "@/rpc/caller";
import type { Handlers } from "@/rpc/contract";
import type { Router } from "@/rpc/server";
import { AttachmentService } from "./attachments";
import { type FilesContract, filesContract } from "./contract";
import { scriptFileHandlers } from "./script-handlers";
import { FileService } from "./service";
import { type FileStoreContract, fileMethods } from "./store/contract";

export interface FilesDeps {
  router: Router;
  db: MoggyDatabase;
  offscreen: Pick<OffscreenLink, "of">;
  keepalive: Pick<Keepalive, "hold">;
  now(): number;
}

export interface Files {
  files: FileService;
  attachments: AttachmentService;
  /** Deletes what nobody needs any more. Where there is no such row, nothing is started for it. */
  tidy(): Promise<void>;
}

/** Files in the worker: for other services, for our pages (`files`) and for scripts (`agent.opfs`). Costs nothing until it is used. */
export function createFiles({ router, db, offscreen, keepalive, now }: FilesDeps): Files {
  const id = () => crypto.randomUUID();
  const files = new FileService({ store: offscreen.of<FileStoreContract>("files.store"), keepalive, id });
  const attachments = new AttachmentService({ db, files, now, id });
  router.register(opfsContract, scriptFileHandlers(files, attachments));
  router.register(filesContract, {
    ...passedOn(files),
    cleanUp: () => attachments.collect(),
  });
  return {
    files,
    attachments,
    tidy: async () => {
      if (await attachments.anyUnused()) await attachments.collect();
    },
  };
}

/** Our pages may do all that the store does. */
function passedOn({ store }: FileService): Omit<Handlers<FilesContract, CallContext>, "cleanUp"> {
  const handlers = Object.keys(fileMethods).map((method) => [
    method,
    (input: unknown, { signal }: CallContext) =>
      store.call(method as keyof typeof fileMethods, input as never, { signal }),
  ]);
  return Object.fromEntries(handlers) as Omit<Handlers<FilesContract, CallContext>, "cleanUp">;
}
