// Finds web addresses in a text that begin with http(s) or www. A bare domain stays text, because
// citations look alike: 'G.R.No.123', 'R.A.10173'.
import { webAddress } from '@/web-address';

export interface FoundLink {
  /** The offset of the first character, and of the character after the last one. */
  start: number;
  end: number;
  /** The complete address, http(s). */
  href: string;
}

/** Characters that no address contains unescaped end it: white space, quotes, angle brackets, dashes of a sentence. */
const candidates = /(?:https?:\/\/|www\.)[^\s<>"“”«»—–…\\\p{Cc}\p{Cf}]+/giu;
/** An address does not begin inside a word. */
const insideWord = /[\p{L}\p{N}_]$/u;
/** Nor does one without a scheme begin inside a host, a path or an email address. */
const insideName = /[\p{L}\p{N}_@./:-]$/u;
/** The end of a sentence, not of an address. */
const punctuation = new Set(".,;:!?'’*_~");
const brackets = new Map([
  [')', '('],
  [']', '['],
  ['}', '{'],
]);

export function linksIn(text: string): FoundLink[] {
  const found: FoundLink[] = [];
  for (const { 0: raw, index: start } of text.matchAll(candidates)) {
    const hasScheme = /^h/i.test(raw);
    if ((hasScheme ? insideWord : insideName).test(text.slice(Math.max(0, start - 2), start))) continue;
    const address = withoutTail(raw);
    const href = webAddress(hasScheme ? address : `https://${address}`);
    if (href === null || (!hasScheme && !isDomain(new URL(href).hostname))) continue;
    found.push({ start, end: start + address.length, href });
  }
  return found;
}

/** Below `www.`: a name and a top-level domain. */
const isDomain = (host: string) => /^www\.[^.]+(?:\.[^.]+)+$/.test(host);

/** The address without the punctuation that follows it, and without a closing bracket that was opened before it. */
function withoutTail(raw: string): string {
  const surplus = new Map(
    [...brackets].map(([close, open]) => [close, count(raw, close) - count(raw, open)]),
  );
  let end = raw.length;
  for (; end > 0; end -= 1) {
    const last = raw.charAt(end - 1);
    const unopened = surplus.get(last) ?? 0;
    if (unopened > 0) surplus.set(last, unopened - 1);
    else if (!punctuation.has(last)) break;
  }
  return raw.slice(0, end);
}

const count = (text: string, character: string) => text.split(character).length - 1;
