// Marks notifications as read: optimistic in the list and on the button, confirmed by the server's response.
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, read } from '@/api/client';
import { itemsOf, mapItems } from '@/api/pages';
import { notificationsQuery, unreadQuery } from '@/api/queries';
import { updateCached } from '@/api/refetch-policy';
import type { Notification, Unread } from '@/api/schema.gen';

/** One notification, or all up to `createdAt` of the newest visible one. */
type MarkTarget = { id: string } | { upTo: string };

export function useMarkRead() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (target: MarkTarget) => read<unknown>(api.POST('/api/notifications/read', { body: target })),
    onMutate: (target) => show(queryClient, target),
    onSuccess: (_, target) => {
      // A list that was fetched meanwhile may be older.
      show(queryClient, target);
      void queryClient.invalidateQueries(unreadQuery);
    },
    onError: () => {
      void queryClient.invalidateQueries(notificationsQuery);
      void queryClient.invalidateQueries(unreadQuery);
    },
  });
}

function show(queryClient: QueryClient, target: MarkTarget) {
  const covers = (one: Notification) =>
    'id' in target ? one.id === target.id : Date.parse(one.createdAt) <= Date.parse(target.upTo);
  const before = queryClient.getQueryData(notificationsQuery.queryKey);
  const after = mapItems(before, (one) => (covers(one) ? { ...one, isRead: true } : one));
  updateCached(queryClient, notificationsQuery.queryKey, () => after);
  const unreadIn = (list: typeof before) => itemsOf(list).filter(({ isRead }) => !isRead).length;
  updateCached<Unread>(queryClient, unreadQuery.queryKey, (unread) => {
    // Notifications after the timestamp of a visible one are in the list.
    const left =
      'upTo' in target ? unreadIn(after) : unread.notifications - (unreadIn(before) - unreadIn(after));
    return { ...unread, notifications: Math.max(0, left) };
  });
}

/** The time on screen until a list counts as seen, in milliseconds. */
export const seenAfter = 1_000;

/**
 * Marks a list as read once it has been on screen for a moment. Notifications that were unread on arrival stay marked
 * while the list is open: the returned function tells.
 */
export function useSeen(shown: Notification[]): (notification: Notification) => boolean {
  const { mutate, isError } = useMarkRead();
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set());
  const unread = shown.filter(({ isRead }) => !isRead);
  if (unread.some(({ id }) => !fresh.has(id))) setFresh(new Set([...fresh, ...unread.map(({ id }) => id)]));

  const upTo = shown[0]?.createdAt;
  // A refused update is not retried until the list is opened again.
  const waits = unread.length > 0 && !isError;
  useEffect(() => {
    if (!waits || !upTo) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      clearTimeout(timer);
      if (document.visibilityState === 'visible') timer = setTimeout(() => mutate({ upTo }), seenAfter);
    };
    look();
    document.addEventListener('visibilitychange', look);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [waits, upTo, mutate]);

  return ({ id }) => fresh.has(id);
}
