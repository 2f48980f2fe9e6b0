/** What is known of a frame that fell silent, or was ended, together with others. */
export interface Suspect {
  /** It said that a task of its began, and not that it was over. */
  inside: boolean;
  /** ms for which it had run until then. */
  ranMs: number;
}

/** A frame that has run for so long without a fault is believed over one that has not. Less than what services start suspects apart. */
export const TRUSTED_MS = 15_000;

/**
 * Who is to blame of frames in one process, all of which one of them took along. Those that were inside a task; when none said so (the
 * task began in a way that is not watched), all. Of these, those that had only just been started, if there are such.
 */
export function toBlame<S extends Suspect>(frames: readonly S[]): S[] {
  const inside = frames.filter((frame) => frame.inside);
  const suspects = inside.length > 0 ? inside : [...frames];
  const young = suspects.filter(({ ranMs }) => ranMs < TRUSTED_MS);
  return young.length > 0 ? young : suspects;
}
