import type { CallContext } from "@/rpc/caller";
import type { Handlers } from "@/rpc/contract";
import { FileChanges } from "./changes";
import { type FileStoreContract, fileStoreContract } from "./contract";
import { type FileStoreDeps, StoreCore } from "./core";
import { Once } from "./once";
import { FileReads } from "./reads";
import { WriteSessions } from "./sessions";

export interface FileStore {
  core: StoreCore;
  reads: FileReads;
  changes: FileChanges;
  contract: FileStoreContract;
  handlers: Handlers<FileStoreContract, CallContext>;
}

/** The file store over a file system, and the handlers of its contract. */
export function createFileStore(deps: FileStoreDeps): FileStore {
  const core = new StoreCore(deps);
  const reads = new FileReads(core);
  const changes = new FileChanges(core);
  const sessions = new WriteSessions(core, changes);
  const once = new Once();
  return {
    core,
    reads,
    changes,
    contract: fileStoreContract,
    handlers: {
      write: ({ op, place, content }) => once.run(op, () => changes.write(place, content)),
      append: ({ op, place, content }) => once.run(op, () => changes.append(place, content)),
      move: ({ op, from, to, overwrite }) => once.run(op, () => changes.move(from, to, overwrite)),
      delete: ({ op, place }) => once.run(op, () => changes.delete(place)),
      read: ({ place }) => reads.read(place),
      range: ({ place, offset, length, version }) => reads.range(place, offset, length, version),
      stat: ({ place }) => reads.stat(place),
      list: ({ place }) => reads.list(place),
      usage: () => reads.usage(),
      clear: () => changes.clear(),
      begin: ({ op, place }) => once.run(`begin ${op}`, () => sessions.begin(op, place)),
      part: ({ op, offset, content }) => sessions.part(op, offset, content),
      commit: ({ op }) => once.run(`commit ${op}`, () => sessions.commit(op)),
      abort: ({ op }) => sessions.abort(op),
    },
  };
}
