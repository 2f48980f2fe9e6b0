/** Event names and words that hosts and proxies send only to keep a connection open. */
const NAMES = /^(ping|pong|keep-?alive|heartbeat)$/i;

/**
 * True for an event that carries nothing (C092): comments wrapped in data by a proxy (`data: : keepalive`), empty data, a
 * bare word, `event: ping`, and Anthropic's `{"type":"ping"}`. Real comments never get this far.
 */
export function isKeepAlive(event: string | undefined, data: string): boolean {
  if (event !== undefined && NAMES.test(event)) return true;
  const text = data.trim();
  return (
    text === "" || text.startsWith(":") || NAMES.test(text) || /^\{\s*"type"\s*:\s*"ping"\s*\}$/.test(text)
  );
}
