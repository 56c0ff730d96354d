// Which addresses outside Portia may become a link.

/** http(s), then a host at once: no userinfo, no backslash that a browser would read as a slash. */
const plainWebAddress = /^https?:\/\/[^/?#\\@]+(?=[/?#]|$)/i;

/**
 * An address outside Portia as a link may carry it, by the server's rule: http(s) without userinfo, and nothing in it that
 * cannot be seen. The server lets no other in; this is the second lock.
 */
export function webAddress(url: string | null): string | null {
  if (!url || url.length > 2_048 || /[\p{Cc}\p{Cf}\s]/u.test(url)) return null;
  return plainWebAddress.test(url) && URL.canParse(url) ? url : null;
}
