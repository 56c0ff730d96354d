// Whether the gateway can be reached, as the last request found, and reads that fall back to kept copies while it cannot.
import { keeper } from './keeper';
import { keep, keptResponse } from './stored-responses';

let isReachable = true;
const listeners = new Set<() => void>();

/** What cannot be reached: any network, as the browser says, or only the gateway; null if both can. */
export function unreachable(): 'network' | 'gateway' | null {
  if (navigator.onLine === false) return 'network';
  return isReachable ? null : 'gateway';
}

export function onReachability(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('online', onOnline);
  window.addEventListener('offline', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('offline', listener);
  };
}

/** The next request finds out. */
const onOnline = () => setReachable(true);

export function setReachable(now: boolean): void {
  isReachable = now;
  for (const listener of listeners) listener();
}

/** A read: the response of the gateway, or without a network the copy that this browser kept. */
export async function readResponse(address: string, send: () => Promise<Response>): Promise<Response> {
  let response: Response;
  try {
    response = await send();
  } catch (failure) {
    // A read that its screen gave up says nothing about the network.
    if (failure instanceof DOMException && failure.name === 'AbortError') throw failure;
    const kept = await keptResponse(keeper, address);
    if (!kept) throw failure;
    setReachable(false);
    return kept;
  }
  if (!isReachable) setReachable(true);
  keep(keeper, address, response);
  return response;
}

/** Keeps an answer that did not come through `readResponse`: the session. */
export function keepAnswer(address: string, answer: object): void {
  keep(
    keeper,
    address,
    new Response(JSON.stringify(answer), { headers: { 'Content-Type': 'application/json' } }),
  );
}
