// The notifications button: dot, name, popover, and when notifications count as seen.
import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test, vi } from 'vitest';
import { notificationsQuery, unreadQuery } from '@/api/queries';
import { seenAfter } from '@/features/notifications/mark-as-read';
import { holdTimers } from '@/testing/held-timers';
import { fakeNotifications, notificationOf } from '@/testing/notifications';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, server, signedInAs } from '@/testing/server';

beforeEach(() => signedInAs(isabel));

const old = notificationOf({
  id: 'n2',
  kind: 'skill_endorsed',
  subject: { id: isabel.id, name: 'Legal Writing', postId: null },
  createdAt: '2026-01-02T03:04:05.678901Z',
  isRead: true,
});
const notificationsButton = (name: string) => screen.findByRole('button', { name });
const popover = async () => within(await screen.findByRole('dialog', { name: /Notifications|Mga abiso/ }));
const dot = (button: HTMLElement) => button.querySelector('.bg-gold');

function hide(hidden: boolean) {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(hidden ? 'hidden' : 'visible');
  document.dispatchEvent(new Event('visibilitychange'));
}

test('has no dot without unread notifications', async () => {
  fakeNotifications(old);
  await renderApp('/test');
  expect(dot(await notificationsButton('Notifications'))).toBeNull();
});

test('has a dot and a name with the number of unread notifications', async () => {
  fakeNotifications(notificationOf(), notificationOf({ id: 'n3' }), old);
  await renderApp('/test');
  expect(dot(await notificationsButton('Notifications, 2 unread'))).not.toBeNull();
});

test('has no dot if its service is down, and the header works', async () => {
  server.use(http.get('/api/unread', () => problem(503, { error: 'Away' })));
  await renderApp('/test');
  expect(dot(await notificationsButton('Notifications'))).toBeNull();
});

test('shows the newest, which are read once seen and stay marked while it is open', async () => {
  const held = fakeNotifications(notificationOf(), old);
  const { user } = await renderApp('/test');
  await user.click(await notificationsButton('Notifications, 1 unread'));
  const panel = await popover();
  const first = await panel.findByRole('link', { name: /Priya Raghavan liked your post/ });
  expect(first).toHaveAttribute('href', '/posts/019a0000-0000-7000-8000-0000000000a1');
  expect(panel.getByRole('link', { name: /endorsed you for Legal Writing/ })).toHaveAttribute(
    'href',
    `/profile/${isabel.id}`,
  );
  await waitFor(() => expect(held.marked).toEqual([{ upTo: held.notifications[0]?.createdAt }]));
  expect(await notificationsButton('Notifications')).toBeInTheDocument();
  expect(panel.getByText('Unread.')).toBeInTheDocument();

  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(await notificationsButton('Notifications')).toHaveFocus();
  await user.click(await notificationsButton('Notifications'));
  const again = await popover();
  expect(await again.findByRole('link', { name: /Priya Raghavan liked your post/ })).toBeVisible();
  expect(again.queryByText('Unread.')).toBeNull();
  expect(held.marked).toHaveLength(1);
});

test('a short look marks nothing as seen', async () => {
  const timers = holdTimers(seenAfter);
  const { marked } = fakeNotifications(notificationOf());
  const { user, queryClient } = await renderApp('/test');
  await user.click(await notificationsButton('Notifications, 1 unread'));
  await popover();
  await waitFor(() => expect(timers.pending()).toBe(1));
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(timers.pending()).toBe(0);
  expect(queryClient.isMutating()).toBe(0);
  expect(marked).toEqual([]);
  expect(await notificationsButton('Notifications, 1 unread')).toBeVisible();
});

test('a hidden page marks nothing as seen', async () => {
  const timers = holdTimers(seenAfter);
  const { marked } = fakeNotifications(notificationOf());
  const { user, queryClient } = await renderApp('/test');
  await user.click(await notificationsButton('Notifications, 1 unread'));
  await (await popover()).findByRole('link', { name: /liked your post/ });
  await waitFor(() => expect(timers.pending()).toBe(1));
  hide(true);
  expect(timers.pending()).toBe(0);
  expect(queryClient.isMutating()).toBe(0);
  expect(marked).toEqual([]);
  hide(false);
  expect(timers.pending()).toBe(1);
  act(timers.elapse);
  await waitFor(() => expect(marked).toHaveLength(1));
});

