// Validation of outside addresses before they become a link.

/** http(s) directly followed by a host: no userinfo, no backslash that a browser would read as a slash. */
const plainWebAddress = /^https?:\/\/[^/?#\\@]+(?=[/?#]|$)/i;

/**
 * Returns an outside address that may become a link, by the rule of the server: http(s) without userinfo and without
 * invisible characters. The server accepts no others; this is the second check.
 */
export function webAddress(url: string | null): string | null {
  if (!url || url.length > 2_048 || /[\p{Cc}\p{Cf}\s]/u.test(url)) return null;
  return plainWebAddress.test(url) && URL.canParse(url) ? url : null;
}
