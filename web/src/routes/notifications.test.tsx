// /notifications: pages, unread marks, marking as read, links, and the loading, empty and failed states.
import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { gate } from '@/testing/jobs';
import { fakeNotifications, marco, notificationOf } from '@/testing/notifications';
import { commentOf, postOf } from '@/testing/posts';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, server, signedInAs } from '@/testing/server';

beforeEach(() => signedInAs(isabel));

const main = () => within(screen.getByRole('main'));
const notificationsButton = (name: string) => screen.findByRole('button', { name });
const liked = /Priya Raghavan liked your post/;
const joined = /Marco Villanueva joined Eastbay Law Review/;

const two = [
  notificationOf(),
  notificationOf({
    id: 'n2',
    kind: 'community_joined',
    actors: [marco],
    subject: { id: 'c1', name: 'Eastbay Law Review', postId: null },
    createdAt: new Date(Date.now() - 26 * 3_600_000).toISOString(),
    isRead: true,
  }),
] as const;

test('a visitor is redirected to /auth', async () => {
  server.use(http.get('/api/auth/me', () => problem(401, { error: 'Not signed in' })));
  const { path } = await renderApp('/notifications');
  await waitFor(() => expect(path()).toBe('/auth'));
});

test('each shows actor, action, time and unread mark and links to its target', async () => {
  fakeNotifications(...two);
  await renderApp('/notifications');
  expect(await screen.findByRole('heading', { level: 1, name: 'Notifications' })).toBeVisible();
  const first = await main().findByRole('link', { name: liked });
  expect(first).toHaveAttribute('href', '/posts/019a0000-0000-7000-8000-0000000000a1');
  expect(first).toHaveTextContent('Unread. Priya Raghavan liked your post2 hours ago');
  const second = main().getByRole('link', { name: joined });
  expect(second).toHaveAttribute('href', '/communities/c1');
  expect(second).toHaveTextContent(/yesterday|2 days ago|1 day ago/);
  expect(second).not.toHaveTextContent('Unread.');
  expect(document.title).toMatch(/^(\(1\) )?Notifications \| Portia$/);
  expect(main().getByRole('link', { name: 'Notification settings' })).toHaveAttribute(
    'href',
    '/settings#notifications',
  );
});

test('looking at the list marks nothing', async () => {
  const { marked } = fakeNotifications(...two);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  const { queryClient } = await renderApp('/notifications');
  await main().findByRole('link', { name: liked });
  await act(() => vi.advanceTimersByTimeAsync(1_500));
  expect(queryClient.isMutating()).toBe(0);
  expect(marked).toEqual([]);
  expect(await notificationsButton('Notifications, 1 unread')).toBeVisible();
});

test('all up to the newest shown are marked as read at once, and the button stays', async () => {
  const held = fakeNotifications(two[0], { ...two[1], isRead: false });
  const { user } = await renderApp('/notifications');
  expect(await notificationsButton('Notifications, 2 unread')).toBeVisible();
  const mark = await screen.findByRole('button', { name: 'Mark all as read' });
  await user.click(mark);
  expect(await notificationsButton('Notifications')).toBeVisible();
  expect(main().queryByText('Unread.')).toBeNull();
  await waitFor(() => expect(held.marked).toEqual([{ upTo: two[0].createdAt }]));
  expect(mark).toHaveFocus();
  await waitFor(() => expect(mark).toHaveAttribute('aria-disabled', 'true'));
  await user.click(mark);
  expect(held.marked).toHaveLength(1);
});

test('a failed update is reverted with an error', async () => {
  fakeNotifications(...two);
  server.use(http.post('/api/notifications/read', () => problem(503, { error: 'Please try again soon' })));
  const { user } = await renderApp('/notifications');
  await user.click(await screen.findByRole('button', { name: 'Mark all as read' }));
  expect(
    await screen.findByText('Failed to mark notifications as read: 503: Please try again soon'),
  ).toBeVisible();
  expect(await notificationsButton('Notifications, 1 unread')).toBeVisible();
  expect(await main().findByText('Unread.')).toBeInTheDocument();
});

