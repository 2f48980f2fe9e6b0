/** Ids of the documents that a tab shows now, in all its frames; empty when there is no such tab. */
export async function documentsOf(tabId: number): Promise<ReadonlySet<string>> {
  const frames = await chrome.webNavigation.getAllFrames({ tabId });
  return new Set((frames ?? []).map(({ documentId }) => documentId));
}
