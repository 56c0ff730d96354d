// Whether the gateway can be reached, as the last request found, and reads that fall back to kept copies while it cannot.
import { cacheOwner } from './cache-owner';
import { cachedResponse, keep } from './response-cache';

let isReachable = true;
/** Called when the gateway is reached again, or not any more. */
export const reachabilityListeners = new Set<() => void>();

export const isGatewayReachable = (): boolean => isReachable;

export function setReachable(now: boolean): void {
  isReachable = now;
  for (const listener of reachabilityListeners) listener();
}

/** A read: the response of the gateway, or without a network the copy that this browser kept. */
export async function readResponse(address: string, send: () => Promise<Response>): Promise<Response> {
  let response: Response;
  try {
    response = await send();
  } catch (failure) {
    // A read that its screen gave up says nothing about the network.
    if (failure instanceof DOMException && failure.name === 'AbortError') throw failure;
    const kept = await cachedResponse(cacheOwner, address);
    if (!kept) throw failure;
    setReachable(false);
    return kept;
  }
  if (!isReachable) setReachable(true);
  keep(cacheOwner, address, response);
  return response;
}

/** Keeps an answer that did not come through `readResponse`: the session. */
export function keepAnswer(address: string, answer: object): void {
  keep(
    cacheOwner,
    address,
    new Response(JSON.stringify(answer), { headers: { 'Content-Type': 'application/json' } }),
  );
}
