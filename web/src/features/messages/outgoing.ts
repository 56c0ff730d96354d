// Outgoing messages: sent one after the other, preserved on failure, and retried.
import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, read } from '@/api/client';
import { messageSent } from '@/api/conversations';
import { ApiError } from '@/api/error';
import { newIdempotencyKey } from '@/api/idempotency';
import type { Message, User } from '@/api/types';

/** An outgoing message. */
interface Draft {
  /** The client's id of the message, sent as Idempotency-Key, so that a retry does not duplicate it. */
  key: string;
  content: string;
  writtenAt: string;
  /** The newest message at the time of writing. */
  after: string | null;
}

export interface Outgoing extends Draft {
  state: 'queued' | 'sending' | 'failed';
  /** The server's sentence if a retry alone cannot succeed. */
  refusal: string | null;
  /** The request was sent and not refused: a server that stops may have stored the message without a response. */
  mayHaveArrived: boolean;
}

/** Message id -> the key it was sent with, so that its bubble keeps its identity when the response arrives. */
const keys = new Map<string, string>();

export const keyOf = (messageId: string): string => keys.get(messageId) ?? messageId;

/**
 * Message id -> key of outgoing messages that have arrived without or before a response. The server does not return the
 * key: an outgoing message has arrived if the thread has an own message with the same text after `after`.
 */
export function arrivalsOf(outgoing: Outgoing[], messages: Message[], me: string): Map<string, string> {
  const arrivals = new Map<string, string>();
  const sent = outgoing.filter(({ mayHaveArrived }) => mayHaveArrived);
  const [failed, sending] = [sent.filter(hasFailed), sent.filter((one) => !hasFailed(one))];
  // Two equal messages may be outgoing: a fetched one counts as the first of them until its response arrives.
  for (const { key, content, after } of [...sending, ...failed]) {
    const before = messages.findIndex(({ id }) => id === after);
    if (after !== null && before < 0) continue;
    const same = messages.slice(before + 1).find(
      ({ id, userId, content: words }) =>
        // The server normalises text to NFC.
        userId === me && words === content.normalize() && !keys.has(id) && !arrivals.has(id),
    );
    if (same) arrivals.set(same.id, key);
  }
  return arrivals;
}

const hasFailed = ({ state }: Outgoing): boolean => state === 'failed';

interface OutgoingMessages {
  outgoing: Outgoing[];
  send: (content: string, after: string | null) => void;
  retry: (key: string) => void;
  discard: (key: string) => void;
}

export function useOutgoing(me: User, conversationId: string, messages: Message[]): OutgoingMessages {
  const queryClient = useQueryClient();
  const cache = queryClient.getMutationCache();
  // The key contains the member: another member who signs in does not see the messages.
  const mutationKey = ['send', me.id, conversationId];
  const find = (key: string) =>
    cache.find<unknown, Error, Draft>({
      mutationKey,
      predicate: ({ state }) => (state.variables as Draft | undefined)?.key === key,
    });
  const drop = (key: string) => {
    const mutation = find(key);
    if (mutation) cache.remove(mutation);
    return mutation?.state.variables;
  };

  const { mutate } = useMutation({
    mutationKey,
    // Serial, in the order of writing.
    scope: { id: mutationKey.join(' ') },
    // Offline it fails visibly instead of waiting.
    networkMode: 'always',
    // A failed message stays until it is sent or discarded, on every screen.
    gcTime: Number.POSITIVE_INFINITY,
    mutationFn: ({ key, content }: Draft) =>
      read(
        api.POST('/api/conversations/{id}/messages', {
          params: { path: { id: conversationId } },
          body: { userId: me.id, conversationId, content },
          headers: { 'Idempotency-Key': key },
        }),
      ),
    onSuccess: (message, { key }) => {
      keys.set(message.id, key);
      messageSent(queryClient, message);
      drop(key);
    },
  });

  const outgoing = useMutationState({
    filters: {
      mutationKey,
      predicate: ({ state }) => state.status === 'pending' || state.status === 'error',
    },
    select: ({ state }): Outgoing => ({
      ...(state.variables as Draft),
      state: state.status === 'error' ? 'failed' : state.isPaused ? 'queued' : 'sending',
      refusal: isRefused(state.error) ? state.error.sentence : null,
      mayHaveArrived: !state.isPaused && !isRefused(state.error),
    }),
  });

  // A message that has arrived after all has not failed: it is neither retried nor discarded.
  useEffect(() => {
    const failed = new Set(outgoing.filter(hasFailed).map(({ key }) => key));
    if (failed.size === 0) return;
    for (const [id, key] of arrivalsOf(outgoing, messages, me.id)) {
      if (!failed.has(key)) continue;
      keys.set(id, key);
      drop(key);
    }
  });

  return {
    outgoing,
    send: (content, after) =>
      mutate({ key: newIdempotencyKey(), content, writtenAt: new Date().toISOString(), after }),
    retry: (key) => {
      const written = drop(key);
      if (written) mutate(written);
    },
    discard: drop,
  };
}

function isRefused(error: Error | null): error is ApiError {
  return error instanceof ApiError && error.status >= 400 && error.status < 500;
}