test('a notification that arrives while it is open is shown, marked and seen', async () => {
  const held = fakeNotifications(notificationOf());
  const { user, queryClient } = await renderApp('/test');
  await user.click(await notificationsButton('Notifications, 1 unread'));
  const panel = await popover();
  await waitFor(() => expect(held.marked).toHaveLength(1));

  const news = notificationOf({
    id: 'n9',
    kind: 'connection_requested',
    createdAt: new Date(Date.now() + 1_000).toISOString(),
  });
  held.notifications = [news, ...held.notifications];
  // Like an event of the stream.
  await queryClient.invalidateQueries(notificationsQuery);
  await queryClient.invalidateQueries(unreadQuery);
  expect(await panel.findByRole('link', { name: /sent you a connection request/ })).toBeVisible();
  await waitFor(() => expect(panel.getAllByText('Unread.')).toHaveLength(2));
  await waitFor(() => expect(held.marked).toHaveLength(2));
  expect(held.marked[1]).toEqual({ upTo: news.createdAt });
  expect(await notificationsButton('Notifications')).toBeInTheDocument();
});

test('a refused update is not retried while it is open, and the button shows the server’s count', async () => {
  fakeNotifications(notificationOf());
  let refused = 0;
  server.use(
    http.post('/api/notifications/read', () => {
      refused += 1;
      return problem(503, { error: 'Away' });
    }),
  );
  const timers = holdTimers(seenAfter);
  const { user, queryClient } = await renderApp('/test');
  await user.click(await notificationsButton('Notifications, 1 unread'));
  await waitFor(() => expect(timers.pending()).toBe(1));
  act(timers.elapse);
  await waitFor(() => expect(refused).toBe(1));
  await waitFor(() => expect(queryClient.isMutating() + queryClient.isFetching()).toBe(0));
  expect(await notificationsButton('Notifications, 1 unread')).toBeInTheDocument();
  expect(timers.pending()).toBe(0);
  expect(refused).toBe(1);
});

test('following a notification closes the popover and marks only that one', async () => {
  const held = fakeNotifications(
    notificationOf({ kind: 'connection_requested' }),
    notificationOf({ id: 'n3' }),
  );
  const { user, path } = await renderApp('/test');
  // A hidden page marks nothing as seen, regardless of the speed of the machine.
  hide(true);
  await user.click(await notificationsButton('Notifications, 2 unread'));
  await user.click(await (await popover()).findByRole('link', { name: /sent you a connection request/ }));
  await waitFor(() => expect(path()).toBe('/network?tab=requests'));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(screen.getByRole('main')).toHaveFocus());
  expect(held.marked).toEqual([{ id: held.notifications[0]?.id }]);
  expect(await notificationsButton('Notifications, 1 unread')).toBeVisible();
});

test('See all links to all notifications', async () => {
  const { user, path } = await renderApp('/test');
  await user.click(await notificationsButton('Notifications'));
  const panel = await popover();
  expect(await panel.findByText('No notifications yet.')).toBeVisible();
  await user.click(panel.getByRole('link', { name: 'See all' }));
  await waitFor(() => expect(path()).toBe('/notifications'));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('a failed list shows an error and can be retried', async () => {
  server.use(http.get('/api/notifications', () => problem(503, { error: 'Away' })));
  const { user } = await renderApp('/test');
  await user.click(await notificationsButton('Notifications'));
  const panel = await popover();
  expect(await panel.findByText('Notifications could not be loaded. Please try again later.')).toBeVisible();
  server.use(http.get('/api/notifications', () => HttpResponse.json([old])));
  await user.click(panel.getByRole('button', { name: 'Try Again' }));
  expect(await panel.findByRole('link', { name: /endorsed you for Legal Writing/ })).toBeVisible();
});

test('is translated to Filipino', async () => {
  fakeNotifications(notificationOf());
  const { user } = await renderApp('/test', { language: 'fil' });
  await user.click(await notificationsButton('Mga abiso, 1 hindi pa nababasa'));
  const panel = await popover();
  expect(await panel.findByRole('link', { name: /Nag-like si Priya Raghavan sa post mo/ })).toBeVisible();
  expect(panel.getByRole('link', { name: 'Tingnan lahat' })).toBeVisible();
});

test('a visitor has no notifications button and sends no request', async () => {
  server.use(http.get('/api/auth/me', () => problem(401, { error: 'Not signed in' })));
  let asked = false;
  server.use(
    http.get('/api/unread', () => {
      asked = true;
      return HttpResponse.json({ messages: 0, requests: 0, notifications: 0 });
    }),
  );
  await renderApp('/test');
  await screen.findByRole('link', { name: 'Register' });
  expect(screen.queryByRole('button', { name: /Notifications/ })).toBeNull();
  expect(asked).toBe(false);
});
