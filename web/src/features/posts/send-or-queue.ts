// Sends a new post or comment; without a network it waits in the outbox, whose code loads only then.
import type { QueryClient } from '@tanstack/react-query';
import { loadTexts } from '@/i18n/load-texts';
import { readDevice } from '@/session/device-store';
import { type NewPosting, sendPosting } from './postings';
import { postingsKey } from './postings-key';

/** With what shows it: without them, the failure is a toast, and the draft stays. */
const loadOutbox = () =>
  Promise.all([import('./postings-outbox'), import('./unsent-list'), loadTexts('unsent')]).then(
    ([outbox]) => outbox,
    () => null,
  );

/** Returns the created item, or `waiting` if the outbox has it, offline or behind others. Throws other failures. */
export async function sendOrQueue(
  queryClient: QueryClient,
  memberId: string,
  written: NewPosting,
): Promise<{ id: string } | 'waiting'> {
  const earlier = readDevice(postingsKey(memberId)) === null ? null : await loadOutbox();
  if (earlier?.hasWaiting(memberId)) {
    earlier.queuePosting(memberId, queryClient, written);
    return 'waiting';
  }
  try {
    return await sendPosting(written.posting, written.key);
  } catch (error) {
    // `fetch` throws a TypeError if no response arrives. With a network this is a failure as any other (specification, section 8).
    const outbox = error instanceof TypeError && !navigator.onLine ? await loadOutbox() : null;
    if (!outbox) throw error;
    outbox.queuePosting(memberId, queryClient, written, 'offline');
    return 'waiting';
  }
}
