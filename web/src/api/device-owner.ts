// Whether this browser may store data of the member. Apart from cacheOwner.ts, because the landing page does not need it.

/**
 * The member whose data this browser may store: the cookie comes with a session, goes with it, and is not set on a shared computer.
 * Without it nothing is stored, and nothing stored is read. On https only a cookie of this very host counts: another one could come
 * from a neighbouring host.
 */
export function deviceOwner(): string | undefined {
  const host = location.protocol === 'https:' ? '__Host-' : '';
  return new RegExp(`(?:^|; )${host}portia_own_device=([\\w-]+)`).exec(document.cookie)?.[1];
}
