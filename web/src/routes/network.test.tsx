// Connections, requests and suggestions: counts, empty states, failures, and what each button sends.
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Connection } from '@/api/types';
import { priya } from '@/testing/posts';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, server, signedInAs } from '@/testing/server';

const accepted: Connection = {
  id: 'c1',
  requesterId: isabel.id,
  recipientId: priya.id,
  status: 'accepted',
  createdAt: '2026-10-01T00:00:00Z',
  connectedUser: priya,
};
const { connectedUser: _, ...between } = accepted;
const pending: Connection = { ...between, id: 'r1', status: 'pending', user: priya };
const broken = () => problem(503, { error: 'Please try again soon' });

beforeEach(() => signedInAs(isabel));

test('a visitor is sent to /auth', async () => {
  server.use(http.get('/api/auth/me', () => problem(401, { error: 'Not signed in' })));
  const { path } = await renderApp('/network');
  await waitFor(() => expect(path()).toBe('/auth'));
});

test('counts stand in the tabs and in the menu; cards lead to the profiles', async () => {
  server.use(
    http.get('/api/users/:id/connections', () =>
      HttpResponse.json([accepted, { ...accepted, id: 'c2', connectedUser: isabel }]),
    ),
    http.get('/api/connections', () => HttpResponse.json([pending])),
  );
  await renderApp('/network');
  expect(await screen.findByRole('heading', { level: 1, name: 'Network' })).toBeVisible();
  expect(await screen.findByRole('tab', { name: 'My Connections 2' })).toBeVisible();
  expect(await screen.findByRole('tab', { name: 'Connection Requests 1' })).toBeVisible();
  expect(screen.getByRole('tab', { name: 'Suggested Connections' })).toBeVisible();
  const menu = within(screen.getByRole('navigation', { name: 'Network sections' }));
  expect(menu.getByRole('button', { name: 'My Connections 2' })).toHaveAttribute('aria-current', 'true');
  expect(menu.getByRole('button', { name: 'Connection Requests 1' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Priya Raghavan' })).toHaveAttribute(
    'href',
    `/profile/${priya.id}`,
  );
  expect(screen.getAllByRole('link', { name: 'Message' })).toHaveLength(2);
});

test('no connections: Find Connections opens the suggestions, in the address too', async () => {
  const { user, path } = await renderApp('/network');
  expect(await screen.findByText("You don't have any connections yet.")).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Find Connections' }));
  expect(await screen.findByText('No connection suggestions right now.')).toBeVisible();
  expect(path()).toBe('/network?tab=suggestions');
});

test('the menu changes the tab', async () => {
  const { user } = await renderApp('/network');
  await user.click(await screen.findByRole('button', { name: /^Connection Requests/ }));
  expect(await screen.findByText("You don't have any pending invitations.")).toBeVisible();
  expect(screen.getByRole('tab', { name: /^Connection Requests/ })).toHaveAttribute('aria-selected', 'true');
});

test.each([
  ['/network', '/api/users/:id/connections', 'Error loading connections. Please try again later.'],
  ['/network?tab=requests', '/api/connections', 'Error loading pending invitations. Please try again later.'],
  [
    '/network?tab=suggestions',
    '/api/users/:id/suggestions',
    'Error loading suggestions. Please try again later.',
  ],
])('%s: the failure of its list', async (address, call, sentence) => {
  server.use(http.get(call, broken));
  await renderApp(address);
  expect(await screen.findByText(sentence)).toBeVisible();
});

describe('a request', () => {
  let sent: unknown[];
  beforeEach(() => {
    sent = [];
    server.use(
      http.get('/api/connections', ({ request }) => {
        const query = new URL(request.url).searchParams;
        expect(query.get('recipientId')).toBe(isabel.id);
        expect(query.get('status')).toBe('pending');
        return HttpResponse.json(sent.length === 0 ? [pending] : []);
      }),
      http.patch('/api/connections/:id', async ({ request, params }) => {
        sent.push([params.id, await request.json()]);
        return HttpResponse.json({ ...pending, status: 'accepted' });
      }),
    );
  });

  test.each([
    ['Accept', 'accepted'],
    ['Ignore', 'rejected'],
  ])('%s sends %s and fetches both lists anew', async (button, status) => {
    let reads = 0;
    server.use(
      http.get('/api/users/:id/connections', () => {
        reads += 1;
        return HttpResponse.json([]);
      }),
    );
    const { user } = await renderApp('/network?tab=requests');
    await user.click(await screen.findByRole('button', { name: button }));
    expect(await screen.findByText("You don't have any pending invitations.")).toBeVisible();
    expect(sent).toEqual([['r1', { status }]]);
    await waitFor(() => expect(reads).toBe(2));
  });

  test.each([
    ['Accept', 'Failed to accept connection: 409: Already answered'],
    ['Ignore', 'Failed to reject connection: 409: Already answered'],
  ])('%s that fails says why', async (button, sentence) => {
    server.use(http.patch('/api/connections/:id', () => problem(409, { error: 'Already answered' })));
    const { user } = await renderApp('/network?tab=requests');
    await user.click(await screen.findByRole('button', { name: button }));
    expect(await screen.findByText(sentence)).toBeVisible();
    expect(screen.getByText('Error')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Priya Raghavan' })).toBeVisible();
  });
});

describe('a suggestion', () => {
  beforeEach(() =>
    server.use(
      http.get('/api/users/:id/suggestions', () =>
        HttpResponse.json([
          { ...priya, mutualConnections: 2 },
          { ...priya, id: 'p3', fullName: 'Ana Cruz', mutualConnections: 0 },
        ]),
      ),
    ),
  );

  test('names the mutual connections, when there are any', async () => {
    await renderApp('/network?tab=suggestions');
    expect(await screen.findByText('2 mutual connections')).toBeVisible();
    expect(screen.queryByText('0 mutual connections')).not.toBeInTheDocument();
  });

  test('Connect sends a pending request, says so, and fetches the suggestions anew', async () => {
    const sent: unknown[] = [];
    server.use(
      http.post('/api/connections', async ({ request }) => {
        sent.push(await request.json());
        server.use(http.get('/api/users/:id/suggestions', () => HttpResponse.json([])));
        return HttpResponse.json(pending, { status: 201 });
      }),
    );
    const { user } = await renderApp('/network?tab=suggestions');
    const [first] = await screen.findAllByRole('button', { name: 'Connect' });
    await user.click(first as HTMLElement);
    expect(await screen.findByText('Connection request sent')).toBeVisible();
    expect(screen.getByText('Your connection request has been sent')).toBeVisible();
    expect(sent).toEqual([{ requesterId: isabel.id, recipientId: priya.id, status: 'pending' }]);
    expect(await screen.findByText('No connection suggestions right now.')).toBeVisible();
  });

  test('a failing Connect says why', async () => {
    server.use(http.post('/api/connections', broken));
    const { user } = await renderApp('/network?tab=suggestions');
    const [first] = await screen.findAllByRole('button', { name: 'Connect' });
    await user.click(first as HTMLElement);
    expect(
      await screen.findByText('Failed to send connection request: 503: Please try again soon'),
    ).toBeVisible();
  });
});

test('in Filipino', async () => {
  await renderApp('/network', { language: 'fil' });
  expect(await screen.findByText('Wala ka pang mga koneksyon.')).toBeVisible();
  expect(screen.getByRole('tab', { name: 'Mga Mungkahing Koneksyon' })).toBeVisible();
});
