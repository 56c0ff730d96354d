// Reading a thread: it is read while it is visible.
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { api, read } from '@/api/client';
import { conversationRead, conversationsQuery, type Thread, threadKey } from '@/api/conversations';
import { itemsOf } from '@/api/pages';

const subscribe = (listener: () => void) => {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
};

/** Whether the tab is in view. */
export function useVisible(): boolean {
  return useSyncExternalStore(subscribe, () => document.visibilityState === 'visible');
}

/**
 * To fetch a thread's newest page is to read it, and nothing else needs to be said. But a thread that is still there from
 * before is not fetched: where the list knows of something unread in it, that is fetched, or only marked as read.
 */
export function useReading(thread: Thread | undefined, inSight: boolean): void {
  const queryClient = useQueryClient();
  const { id, folder } = thread?.conversation ?? {};
  const list = useInfiniteQuery({ ...conversationsQuery(folder), enabled: false }).data;
  const listed = itemsOf(list).find((one) => one.id === id);
  const newest = thread?.messages.at(-1);
  const fetched = useRef<string | null>(null);
  const unread = listed?.unreadCount ?? 0;
  const lastAt = listed?.lastMessageAt ?? null;

  useEffect(() => {
    if (!inSight || unread === 0 || !id || !newest) return;
    if (lastAt && Date.parse(lastAt) > Date.parse(newest.createdAt)) {
      if (fetched.current !== lastAt) void queryClient.invalidateQueries({ queryKey: threadKey(id) });
      fetched.current = lastAt;
      return;
    }
    const params = { path: { id } };
    read(api.POST('/api/conversations/{id}/read', { params, body: { upTo: newest.id } })).then(
      () => conversationRead(queryClient, id),
      // It is still unread, as the list says; the next message tries again.
      () => undefined,
    );
  }, [inSight, unread, id, newest, lastAt, queryClient]);
}
