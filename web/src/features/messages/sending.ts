// What a member has written and the server has not answered yet: sent one after the other, kept when it fails, sent again.
import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, read } from '@/api/client';
import { messageSent } from '@/api/conversations';
import { ApiError } from '@/api/error';
import { newIdempotencyKey } from '@/api/idempotency';
import type { Message, User } from '@/api/types';

/** A message on its way. */
interface Written {
  /** The client's own id of it: sent as Idempotency-Key each time, so that no retry doubles it. */
  key: string;
  content: string;
  writtenAt: string;
  /** The newest message that was there when it was written. */
  after: string | null;
}

export interface Outgoing extends Written {
  state: 'queued' | 'sending' | 'failed';
  /** The server's sentence, where trying again alone will not help. */
  refusal: string | null;
  /** It was sent, and the server has not refused it: a server that goes away may have kept what it did not answer. */
  mayHaveArrived: boolean;
}

/** Message id -> the key it was sent with, by which its bubble stays the same bubble when the answer comes. */
const keys = new Map<string, string>();

export const keyOf = (messageId: string): string => keys.get(messageId) ?? messageId;

/**
 * Message id -> key of those that have arrived without an answer, or before it. One that may have arrived has if the same
 * words of the member's stand after what was there when it was written: the server does not give the key back.
 */
export function arrivalsOf(outgoing: Outgoing[], messages: Message[], me: string): Map<string, string> {
  const arrivals = new Map<string, string>();
  const sent = outgoing.filter(({ mayHaveArrived }) => mayHaveArrived);
  const [failed, sending] = [sent.filter(hasFailed), sent.filter((one) => !hasFailed(one))];
  // The same words may be on their way for a second time: what is read back is that, until its answer says otherwise.
  for (const { key, content, after } of [...sending, ...failed]) {
    const before = messages.findIndex(({ id }) => id === after);
    if (after !== null && before < 0) continue;
    const same = messages.slice(before + 1).find(
      ({ id, userId, content: words }) =>
        // The server composes what some keyboards leave in parts.
        userId === me && words === content.normalize() && !keys.has(id) && !arrivals.has(id),
    );
    if (same) arrivals.set(same.id, key);
  }
  return arrivals;
}

const hasFailed = ({ state }: Outgoing): boolean => state === 'failed';

interface Sending {
  outgoing: Outgoing[];
  send: (content: string, after: string | null) => void;
  retry: (key: string) => void;
  discard: (key: string) => void;
}

export function useSending(me: User, conversationId: string, messages: Message[]): Sending {
  const queryClient = useQueryClient();
  const cache = queryClient.getMutationCache();
  // Another member who signs in here has nothing to do with it.
  const mutationKey = ['send', me.id, conversationId];
  const find = (key: string) =>
    cache.find<unknown, Error, Written>({
      mutationKey,
      predicate: ({ state }) => (state.variables as Written | undefined)?.key === key,
    });
  const drop = (key: string) => {
    const mutation = find(key);
    if (mutation) cache.remove(mutation);
    return mutation?.state.variables;
  };

  const { mutate } = useMutation({
    mutationKey,
    // One at a time, in the order they were written.
    scope: { id: mutationKey.join(' ') },
    // Offline it fails, and says so, instead of waiting in silence.
    networkMode: 'always',
    // What failed stays until it is sent or discarded, on whatever screen the member is.
    gcTime: Number.POSITIVE_INFINITY,
    mutationFn: ({ key, content }: Written) =>
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
      ...(state.variables as Written),
      state: state.status === 'error' ? 'failed' : state.isPaused ? 'queued' : 'sending',
      refusal: isRefused(state.error) ? state.error.sentence : null,
      mayHaveArrived: !state.isPaused && !isRefused(state.error),
    }),
  });

  // What has arrived after all has not failed: it is neither sent again nor discarded.
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
