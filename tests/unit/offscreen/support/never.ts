/** A promise that stays open. */
export function never<T = void>(): Promise<T> {
  return new Promise<T>(() => undefined);
}
