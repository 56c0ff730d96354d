// Numbers in the language of the screen, with Intl. Apart from format.ts: texts with numbers are on every screen.

/** Caches formatters: creating one costs a hundred times as much as using it. */
export function cached<Format>(make: (language: string, options?: Intl.DateTimeFormatOptions) => Format) {
  const made = new Map<string, Format>();
  return (language: string, options?: Intl.DateTimeFormatOptions): Format => {
    const name = options ? language + JSON.stringify(options) : language;
    const known = made.get(name);
    if (known) return known;
    const format = make(language, options);
    made.set(name, format);
    return format;
  };
}

const numbers = cached((language) => new Intl.NumberFormat(language));

export function formatNumber(language: string, value: number): string {
  // Small numbers need no grouping; creating the first formatter of a page is slow.
  if (Number.isInteger(value) && value >= 0 && value < 1000) return String(value);
  return numbers(language).format(value);
}
