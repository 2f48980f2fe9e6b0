import { fileChanged } from "../errors";
import { withinArea } from "../paths";

/** Changes that are remembered one by one. Beyond, all readers in parts begin anew, which costs less than a list without an end. */
const MOST_REMEMBERED = 10_000;

/** Tells a reader that comes in parts whether the file is still the one it began with. Versions do not outlive the store. */
export class Versions {
  readonly #changes = new Map<string, number>();
  #epoch: string;
  #last = 0;

  constructor(private readonly id: () => string) {
    this.#epoch = id();
  }

  /** The version of a file's content. */
  of(path: string): string {
    return `${this.#epoch}.${this.#changes.get(path) ?? 0}`;
  }

  changed(path: string): void {
    if (this.#changes.size >= MOST_REMEMBERED) this.forgetAll();
    this.#last += 1;
    this.#changes.set(path, this.#last);
  }

  /** Gives every file a new version. */
  forgetAll(): void {
    this.#changes.clear();
    this.#epoch = this.id();
  }

  /** @throws NamedError FileChangedError when a version is given that is not the one of now */
  check(path: string, version: string | undefined): void {
    if (version !== undefined && version !== this.of(path)) {
      throw fileChanged(withinArea(path));
    }
  }
}
