// Answers that src/app/preload.js asked for while the client's code was on its way.

declare global {
  interface Window {
    /** By path and query. */
    portiaPreloaded?: Map<string, Promise<Response>>;
  }
}

/** The answer to a GET of this address, for the first who wants it, soon after the page was opened. */
export function preloaded(address: string): Promise<Response> | undefined {
  const answer = window.portiaPreloaded?.get(address);
  window.portiaPreloaded?.delete(address);
  return answer;
}

/** Another person is looking now. */
export function forgetPreloaded(): void {
  window.portiaPreloaded?.clear();
}
