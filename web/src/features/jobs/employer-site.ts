// The employer's own site.

/** The host of an address without `www.`. */
export function hostOf(address: string): string {
  return new URL(address).hostname.replace(/^www\./, '');
}
