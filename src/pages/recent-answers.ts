/**
 * The last answers of a page's calls, so that going back to a place shows it at once, at its full height, instead of a
 * skeleton. They are a picture of a moment ago: each is asked for again.
 */
const answers = new WeakMap<object, Map<string, unknown>>();

/** Few, since an answer may hold the code of a script. */
const MOST = 16;
/** A long input is code under review; its answer is of no use a second time. */
const LONGEST_KEY = 200;

/** What a client's method last answered to this input; undefined when it is not known. */
export function recall<T>(client: object, method: string, key: string): T | undefined {
  return answers.get(client)?.get(`${method} ${key}`) as T | undefined;
}

export function remember(client: object, method: string, key: string, answer: unknown): void {
  if (key.length > LONGEST_KEY) return;
  const mine = answers.get(client) ?? new Map<string, unknown>();
  answers.set(client, mine);
  const name = `${method} ${key}`;
  // Taken out first, so that it becomes the youngest.
  mine.delete(name);
  mine.set(name, answer);
  for (const oldest of mine.keys()) {
    if (mine.size <= MOST) break;
    mine.delete(oldest);
  }
}
