import { SessionList } from "@/platform/session-list";
import type { SessionStorage } from "@/platform/session-storage";
import { NOWHERE, type ScriptCaller } from "@/rpc/caller";
import { SANDBOX_DOCUMENT, type SandboxOwner } from "./types";

/** Something in the sandbox that may call the API. */
export interface LiveCaller {
  /** Random. Known to the worker and the offscreen document, never to a frame. */
  token: string;
  /** Of the run; a background script's own uuid. */
  id: string;
  owner: SandboxOwner;
  kind: "run" | "background";
  /** ms since the epoch after which nobody asks for it any more. */
  until: number;
  /** Whether it has called the API: then it may have had effects. */
  called: boolean;
}

export interface SandboxCallersDeps {
  session: SessionStorage;
  /** Resolves when `grantsOf` can answer. */
  scriptsRead(): Promise<unknown>;
  /** The grants that an installed and enabled script has now; undefined when it is not there or off. */
  grantsOf(uuid: string): readonly string[] | undefined;
  newToken(): string;
  now(): number;
}

const NO_GRANTS: ReadonlySet<string> = new Set();

/** Who may call from the sandbox. Kept for the session, since frames outlive the worker. */
export class SandboxCallers {
  readonly #deps: SandboxCallersDeps;
  readonly #list: SessionList<LiveCaller>;
  /** Ids as of the last change, for questions that cannot wait. */
  #live: ReadonlySet<string> = new Set();

  constructor(deps: SandboxCallersDeps) {
    this.#deps = deps;
    this.#list = new SessionList(deps.session, "sandbox.callers");
  }

  /** The caller of this id, made if there is none. */
  async admit(wanted: Pick<LiveCaller, "id" | "owner" | "kind" | "until">): Promise<LiveCaller> {
    let admitted: LiveCaller | undefined;
    await this.#change((all) => {
      const now = this.#deps.now();
      const current = all.filter(({ until }) => until > now);
      admitted = current.find(({ id, kind }) => id === wanted.id && kind === wanted.kind);
      if (admitted) return current.length === all.length ? all : current;
      admitted = { ...wanted, token: this.#deps.newToken(), called: false };
      return [...current, admitted];
    });
    if (!admitted) throw new Error("A caller that was just admitted is not there.");
    return admitted;
  }

  async find(id: string, kind: LiveCaller["kind"]): Promise<LiveCaller | undefined> {
    return (await this.#list.read()).find((caller) => caller.id === id && caller.kind === kind);
  }

  async dismiss(id: string, kind: LiveCaller["kind"]): Promise<void> {
    await this.#change((all) => {
      const rest = all.filter((caller) => caller.id !== id || caller.kind !== kind);
      return rest.length === all.length ? all : rest;
    });
  }

  /** Document ids of all that may call. */
  async documents(): Promise<ReadonlySet<string>> {
    return new Set((await this.#list.read()).map(({ id }) => SANDBOX_DOCUMENT + id));
  }

  /** Who holds a token. From then on it counts as having called, which is stored before anything is answered. */
  async identify(token: string): Promise<ScriptCaller | null> {
    const caller = (await this.#list.read()).find((live) => live.token === token);
    if (!caller) return null;
    if (caller.kind === "background") await this.#deps.scriptsRead();
    await this.#change((all) =>
      all.some((live) => live.token === token && !live.called)
        ? all.map((live) => (live.token === token ? { ...live, called: true } : live))
        : all,
    );
    const isLive = () => this.#live.has(keyOf(caller));
    const { grantsOf } = this.#deps;
    const { uuid, name, grants } = caller.owner;
    return {
      kind: "script",
      ...NOWHERE,
      documentId: SANDBOX_DOCUMENT + caller.id,
      uuid,
      name,
      get grants() {
        if (!isLive()) return NO_GRANTS;
        return new Set(caller.kind === "run" ? grants : grantsOf(uuid));
      },
      get gone() {
        return !isLive() || (caller.kind === "background" && grantsOf(uuid) === undefined);
      },
    };
  }

  async #change(change: (all: readonly LiveCaller[]) => readonly LiveCaller[]): Promise<void> {
    await this.#list.update(change);
    this.#live = new Set((await this.#list.read()).map(keyOf));
  }
}

function keyOf({ kind, id }: LiveCaller): string {
  return `${kind} ${id}`;
}
