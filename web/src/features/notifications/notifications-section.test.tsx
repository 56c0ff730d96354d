// Settings, Notifications: a switch per kind, which applies at once and reverts when it is refused.
import { screen, waitFor, within } from '@testing-library/react';
import { delay, HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import type { NotificationSettings } from '@/api/schema.gen';
import { gate } from '@/testing/jobs';
import { renderApp } from '@/testing/render-app';
import { defaultNotificationSettings, isabel, problem, server, signedInAs } from '@/testing/server';

let settings: NotificationSettings;
let sent: unknown[];

const section = async (name = 'Notifications') => within(await screen.findByRole('region', { name }));

beforeEach(() => {
  sent = [];
  settings = defaultNotificationSettings;
  signedInAs(isabel);
  server.use(
    http.get('/api/notifications/settings', () => HttpResponse.json(settings)),
    http.patch('/api/notifications/settings', async ({ request }) => {
      const changes = (await request.json()) as Partial<NotificationSettings>;
      sent.push(changes);
      await delay(30);
      settings = { ...settings, ...changes };
      return HttpResponse.json(settings);
    }),
  );
});

test('shows a switch for each kind with its state and description', async () => {
  await renderApp('/settings');
  const card = await section();
  const switches = await card.findAllByRole('switch');
  expect(switches.map((one) => (one as HTMLInputElement).checked)).toEqual(Object.values(settings));
  expect(card.getByRole('switch', { name: 'Likes' })).toHaveAccessibleDescription(
    'Someone reacts to your post.',
  );
  expect(card.getByRole('switch', { name: 'Posts in communities' })).not.toBeChecked();
});

test('a switch is turned off and on, also by its label, and sends only its kind', async () => {
  const { user, queryClient } = await renderApp('/settings');
  const card = await section();
  const comments = await card.findByRole('switch', { name: 'Comments' });
  await user.click(comments);
  expect(comments).not.toBeChecked();
  await waitFor(() => expect(sent).toEqual([{ post_commented: false }]));
  await user.click(card.getByText('Comments'));
  expect(comments).toBeChecked();
  await waitFor(() => expect(sent).toEqual([{ post_commented: false }, { post_commented: true }]));
  comments.focus();
  await user.keyboard(' ');
  expect(comments).not.toBeChecked();
  await waitFor(() => expect(queryClient.isMutating()).toBe(0));
  expect(sent).toHaveLength(3);
  expect(comments).not.toBeChecked();
});

test('several presses are sent one after the other, and the last one wins', async () => {
  const { user, queryClient } = await renderApp('/settings');
  const card = await section();
  const likes = await card.findByRole('switch', { name: 'Likes' });
  const requests = card.getByRole('switch', { name: 'Connection requests' });
  const seen: (string | null)[] = [];
  const watch = new MutationObserver(() => seen.push(requests.getAttribute('aria-checked')));
  watch.observe(requests, { attributeFilter: ['aria-checked'] });
  await user.click(likes);
  await user.click(requests);
  await user.click(likes);
  await user.click(likes);
  expect(likes).not.toBeChecked();
  expect(requests).not.toBeChecked();
  await waitFor(() => expect(sent).toHaveLength(4));
  expect(sent).toEqual([
    { post_liked: false },
    { connection_requested: false },
    { post_liked: true },
    { post_liked: false },
  ]);
  await waitFor(() => expect(queryClient.isMutating()).toBe(0));
  expect(settings).toMatchObject({ post_liked: false, connection_requested: false });
  expect(likes).not.toBeChecked();
  expect(requests).not.toBeChecked();
  watch.disconnect();
  expect(seen, 'it never goes back, not for a moment').toEqual(['false']);
});

test('a refused change reverts and shows the reason', async () => {
  const answered = gate();
  server.use(
    http.patch('/api/notifications/settings', async () => {
      await answered.opened;
      return problem(503, { error: 'Please try again soon' });
    }),
  );
  const { user } = await renderApp('/settings');
  const card = await section();
  const posts = await card.findByRole('switch', { name: 'Posts in communities' });
  await user.click(posts);
  expect(posts).toBeChecked();
  answered.open();
  expect(
    await screen.findByText('Failed to change notification settings: 503: Please try again soon'),
  ).toBeVisible();
  expect(screen.getByText('Error')).toBeVisible();
  await waitFor(() => expect(posts).not.toBeChecked());
});

test('settings that fail to load can be retried', async () => {
  server.use(http.get('/api/notifications/settings', () => problem(503, { error: 'Away' })));
  const { user } = await renderApp('/settings');
  const card = await section();
  expect(await card.findByText('Notification settings could not be loaded.')).toBeVisible();
  server.use(http.get('/api/notifications/settings', () => HttpResponse.json(settings)));
  await user.click(card.getByRole('button', { name: 'Try Again' }));
  expect(await card.findByRole('switch', { name: 'Likes' })).toBeChecked();
});

test('is translated to Filipino', async () => {
  await renderApp('/settings', { language: 'fil' });
  const card = await section('Mga abiso');
  expect(await card.findByRole('switch', { name: 'Mga komento' })).toHaveAccessibleDescription(
    'May nagkomento sa isang post mo.',
  );
});
