import type { ConsentRequest } from "./types";

const MOST_NAME = 80;
const MOST_DETAIL = 500;

/**
 * Text of an asker as one harmless line: without control and invisible characters, without those that turn the direction of writing,
 * without line breaks and towers of accents, cut to `most` characters.
 */
export function displayText(text: string, most: number): string {
  const line = text
    .toWellFormed()
    .replace(/\p{Cf}/gu, "")
    // With letters that show nothing: Hangul fillers, the empty Braille cell.
    .replace(/[\u115f\u1160\u3164\uffa0\u2800\s]/gu, " ")
    .replace(/[\p{Cc}\p{Co}\p{Cn}]/gu, "")
    .replace(/(\p{M}{3})\p{M}+/gu, "$1")
    .replace(/ {2,}/g, " ")
    .trim();
  const characters = [...line];
  return characters.length > most
    ? `${characters
        .slice(0, most - 1)
        .join("")
        .trimEnd()}…`
    : line;
}

/** The name of a script or run, as one short line. */
export function displayName(name: string): string {
  return displayText(name, MOST_NAME);
}

/** A request as it may be shown and stored. Its subject, effect and host are the worker's own words and stay. */
export function presentable(request: ConsentRequest): ConsentRequest {
  const { subject, effect, host, subjectName, detail, runId, pageUrl, tabId } = request;
  return {
    subject,
    effect,
    host,
    subjectName: displayName(subjectName) || subject.slice(0, MOST_NAME),
    ...(detail === undefined ? {} : { detail: displayText(detail, MOST_DETAIL) }),
    ...(runId === undefined ? {} : { runId }),
    ...(pageUrl === undefined ? {} : { pageUrl: displayText(pageUrl, MOST_DETAIL) }),
    ...(tabId === undefined ? {} : { tabId }),
  };
}
