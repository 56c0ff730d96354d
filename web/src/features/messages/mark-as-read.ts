// Marks a thread as read while it is visible.
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { api, read } from '@/api/client';
import { conversationRead, conversationsQuery, type Thread, threadKey } from '@/api/conversations';
import { itemsOf } from '@/api/pages';
import type { Conversation } from '@/api/schema.gen';

const subscribe = (listener: () => void) => {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
};
export function useVisible(): boolean {
  return useSyncExternalStore(subscribe, () => document.visibilityState === 'visible');
}

/** The conversation as the list beside the thread shows it. */
export function useListed(conversation: Conversation | undefined): Conversation | undefined {
  const list = useInfiniteQuery({ ...conversationsQuery(conversation?.folder), enabled: false }).data;
  return itemsOf(list).find(({ id }) => id === conversation?.id);
}

/**
 * Fetching the newest page of a thread marks it as read. A cached thread is not fetched: if the list reports unread
 * messages that the cache lacks, this hook fetches them; otherwise it only marks the thread as read.
 */
export function useMarkAsRead(
  thread: Thread | undefined,
  listed: Conversation | undefined,
  isVisible: boolean,
): void {
  const queryClient = useQueryClient();
  const id = thread?.conversation.id;
  const newest = thread?.messages.at(-1);
  const fetched = useRef<string | null>(null);
  const unread = listed?.unreadCount ?? 0;
  const lastAt = listed?.lastMessageAt ?? null;

  useEffect(() => {
    if (!isVisible || unread === 0 || !id || !newest) return;
    if (lastAt && Date.parse(lastAt) > Date.parse(newest.createdAt)) {
      if (fetched.current !== lastAt) void queryClient.invalidateQueries({ queryKey: threadKey(id) });
      fetched.current = lastAt;
      return;
    }
    const params = { path: { id } };
    read(api.POST('/api/conversations/{id}/read', { params, body: { upTo: newest.id } })).then(
      () => conversationRead(queryClient, id),
      // The conversation stays unread in the list; the next message retries.
      () => undefined,
    );
  }, [isVisible, unread, id, newest, lastAt, queryClient]);
}
