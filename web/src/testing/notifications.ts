// A fake of the notification routes that records the marked notifications.
import { HttpResponse, http } from 'msw';
import type { Author, Notification } from '@/api/schema.gen';
import { priya } from './posts';
import { server } from './server';

const hour = 3_600_000;

export const marco: Author = {
  id: '019a0000-0000-7000-8000-000000000003',
  fullName: 'Marco Villanueva',
  headline: 'Law clerk, Court of Appeals',
  avatarUrl: null,
};

/** Priya liked a post two hours ago, unread. */
export function notificationOf(changes: Partial<Notification> = {}): Notification {
  return {
    id: '019a0000-0000-7000-8000-0000000000b1',
    kind: 'post_liked',
    actors: [priya],
    actorCount: 1,
    subject: { id: '019a0000-0000-7000-8000-0000000000a1', name: null, postId: null },
    createdAt: new Date(Date.now() - 2 * hour).toISOString(),
    isRead: false,
    dueAt: null,
    origin: null,
    reason: null,
    ...changes,
  };
}

interface FakeNotifications {
  /** The stored notifications, newest first; a test may change them. */
  notifications: Notification[];
  /** The bodies of all requests that mark notifications as read. */
  marked: unknown[];
}

/** Serves these notifications; marking one as read changes the fake. */
export function fakeNotifications(...notifications: Notification[]): FakeNotifications {
  const fake: FakeNotifications = { notifications, marked: [] };
  server.use(
    http.get('/api/notifications', () => HttpResponse.json(fake.notifications)),
    http.get('/api/unread', () => {
      const notifications = fake.notifications.filter(({ isRead }) => !isRead).length;
      return HttpResponse.json({ messages: 0, requests: 0, notifications });
    }),
    http.post<never, { id?: string; upTo?: string }>('/api/notifications/read', async ({ request }) => {
      const which = await request.json();
      fake.marked.push(which);
      fake.notifications = fake.notifications.map((one) =>
        one.id === which.id || (which.upTo && one.createdAt <= which.upTo) ? { ...one, isRead: true } : one,
      );
      return new HttpResponse(null, { status: 204 });
    }),
  );
  return fake;
}
