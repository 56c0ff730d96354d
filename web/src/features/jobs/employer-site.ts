// The employer's own site: its host name, and opening it in a new tab.

/** The host of an address without `www.`. */
export function hostOf(address: string): string {
  return new URL(address).hostname.replace(/^www\./, '');
}

/**
 * Opens a new tab without access to this one; false if the browser blocks it. The `noopener` feature would hide the
 * result of `window.open`, so the opener is removed before the site loads.
 */
export function openInNewTab(address: string): boolean {
  const tab = window.open('about:blank', '_blank');
  if (!tab) return false;
  tab.opener = null;
  tab.location.href = address;
  return true;
}
