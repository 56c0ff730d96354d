// The outbox of posts and comments.
import type { QueryClient } from '@tanstack/react-query';
import i18next from 'i18next';
import { postsChanged } from '@/api/saved';
import { loadTexts } from '@/i18n/load-texts';
import { readDevice } from '@/session/device-store';
import {
  addUnsent,
  asUnsent,
  discardUnsent,
  isRefused,
  needsDecision,
  parseOutbox,
  readyUnsent,
  sendOutbox,
  type Unsent,
} from '@/session/outbox';
import { showError } from '@/ui/toast';
import { type NewPosting, type Posting, sendPosting } from './postings';
import { postingsKey } from './postings-key';

export interface UnsentPosting extends Unsent {
  posting: Posting;
  shown: string;
}

export const parsePostings = parseOutbox<UnsentPosting>;

/** The server stores it for a day (`services/lib/idempotency`); a request may take long. */
const keyLifetime = 23 * 3_600_000;

/** Whether a new one must wait for others. */
export const hasWaiting = (memberId: string): boolean =>
  parsePostings(readDevice(postingsKey(memberId))).some((one) => !needsDecision(one));

/** `failure` of its first request, if one was sent. */
export function queuePosting(
  memberId: string,
  queryClient: QueryClient,
  { key, posting, shown }: NewPosting,
  failure: Unsent['failure'] = null,
): void {
  addUnsent<UnsentPosting>(postingsKey(memberId), asUnsent(key, { posting, shown }, failure));
  // The network may have returned since the request failed; its event is over.
  if (failure === null || navigator.onLine) sendPostings(memberId, queryClient);
}

export function retryPosting(memberId: string, queryClient: QueryClient, key: string): void {
  readyUnsent(postingsKey(memberId), key);
  sendPostings(memberId, queryClient);
}

export function discardPosting(memberId: string, key: string): void {
  discardUnsent(postingsKey(memberId), key);
}

export function sendPostings(memberId: string, queryClient: QueryClient): void {
  const place = postingsKey(memberId);
  const send = async ({ posting, key }: UnsentPosting) => {
    await sendPosting(posting, key).catch((error: unknown) => {
      if (isRefused(error)) void showRefusal(posting, error.message);
      throw error;
    });
    // It stays on screen until the list has it.
    await postsChanged(queryClient);
    discardUnsent(place, key);
  };
  void sendOutbox<UnsentPosting>({ place, keyLifetime, send, failureOf }, queryClient);
}

/** On every screen: its row is on another one, and a deleted post has none. */
async function showRefusal({ kind }: Posting, message: string): Promise<void> {
  await loadTexts('posts').catch(() => undefined);
  showError(i18next.t(kind === 'post' ? 'posts:createFailed' : 'posts:commentFailed', { message }));
}

function failureOf(error: unknown) {
  const refusal = error instanceof Error ? error.message : null;
  if (isRefused(error)) return { failure: 'refused' as const, refusal };
  return { failure: navigator.onLine ? ('failed' as const) : ('offline' as const), refusal };
}
