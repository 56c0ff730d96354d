// Splits the stored text of a post or comment at its mentions: reports contain it as it is stored, without names.

interface Part {
  /** The position in the stored text. */
  at: number;
  text: string;
  /** The mentioned member; absent for the text between mentions. */
  memberId?: string;
}

const mention = /@\[([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\]/gi;

export function textWithMentions(stored: string): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const { 0: text, 1: memberId, index } of stored.matchAll(mention)) {
    parts.push({ at: end, text: stored.slice(end, index) }, { at: index, text, memberId });
    end = index + text.length;
  }
  return [...parts, { at: end, text: stored.slice(end) }];
}
