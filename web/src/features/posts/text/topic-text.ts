// Topics in a text, by the rule of the server (proto/src/topics.rs).

// Without what is invisible: joiners, selectors of a glyph, fillers.
const letter = '(?!\\p{DI})[\\p{Alphabetic}\\p{N}\\p{XID_Continue}]';
/** A letter, a digit or `_` and what continues it; a joiner only between two of them. */
const topic = `(?!\\p{M})${letter}(?:[\u200c\u200d]?${letter})*`;
const candidates = new RegExp(`#(${topic})`, 'gu');
/** A topic does not begin inside a word, an address or an entity. */
const inside = new RegExp(`(?:${letter}|[#&/])$`, 'u');
const whole = new RegExp(`^${topic}$`, 'u');

/** The form in which topics are compared; null if the text is no topic. */
export function topicOf(text: string): string | null {
  // The lower case of this letter alone has another length.
  const folded = text.normalize('NFC').replaceAll('İ', 'i').toLowerCase().normalize('NFC');
  const length = [...folded].length;
  return length >= 2 && length <= 50 && whole.test(folded) ? folded : null;
}

interface FoundTopic {
  start: number;
  end: number;
  topic: string;
}

export function topicsIn(text: string): FoundTopic[] {
  const found: FoundTopic[] = [];
  for (const { 0: shown, 1: raw = '', index: start } of text.matchAll(candidates)) {
    const topic = topicOf(raw);
    if (topic === null || inside.test(text.slice(Math.max(0, start - 2), start))) continue;
    found.push({ start, end: start + shown.length, topic });
  }
  return found;
}
