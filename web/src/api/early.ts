// Answers that src/app/early.js asked for while the client's code was on its way.

declare global {
  interface Window {
    /** By path and query. */
    portiaEarly?: Map<string, Promise<Response>>;
  }
}

/** The answer to a GET of this address, for the first who wants it, soon after the page was opened. */
export function early(address: string): Promise<Response> | undefined {
  const answer = window.portiaEarly?.get(address);
  window.portiaEarly?.delete(address);
  return answer;
}

/** Another person is looking now. */
export function forgetEarly(): void {
  window.portiaEarly?.clear();
}
