// A browser and its system in plain words, from what it says about itself.

export interface BrowserName {
  browser: string;
  /** Null when it does not say. */
  system: string | null;
}

/** In this order: most browsers also claim to be the ones further down. */
const browsers: [string, RegExp][] = [
  ['Edge', /\bEdg(?:A|iOS)?\//],
  ['Opera', /\b(?:OPR|OPT)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Vivaldi', /\bVivaldi\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Headless)?(?:Chrome|CriOS)\//],
  ['Safari', /\bVersion\/\S+ .*\bSafari\//],
];
const systems: [string, RegExp][] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['Chromebook', /\bCrOS\b/],
  ['Mac', /\bMac(?:intosh| OS X)\b/],
  ['Linux', /\bLinux\b/],
];

/** Null for what is no browser that people use. */
export function browserName(userAgent: string): BrowserName | null {
  const browser = browsers.find(([, sign]) => sign.test(userAgent))?.[0];
  if (!browser) return null;
  return { browser, system: systems.find(([, sign]) => sign.test(userAgent))?.[0] ?? null };
}
