// Unsent text per thread, preserved until the page is closed.
import { useState } from 'react';

const drafts = new Map<string, string>();

/** Keyed by member: another member who signs in on this page does not see it. */
export function useDraft(memberId: string, conversationId: string) {
  const place = `${memberId} ${conversationId}`;
  const [draft, setDraft] = useState(drafts.get(place) ?? '');
  const change = (text: string) => {
    setDraft(text);
    if (text) drafts.set(place, text);
    else drafts.delete(place);
  };
  return [draft, change] as const;
}
