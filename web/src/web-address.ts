// Validation of outside addresses before they become a link.

/** http(s) directly followed by a host: no userinfo, no backslash that a browser would read as a slash. */
const plainWebAddress = /^https?:\/\/[^/?#\\@]+(?=[/?#]|$)/i;

const beforePath = /^[^/]*\/\/[^/?#]+/;
/** Whether a host or address has letters of other alphabets or signs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the whole of ASCII.
const notAscii = /[^\u0000-\u007f]/;

/**
 * Returns an outside address that may become a link, by the rule of the server: http(s) without userinfo and without
 * invisible characters. The server accepts no others; this is the second check. An international host is in Punycode, as the server
 * stores it.
 */
export function webAddress(url: string | null): string | null {
  if (!url || url.length > 2_048 || /[\p{Cc}\p{Cf}\s]/u.test(url)) return null;
  if (!plainWebAddress.test(url)) return null;
  // Node 20, which runs the tests, refuses Latin-1 letters in `URL.canParse` once it has compiled the call.
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    return null;
  }
  const { protocol, host } = parsed;
  return url.replace(beforePath, (shown) => (notAscii.test(shown) ? `${protocol}//${host}` : shown));
}

/** The host that a browser opens, if the text of a link shows another one; null otherwise. */
export function hiddenHost(shown: string, href: string): string | null {
  const { host } = new URL(href);
  return host.includes('xn--') && !shown.toLowerCase().includes(host) ? host : null;
}
