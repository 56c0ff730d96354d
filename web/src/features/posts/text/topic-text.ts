// Topics in a text, by the rule of the server (proto/src/topics.rs).

const letters = '\\p{Alphabetic}\\p{N}_';
const candidates = new RegExp(`#([${letters}]+)`, 'gu');
/** A topic does not begin inside a word, an address or an entity. */
const inside = new RegExp(`[${letters}#&/]$`, 'u');
const name = new RegExp(`^[${letters}]{2,50}$`, 'u');
const other = new RegExp(`[^${letters}]`, 'gu');

/** The form in which topics are compared; null if the text is no topic. */
export function topicOf(text: string): string | null {
  return name.test(text) ? text.toLowerCase().replace(other, '') : null;
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
