// Names a browser and its system from the user agent.

export interface BrowserName {
  browser: string;
  /** Null if the user agent names none. */
  system: string | null;
}

/** The order matters: most browsers also claim to be the later ones. */
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

/** Null for a user agent that is not a common browser. */
export function browserName(userAgent: string): BrowserName | null {
  const browser = browsers.find(([, sign]) => sign.test(userAgent))?.[0];
  if (!browser) return null;
  return { browser, system: systems.find(([, sign]) => sign.test(userAgent))?.[0] ?? null };
}
