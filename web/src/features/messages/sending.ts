// What a member has written and the server has not answered yet: sent one after the other, kept when it fails, sent again.
import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query';
import { api, read } from '@/api/client';
import { messageSent } from '@/api/conversations';
import { ApiError } from '@/api/error';
import { newIdempotencyKey } from '@/api/idempotency';
import type { User } from '@/api/types';

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
}

/** Message id -> the key it was sent with, by which its bubble stays the same bubble when the answer comes. */
const keys = new Map<string, string>();

export const keyOf = (messageId: string): string => keys.get(messageId) ?? messageId;
export const isAnswered = (messageId: string): boolean => keys.has(messageId);

interface Sending {
  outgoing: Outgoing[];
  send: (content: string, after: string | null) => void;
  retry: (key: string) => void;
  discard: (key: string) => void;
}

export function useSending(me: User, conversationId: string): Sending {
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
      refusal: refusalOf(state.error),
    }),
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

function refusalOf(error: Error | null): string | null {
  return error instanceof ApiError && error.status >= 400 && error.status < 500 ? error.sentence : null;
}
