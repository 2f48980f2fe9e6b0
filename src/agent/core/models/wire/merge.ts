import { isRecord } from "../errors/vendor-error";
import type { WireEvent } from "./events";

/** Finds the text of a frame that carries nothing else. */
export interface TextFrames {
  /** The text, and which part of the answer it belongs to; null when the frame carries anything besides. */
  read(json: Record<string, unknown>): { part: string; text: string } | null;
  /** The same frame with another text. */
  write(json: Record<string, unknown>, text: string): Record<string, unknown>;
}

const PIECES = "moggy_pieces";

/**
 * Joins neighbouring deltas of text that came with one read of the network into one frame, which notes their lengths. A frame
 * costs the provider package some ten times what it costs here; in a burst, when the host is faster than the package, this
 * takes that cost off all deltas but one. {@link splitPieces} gives the deltas back as they were.
 */
export function mergeTexts(events: readonly WireEvent[], frames: TextFrames): WireEvent[] {
  if (events.length < 2) return [...events];
  const merged: WireEvent[] = [];
  let run: { json: Record<string, unknown>; part: string; texts: string[] } | null = null;
  let single: WireEvent | undefined;

  const close = (): void => {
    if (run && single) {
      const { json, texts } = run;
      const isOne = texts.length === 1;
      const pieces = texts.map(({ length }) => length);
      merged.push(
        isOne ? single : { kind: "data", json: { ...frames.write(json, texts.join("")), [PIECES]: pieces } },
      );
    }
    run = null;
  };

  for (const event of events) {
    const found = event.kind === "data" ? frames.read(event.json) : null;
    if (event.kind !== "data" || !found) {
      close();
      merged.push(event);
    } else if (run && run.part === found.part) {
      run.texts.push(found.text);
    } else {
      close();
      run = { json: event.json, part: found.part, texts: [found.text] };
      single = event;
    }
  }
  close();
  return merged;
}

/** The lengths that a frame notes, in UTF-16 units; undefined when it is no merged one. */
export function piecesOf(frame: unknown): number[] | undefined {
  const pieces = isRecord(frame) ? frame[PIECES] : undefined;
  const isList = Array.isArray(pieces) && pieces.every((n) => Number.isInteger(n) && n > 0);
  return isList ? (pieces as number[]) : undefined;
}

/** The deltas that a merged text is made of; the text itself when the lengths are not those of it. */
export function splitPieces(text: string, pieces: readonly number[] | undefined): string[] {
  if (!pieces || pieces.reduce((sum, n) => sum + n, 0) !== text.length) return [text];
  let at = 0;
  return pieces.map((length) => {
    at += length;
    return text.slice(at - length, at);
  });
}
