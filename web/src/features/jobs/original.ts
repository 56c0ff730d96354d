// The employer's own site: its name, and a tab for it beside Portia.

/** The host of an address, as people say it. */
export function hostOf(address: string): string {
  return new URL(address).hostname.replace(/^www\./, '');
}

/**
 * Opens a new tab that cannot reach back to this one; false where the browser does not let it. `noopener` among the features
 * would hide from us whether it did, so the way back is cut before the site is there.
 */
export function openBeside(address: string): boolean {
  const tab = window.open('about:blank', '_blank');
  if (!tab) return false;
  tab.opener = null;
  tab.location.href = address;
  return true;
}
