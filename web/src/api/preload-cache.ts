// Responses that src/app/preload.js requested while the client's code was loading.

declare global {
  interface Window {
    /** By path and query. */
    portiaPreloaded?: Map<string, Promise<Response>>;
  }
}

/** The preloaded response to a GET of this address, once, shortly after the page was opened. */
export function takePreload(address: string): Promise<Response> | undefined {
  const answer = window.portiaPreloaded?.get(address);
  window.portiaPreloaded?.delete(address);
  return answer;
}

/** Clears the preloaded responses after a change of the session. */
export function clearPreloads(): void {
  window.portiaPreloaded?.clear();
}