test('following a notification marks it as read and shows refetched data', async () => {
  const held = fakeNotifications(two[0], { ...two[1], isRead: false });
  let post = postOf({ id: two[0].subject.id });
  server.use(
    http.get('/api/posts/:id', () => HttpResponse.json(post)),
    http.get('/api/posts/:id/comments', () => HttpResponse.json(post.comments)),
  );
  const { user, path, queryClient } = await renderApp(`/posts/${post.id}`);
  expect(await screen.findByText('0 comments · 0 shares')).toBeVisible();
  post = postOf({ id: post.id, likeCount: 1, commentCount: 1, comments: [commentOf('Hear, hear')] });

  // A hidden page marks nothing as seen, regardless of the speed of the machine.
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  await user.click(await notificationsButton('Notifications, 2 unread'));
  await user.click(await screen.findByRole('link', { name: 'See all' }));
  await waitFor(() => expect(path()).toBe('/notifications'));
  await user.click(await main().findByRole('link', { name: liked }));
  await waitFor(() => expect(path()).toBe(`/posts/${post.id}`));
  expect(await screen.findByText('Hear, hear')).toBeVisible();
  expect(held.marked).toContainEqual({ id: two[0].id });
  expect(await notificationsButton('Notifications, 1 unread')).toBeVisible();
  expect(queryClient.isMutating()).toBe(0);
});

test('a cancelled event has no link', async () => {
  fakeNotifications(
    notificationOf({
      kind: 'event_cancelled',
      subject: { id: 'e1', name: 'Moot court finals', postId: null },
    }),
  );
  await renderApp('/notifications');
  expect(await main().findByText(/called off Moot court finals/)).toBeVisible();
  expect(main().queryByRole('link', { name: /called off/ })).toBeNull();
});

test('further pages load on demand, and a failed page keeps the loaded ones', async () => {
  server.use(
    http.get('/api/notifications', ({ request }) =>
      new URL(request.url).searchParams.has('cursor')
        ? HttpResponse.json([two[1]])
        : HttpResponse.json([two[0]], { headers: { Link: '</api/notifications?cursor=2>; rel="next"' } }),
    ),
  );
  const { user } = await renderApp('/notifications');
  expect(await main().findByRole('link', { name: liked })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Show more notifications' }));
  expect(await main().findByRole('link', { name: joined })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Show more notifications' })).toBeNull();
});

test('shows skeletons while loading, then the list', async () => {
  const loaded = gate();
  server.use(
    http.get('/api/notifications', async () => {
      await loaded.opened;
      return HttpResponse.json(two);
    }),
  );
  await renderApp('/notifications');
  await screen.findByRole('heading', { level: 1, name: 'Notifications' });
  expect(main().getByRole('status', { name: 'Loading' })).toBeInTheDocument();
  loaded.open();
  expect(await main().findByRole('link', { name: liked })).toBeVisible();
  expect(main().queryByRole('status')).toBeNull();
});

test('an empty list shows a hint and has no mark button', async () => {
  await renderApp('/notifications');
  expect(await main().findByText('No notifications yet.')).toBeVisible();
  expect(main().getByText(/connection requests and updates from your communities and events/)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Mark all as read' })).toBeNull();
});

test.each([
  ['refused', () => problem(503, { error: 'Please try again soon' })],
  [
    'empty only because a service is unavailable',
    () => HttpResponse.json([], { headers: { 'X-Degraded': 'messaging' } }),
  ],
])('a list that is %s shows an error', async (_, answer) => {
  server.use(http.get('/api/notifications', answer));
  await renderApp('/notifications');
  expect(await main().findByText('Notifications could not be loaded. Please try again later.')).toBeVisible();
});

test('is translated to Filipino', async () => {
  fakeNotifications(...two);
  await renderApp('/notifications', { language: 'fil' });
  expect(await screen.findByRole('heading', { level: 1, name: 'Mga abiso' })).toBeVisible();
  expect(await main().findByRole('link', { name: /Nag-like si Priya Raghavan sa post mo/ })).toBeVisible();
  expect(await notificationsButton('Mga abiso, 1 hindi pa nababasa')).toBeVisible();
});
