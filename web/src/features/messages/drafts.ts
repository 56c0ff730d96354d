// What was typed and not sent yet: it is there again when the member comes back to the thread, until the page is closed.
import { useState } from 'react';

const drafts = new Map<string, string>();

/** Another member who signs in on this page does not see it. */
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
