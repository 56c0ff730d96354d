// The privacy settings: each choice applies at once, a refusal is shown and reverted.
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import type { PrivacySettings } from '@/api/schema.gen';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, server, signedInAs } from '@/testing/server';

const defaults: PrivacySettings = {
  profileAudience: 'public',
  messageAudience: 'everyone',
  searchEngines: true,
  activityShown: true,
  readReceipts: true,
};
let stored: PrivacySettings;
let sent: object[];

beforeEach(() => {
  stored = { ...defaults };
  sent = [];
  signedInAs(isabel);
  server.use(
    http.get('/api/users/:id/privacy', () => HttpResponse.json(stored)),
    http.patch('/api/users/:id/privacy', async ({ request }) => {
      const changes = (await request.json()) as Partial<PrivacySettings>;
      sent.push(changes);
      stored = { ...stored, ...changes };
      return HttpResponse.json(stored);
    }),
  );
});

async function open(language: 'en' | 'fil' = 'en') {
  const app = await renderApp('/settings/privacy', { language });
  await screen.findAllByRole('radio');
  return app;
}

const profile = () => within(screen.getByRole('group', { name: 'Who can see your profile' }));
const messages = () => within(screen.getByRole('group', { name: 'Who can start a conversation with you' }));

test('the settings of the member are shown', async () => {
  stored = { ...defaults, profileAudience: 'members', messageAudience: 'replies-only', readReceipts: false };
  await open();
  expect(screen.getByRole('heading', { level: 1, name: 'Privacy' })).toBeVisible();
  expect(profile().getByRole('radio', { name: 'Members' })).toBeChecked();
  expect(messages().getByRole('radio', { name: 'No one new' })).toBeChecked();
  expect(screen.getByRole('switch', { name: 'Read receipts' })).not.toBeChecked();
  expect(screen.getByRole('switch', { name: 'Search engines' })).toBeChecked();
});

test('each choice is sent alone and at once', async () => {
  const { user } = await open();
  await user.click(profile().getByRole('radio', { name: 'Connections' }));
  await user.click(messages().getByRole('radio', { name: 'Connections' }));
  for (const name of ['Search engines', 'Activity', 'Read receipts'])
    await user.click(screen.getByRole('switch', { name }));
  await waitFor(() =>
    expect(sent).toEqual([
      { profileAudience: 'connections' },
      { messageAudience: 'connections' },
      { searchEngines: false },
      { activityShown: false },
      { readReceipts: false },
    ]),
  );
  expect(profile().getByRole('radio', { name: 'Connections' })).toBeChecked();
});

test('a refused change is reverted with its reason', async () => {
  server.use(http.patch('/api/users/:id/privacy', () => problem(503, { error: 'Please try again soon' })));
  const { user } = await open();
  await user.click(profile().getByRole('radio', { name: 'Members' }));
  expect(await screen.findByText('Failed to change the setting: 503: Please try again soon')).toBeVisible();
  await waitFor(() => expect(profile().getByRole('radio', { name: 'Everyone' })).toBeChecked());
});

test('settings that cannot be loaded can be tried again', async () => {
  server.use(http.get('/api/users/:id/privacy', () => problem(503, { error: 'soon' }), { once: true }));
  const { user } = await renderApp('/settings/privacy');
  expect(await screen.findByText('Privacy settings could not be loaded.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Try Again' }));
  await screen.findAllByRole('radio');
  expect(profile().getByRole('radio', { name: 'Everyone' })).toBeChecked();
});

test('Settings leads to the privacy settings and back', async () => {
  const { user, path } = await renderApp('/settings');
  await user.click(await screen.findByRole('link', { name: 'Privacy settings' }));
  await waitFor(() => expect(path()).toBe('/settings/privacy'));
  const main = within(screen.getByRole('main'));
  await user.click(await main.findByRole('link', { name: 'Settings' }));
  await waitFor(() => expect(path()).toBe('/settings'));
});

test('in Filipino', async () => {
  await open('fil');
  expect(screen.getByRole('group', { name: 'Sino ang makakakita ng profile mo' })).toBeVisible();
  expect(screen.getByRole('switch', { name: 'Aktibidad' })).toBeChecked();
});
