// Keeps hyphenated Filipino words, such as 'mag-sign in', on one line. The build applies it to the texts (../../vite-texts.ts):
// CSS has no rule for it, and the fonts have no non-breaking hyphen.

/** Prohibits a line break and is invisible; searches and screen readers ignore it. */
const wordJoiner = '\u2060';

/** Not the names of stored items and cookies, which members may copy, nor paths and media types. */
const hyphen = /(?<![\p{L}_/-])(?!(?:portia|workbox|application)\b)(\p{L}+-)(?=\p{L})/gu;

/** Joins the words in a text, or in all texts of an object or list. */
export function unbroken<Texts>(texts: Texts): Texts {
  if (typeof texts === 'string') return texts.replace(hyphen, `$1${wordJoiner}`) as Texts;
  if (Array.isArray(texts)) return texts.map(unbroken) as Texts;
  if (!texts || Object.getPrototypeOf(texts) !== Object.prototype) return texts;
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, unbroken(text)])) as Texts;
}
