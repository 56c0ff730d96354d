// Whether passkeys work here. Small, because the sign-in card needs it before it is drawn.

/** An IP address is no identifier of a relying party (WebAuthn Level 3, section 4). */
export const isAddress = (host: string) => /^[\d.]+$/.test(host) || host.startsWith('[');

/** The browser has passkeys, and the page has an address for which it offers them. */
export function hasPasskeys(host = window.location.hostname): boolean {
  return window.isSecureContext && typeof globalThis.PublicKeyCredential === 'function' && !isAddress(host);
}
