// The offer of recovery codes on the home screen: when it is shown, without layout shifts.
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, server, signedInAs } from '@/testing/server';

const title = "Don't get locked out of your account";
const path = '/api/auth/recovery-codes';
const codes = [...'ABCDEFGH'].map((letter) => `${letter}000-1111-2222-3333`);
let asked = 0;

/** A member who registered a moment ago. */
const newcomer = () => ({ ...isabel, createdAt: new Date().toISOString() });

beforeEach(() => {
  asked = 0;
});

function left(remaining: number, madeAt: string | null) {
  server.use(
    http.get(path, () => {
      asked += 1;
      return HttpResponse.json({ remaining, madeAt });
    }),
  );
}

async function register() {
  left(0, null);
  server.use(http.post('/api/auth/register', () => HttpResponse.json(newcomer(), { status: 201 })));
  const app = await renderApp('/auth?register=true');
  await app.user.type(await screen.findByLabelText('Username'), 'isabel');
  await app.user.type(screen.getByLabelText('Password'), 'secret1');
  await app.user.type(screen.getByLabelText('Full Name'), 'Isabel Reyes{Enter}');
  const card = within(await screen.findByRole('region', { name: title }));
  return { ...app, card };
}

async function openHome(user = isabel) {
  signedInAs(user);
  const app = await renderApp('/');
  await screen.findByRole('button', { name: 'Start a post...' });
  return app;
}

test('is shown on the first home screen after registration, before the server has responded', async () => {
  server.use(http.get(path, () => new Promise<never>(() => undefined)));
  server.use(http.post('/api/auth/register', () => HttpResponse.json(newcomer(), { status: 201 })));
  const { user } = await renderApp('/auth?register=true');
  await user.type(await screen.findByLabelText('Username'), 'isabel');
  await user.type(screen.getByLabelText('Password'), 'secret1');
  await user.type(screen.getByLabelText('Full Name'), 'Isabel Reyes{Enter}');
  await screen.findByRole('button', { name: 'Start a post...' });
  expect(screen.getByRole('region', { name: title })).toBeVisible();
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('creates codes, shows them, and disappears permanently after Done', async () => {
  const { user, card, unmount } = await register();
  server.use(http.post(path, () => HttpResponse.json({ codes }, { status: 201 })));
  await user.click(card.getByRole('button', { name: 'Create recovery codes' }));
  for (const code of codes) expect(await card.findByText(code)).toBeVisible();
  expect(card.getByRole('button', { name: 'Copy' })).toBeEnabled();
  expect(card.getByRole('button', { name: 'Download (.txt)' })).toBeEnabled();
  await user.click(card.getByRole('button', { name: 'Done' }));
  expect(screen.queryByRole('region', { name: title })).toBeNull();

  unmount();
  await openHome(newcomer());
  expect(screen.queryByRole('region', { name: title })).toBeNull();
});

test('a dismissal is stored for this member and stops the requests', async () => {
  const { user, card, unmount } = await register();
  await user.click(card.getByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByRole('region', { name: title })).toBeNull();

  unmount();
  asked = 0;
  const home = await openHome(newcomer());
  expect(screen.queryByRole('region', { name: title })).toBeNull();
  expect(asked).toBe(0);

  home.unmount();
  signedInAs({ ...isabel, id: '019a0000-0000-7000-8000-000000000009' });
  await renderApp('/');
  await waitFor(() => expect(asked).toBe(1));
});

test('in a new browser the card appears at the next visit', async () => {
  left(0, null);
  const first = await openHome();
  await waitFor(() => expect(asked).toBe(1));
  await waitFor(() => expect(JSON.stringify({ ...localStorage })).toContain('"open"'));
  expect(screen.queryByRole('region', { name: title })).toBeNull();

  first.unmount();
  await openHome();
  expect(screen.getByRole('region', { name: title })).toBeVisible();
});

test('if codes were created elsewhere, the card says so and is hidden at the next visit', async () => {
  const first = await register();
  first.unmount();
  left(7, '2026-11-20T08:00:00Z');
  const second = await openHome(newcomer());
  const card = within(screen.getByRole('region', { name: title }));
  expect(await card.findByRole('link', { name: 'Settings' })).toHaveAttribute('href', '/settings');
  expect(card.queryByRole('button', { name: 'Create recovery codes' })).toBeNull();

  second.unmount();
  await openHome(newcomer());
  expect(screen.queryByRole('region', { name: title })).toBeNull();
});

test('a member with codes or with a failed request sees no card', async () => {
  left(8, '2026-11-20T08:00:00Z');
  const first = await openHome();
  await waitFor(() => expect(asked).toBe(1));
  first.unmount();
  await openHome();
  expect(screen.queryByRole('region', { name: title })).toBeNull();
  expect(asked).toBe(1);
});

test('home works if the request fails', async () => {
  server.use(http.get(path, () => problem(503, { error: 'Away' })));
  await openHome();
  expect(screen.queryByRole('region', { name: title })).toBeNull();
});

test('is translated to Filipino', async () => {
  localStorage.setItem(`portia-recovery-offer:${isabel.id}`, 'open');
  signedInAs(isabel);
  left(0, null);
  await renderApp('/', { language: 'fil' });
  expect(
    await screen.findByRole('heading', { name: 'Siguraduhing makakabalik ka sa account mo' }),
  ).toBeVisible();
});
