// Settings, Notifications on this device: support, permission, topics, and the other devices.
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PushSubscription as PushSubscriptionView } from '@/api/schema.gen';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, server, signedInAs } from '@/testing/server';

const publicKey = 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4';
const device = (id: string, fields: Partial<PushSubscriptionView> = {}): PushSubscriptionView => ({
  id,
  browser: 'Chrome · Android',
  language: 'en',
  topics: ['messages'],
  createdAt: '2026-11-20T08:00:00Z',
  lastSuccessAt: null,
  isCurrentSession: false,
  ...fields,
});

let subscriptions: PushSubscriptionView[];
let sent: Record<string, unknown>[];
let local: { unsubscribe: () => Promise<boolean> } | null;
let permission: NotificationPermission;
/** The answer of the member to the browser. */
let decision: NotificationPermission;
const requestPermission = vi.fn();

const section = async () =>
  within(await screen.findByRole('region', { name: 'Notifications on this device' }));
const main = 'Notifications on this device';

beforeEach(() => {
  subscriptions = [];
  sent = [];
  local = null;
  permission = 'default';
  decision = 'granted';
  requestPermission.mockReset().mockImplementation(async () => {
    permission = decision;
    return permission;
  });
  signedInAs(isabel);
  server.use(
    http.get('/api/push', () => HttpResponse.json({ publicKey, subscriptions })),
    http.post('/api/push/subscriptions', async ({ request }) => {
      const body = (await request.json()) as Record<string, unknown>;
      sent.push(body);
      const own = device('own', {
        isCurrentSession: true,
        topics: body.topics as PushSubscriptionView['topics'],
      });
      subscriptions = [...subscriptions.filter(({ id }) => id !== 'own'), own];
      return HttpResponse.json(own);
    }),
    http.delete('/api/push/subscriptions/:id', ({ params }) => {
      subscriptions = subscriptions.filter(({ id }) => id !== params.id);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  vi.stubGlobal(
    'Notification',
    Object.assign(class {}, { requestPermission }, {}) as unknown as typeof Notification,
  );
  Object.defineProperty(Notification, 'permission', { configurable: true, get: () => permission });
  vi.stubGlobal('PushManager', class {});
  const pushManager = {
    getSubscription: async () => local,
    subscribe: async () => {
      local = {
        unsubscribe: async () => {
          local = null;
          return true;
        },
      };
      return Object.assign(local, {
        toJSON: () => ({ endpoint: 'https://push.example/1', keys: { p256dh: 'key', auth: 'secret' } }),
      });
    },
  };
  const registration = { pushManager };
  Object.defineProperty(navigator, 'serviceWorker', {
    configurable: true,
    value: {
      register: async () => registration,
      getRegistration: async () => registration,
      ready: Promise.resolve(registration),
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    },
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, 'serviceWorker');
});

test('it is off until it is pressed, and only then the browser asks', async () => {
  const { user } = await renderApp('/settings');
  const card = await section();
  const control = await card.findByRole('switch', { name: main });
  expect(control).not.toBeChecked();
  expect(card.getAllByRole('switch')).toHaveLength(1);
  expect(requestPermission).not.toHaveBeenCalled();

  await user.click(control);
  await waitFor(() => expect(card.getAllByRole('switch')).toHaveLength(5));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({
    endpoint: 'https://push.example/1',
    p256dh: 'key',
    auth: 'secret',
    language: 'en',
    topics: ['messages', 'connections', 'posts', 'reminders'],
  });
  await user.click(card.getByRole('switch', { name: 'Connections' }));
  await waitFor(() => expect(sent[1]?.topics).toEqual(['messages', 'posts', 'reminders']));
  await waitFor(() => expect(card.getByRole('switch', { name: 'Connections' })).not.toBeChecked());

  await user.click(card.getByRole('switch', { name: main }));
  await waitFor(() => expect(card.getAllByRole('switch')).toHaveLength(1));
  await waitFor(() => expect(subscriptions).toEqual([]));
  expect(local).toBeNull();
});

test('a refused permission is explained, and nothing is sent', async () => {
  decision = 'denied';
  const { user } = await renderApp('/settings');
  const card = await section();
  await user.click(await card.findByRole('switch', { name: main }));
  expect(await card.findByText(/^This browser blocks notifications of Portia\./)).toBeVisible();
  expect(card.getByRole('switch', { name: main })).not.toBeChecked();
  expect(sent).toEqual([]);
});

test('ten devices are the maximum', async () => {
  server.use(
    http.post('/api/push/subscriptions', () =>
      problem(409, { error: 'Full', code: 'PUSH_SUBSCRIPTIONS_FULL' }),
    ),
  );
  const { user } = await renderApp('/settings');
  const card = await section();
  await user.click(await card.findByRole('switch', { name: main }));
  expect(await screen.findByText('Notifications are on for ten devices. Remove one first.')).toBeVisible();
  await waitFor(() => expect(card.getByRole('switch', { name: main })).not.toBeChecked());
});

test('other devices are listed and removed', async () => {
  subscriptions = [
    device('phone'),
    device('laptop', { browser: 'Firefox · Linux' }),
    device('odd', { browser: '?' }),
  ];
  const { user } = await renderApp('/settings');
  const card = await section();
  expect(await card.findByText('Chrome on Android')).toBeVisible();
  expect(card.getByText('Unknown browser')).toBeVisible();
  await user.click(card.getByRole('button', { name: 'Remove Firefox on Linux' }));
  await waitFor(() => expect(card.queryByText('Firefox on Linux')).not.toBeInTheDocument());
  expect(subscriptions.map(({ id }) => id)).toEqual(['phone', 'odd']);
  expect(card.getByRole('heading', { name: 'Other devices' })).toHaveFocus();
});

test('a browser without push is explained', async () => {
  vi.stubGlobal('PushManager', undefined);
  Reflect.deleteProperty(window, 'PushManager');
  await renderApp('/settings');
  expect(await (await section()).findByText('This browser does not support notifications.')).toBeVisible();
});

test('a server that turned push off says so', async () => {
  server.use(http.get('/api/push', () => HttpResponse.json({ publicKey: null, subscriptions: [] })));
  await renderApp('/settings');
  const card = await section();
  expect(await card.findByText(/^The operators of Portia have turned off/)).toBeVisible();
  expect(card.queryByRole('switch')).not.toBeInTheDocument();
});

test('a failed read can be repeated', async () => {
  server.use(http.get('/api/push', () => problem(503, { error: 'Unavailable' })));
  await renderApp('/settings');
  const card = await section();
  expect(await card.findByText('The notifications of this device could not be loaded.')).toBeVisible();
  expect(card.getByRole('button', { name: 'Try Again' })).toBeVisible();
});

test('signing out ends the subscription of the browser', async () => {
  permission = 'granted';
  const unsubscribe = vi.fn(async () => true);
  local = { unsubscribe };
  subscriptions = [device('own', { isCurrentSession: true })];
  const { user } = await renderApp('/settings');
  expect(await (await section()).findByRole('switch', { name: main })).toBeChecked();
  await user.click(await screen.findByRole('button', { name: 'Log out' }));
  await waitFor(() => expect(unsubscribe).toHaveBeenCalled());
});
