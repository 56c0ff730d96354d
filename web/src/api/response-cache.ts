// Copies of the responses that a member has read, for reading without a network. One cache per member, on this device only;
// it goes when the session ends. On a shared computer there are none.
import { changeCacheOwner, cacheOwner as present } from './cache-owner';
import { deviceOwner } from './device-owner';

/** The present member; null for a visitor, undefined until the session is known. */
export interface CacheOwner {
  memberId: string | null | undefined;
  /** Resolves with the first answer about the session: the data of a screen often come earlier. */
  known: Promise<void>;
}

const prefix = 'portia-kept:';

/**
 * Marks in localStorage that this browser stores data of the member: other tabs notice its removal. Its value is the time at which
 * the session expires or has expired.
 */
export const cacheMark = (memberId: string): string => prefix + memberId;
/** Milliseconds: the server ends a session that was not used for this time (`IDLE_TIMEOUT` of services/auth). */
const longestUnused = 14 * 24 * 60 * 60 * 1000;

/** The time at which the member's session expires or has expired; 0 if this browser does not know it. */
export const expiryOf = (memberId: string): number => Number(localStorage.getItem(cacheMark(memberId)));

/** Responses; the oldest go first. */
const mostResponses = 400;
/** Milliseconds. */
const longestKept = 14 * 24 * 60 * 60 * 1000;
/** Results of a search box, what belongs to one moment, and what moderators read of others. */
const neverKept = /^\/api\/(search|live|moderation|auth\/(?!me$)|export|sessions|docs|openapi)/;

const storage = (): CacheStorage | null => (typeof caches === 'undefined' ? null : caches);

/** Deletes the copies of everyone but the present member, and of this one on a shared computer: after every change of the session. */
export async function forgetOthers({ memberId }: CacheOwner): Promise<void> {
  const owner = deviceOwner();
  await deleteCaches((name) => memberId !== owner || name !== prefix + owner);
}

/** Failures are ignored: storage can be forbidden or full, and a copy is never needed online. */
async function deleteCaches(isDeleted: (name: string) => boolean): Promise<void> {
  const names =
    (await storage()
      ?.keys()
      .catch(() => [])) ?? [];
  const deleted = names.filter((name) => name.startsWith(prefix) && isDeleted(name));
  await Promise.all(deleted.map((name) => caches.delete(name).catch(() => false)));
}

/** Keeps a copy of a complete successful response. The caller still reads the response. */
export function keep(cacheOwner: CacheOwner, address: string, response: Response): void {
  const { pathname } = new URL(address, window.location.origin);
  const isKept =
    cacheOwner.memberId !== null &&
    response.status === 200 &&
    !response.headers.has('X-Degraded') &&
    response.headers.get('Content-Type')?.includes('json') &&
    !neverKept.test(pathname);
  if (!isKept) return;
  void store(cacheOwner, cacheOwner.memberId, address, response.clone()).catch(() => undefined);
}

async function store(
  cacheOwner: CacheOwner,
  reader: string | null | undefined,
  address: string,
  response: Response,
): Promise<void> {
  // The whole body is read first: an unread copy would hold back the response itself.
  const body = storage() && (await response.arrayBuffer());
  await cacheOwner.known;
  const memberId = reader ?? cacheOwner.memberId;
  // A visitor, or another member than the one who asked.
  if (!memberId || memberId !== cacheOwner.memberId || memberId !== deviceOwner()) return;
  localStorage.setItem(cacheMark(memberId), String(Date.now() + longestUnused));
  if (!body) return;
  const headers = new Headers(response.headers);
  headers.set('X-Kept-At', new Date().toISOString());
  const cache = await caches.open(prefix + memberId);
  await cache.put(address, new Response(body, { status: 200, headers }));
  // The session ended meanwhile, here or in another tab.
  if (memberId !== cacheOwner.memberId || memberId !== deviceOwner()) return forgetOthers(cacheOwner);
  await removeOld(cache);
}

/** Removes the copies above the maximum, and those that are too old. The oldest come first. */
async function removeOld(cache: Cache): Promise<void> {
  const kept = await cache.keys();
  const young = kept.slice(Math.max(0, kept.length - mostResponses));
  await Promise.all(kept.slice(0, kept.length - young.length).map((old) => cache.delete(old)));
  for (const copy of young) {
    if (!isTooOld(await cache.match(copy, { ignoreVary: true }))) return;
    await cache.delete(copy);
  }
}

function isTooOld(copy: Response | undefined): boolean {
  const keptAt = Date.parse(copy?.headers.get('X-Kept-At') ?? '');
  return !(Date.now() - keptAt < longestKept);
}

/** The copy of this address, unless it is too old: only of the member whose session this browser has. */
export async function cachedResponse(
  { memberId }: CacheOwner,
  address: string,
): Promise<Response | undefined> {
  const owner = deviceOwner();
  if (!storage() || !owner || (memberId ?? owner) !== owner) return undefined;
  const cacheName = prefix + owner;
  const response = await caches.match(address, { cacheName, ignoreVary: true }).catch(() => undefined);
  return isTooOld(response) ? undefined : response;
}

/**
 * The copy of the response about the session. Without the cookie of the device, the session ended with the browser of a shared
 * computer; and what an expired one left goes after its day.
 */
export async function cachedSession(address: string): Promise<Response | undefined> {
  const owner = deviceOwner();
  if (!owner || (expiryOf(owner) || Infinity) <= Date.now()) await changeCacheOwner(null, true);
  return cachedResponse(present, address);
}
