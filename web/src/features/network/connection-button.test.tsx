// The connection button on a profile: every state, what it sends, and what it says (specification, sections 4 and 8).
import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import type { Connection } from '@/api/types';
import { priya } from '@/testing/posts';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, profileOf, server, signedInAs } from '@/testing/server';

const address = `/profile/${priya.id}`;
const asked: Connection = {
  id: 'c1',
  requesterId: isabel.id,
  recipientId: priya.id,
  status: 'pending',
  createdAt: '2026-10-01T00:00:00Z',
};
const wasAsked: Connection = { ...asked, requesterId: priya.id, recipientId: isabel.id };

/** What the lookup between the two finds. */
function found(...connections: Connection[]) {
  server.use(
    http.get('/api/connections', ({ request }) => {
      const query = new URL(request.url).searchParams;
      expect(Object.fromEntries(query)).toEqual({ requesterId: isabel.id, recipientId: priya.id });
      return HttpResponse.json(connections);
    }),
  );
}

beforeEach(() => {
  signedInAs(isabel);
  server.use(http.get('/api/users/:id/profile', () => HttpResponse.json(profileOf({ ...isabel, ...priya }))));
});

test.each([
  ['accepted', { ...asked, status: 'accepted' } as Connection, 'Connected', false],
  ['accepted, asked by the other', { ...wasAsked, status: 'accepted' } as Connection, 'Connected', false],
  ['asked by me', asked, 'Connection Pending', false],
  ['asked by the other', wasAsked, 'Accept Connection', true],
  ['rejected', { ...asked, status: 'rejected' } as Connection, 'Connect', true],
])('%s', async (_, connection, name, enabled) => {
  found(connection);
  await renderApp(address);
  const button = await screen.findByRole('button', { name });
  if (enabled) expect(button).toBeEnabled();
  else expect(button).toBeDisabled();
});

test('Loading while the status is fetched', async () => {
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  server.use(
    http.get('/api/connections', async () => {
      await arrived;
      return HttpResponse.json([]);
    }),
  );
  await renderApp(address);
  expect(await screen.findByRole('button', { name: 'Loading' })).toBeDisabled();
  arrive();
  expect(await screen.findByRole('button', { name: 'Connect' })).toBeEnabled();
});

test('a failed lookup counts as no connection', async () => {
  server.use(http.get('/api/connections', () => problem(503, { error: 'Please try again soon' })));
  await renderApp(address);
  expect(await screen.findByRole('button', { name: 'Connect' })).toBeEnabled();
});

test('Connect sends a pending request, says so, and is pending', async () => {
  found();
  const sent: unknown[] = [];
  server.use(
    http.post('/api/connections', async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json(asked, { status: 201 });
    }),
  );
  const { user } = await renderApp(address);
  await user.click(await screen.findByRole('button', { name: 'Connect' }));
  expect(await screen.findByText('Connection request sent')).toBeVisible();
  expect(screen.getByText('Your connection request has been sent')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Connection Pending' })).toBeDisabled();
  expect(sent).toEqual([{ requesterId: isabel.id, recipientId: priya.id, status: 'pending' }]);
});

test('a request that meets the other’s own is a connection at once', async () => {
  found();
  server.use(http.post('/api/connections', () => HttpResponse.json({ ...wasAsked, status: 'accepted' })));
  const { user } = await renderApp(address);
  await user.click(await screen.findByRole('button', { name: 'Connect' }));
  expect(await screen.findByRole('button', { name: 'Connected' })).toBeDisabled();
});

test('after a request the suggestions are fetched anew', async () => {
  let reads = 0;
  server.use(
    http.get('/api/users/:id/suggestions', () => {
      reads += 1;
      return HttpResponse.json(reads === 1 ? [{ ...priya, mutualConnections: 0 }] : []);
    }),
    http.post('/api/connections', () => HttpResponse.json(asked, { status: 201 })),
  );
  const { user } = await renderApp('/network?tab=suggestions');
  await user.click(await screen.findByRole('link', { name: 'Priya Raghavan' }));
  await user.click(await screen.findByRole('button', { name: 'Connect' }));
  await screen.findByRole('button', { name: 'Connection Pending' });
  await user.click(screen.getAllByRole('link', { name: 'Network' })[0] as HTMLElement);
  await user.click(await screen.findByRole('tab', { name: 'Suggested Connections' }));
  expect(await screen.findByText('No connection suggestions right now.')).toBeVisible();
  expect(reads).toBe(2);
});

test('a request that fails says why, and may be sent again', async () => {
  found();
  server.use(http.post('/api/connections', () => problem(429, { error: 'Too many requests' })));
  const { user } = await renderApp(address);
  await user.click(await screen.findByRole('button', { name: 'Connect' }));
  expect(await screen.findByText('Failed to send connection request: 429: Too many requests')).toBeVisible();
  expect(screen.getByText('Error')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Connect' })).toBeEnabled();
});

test('Accept Connection accepts, and both are connected', async () => {
  found(wasAsked);
  const sent: unknown[] = [];
  server.use(
    http.patch('/api/connections/:id', async ({ request, params }) => {
      sent.push([params.id, await request.json()]);
      return HttpResponse.json({ ...wasAsked, status: 'accepted' });
    }),
  );
  const { user } = await renderApp(address);
  await user.click(await screen.findByRole('button', { name: 'Accept Connection' }));
  expect(await screen.findByRole('button', { name: 'Connected' })).toBeDisabled();
  expect(sent).toEqual([['c1', { status: 'accepted' }]]);
});

test('an acceptance that fails says why', async () => {
  found(wasAsked);
  server.use(http.patch('/api/connections/:id', () => problem(409, { error: 'Already answered' })));
  const { user } = await renderApp(address);
  await user.click(await screen.findByRole('button', { name: 'Accept Connection' }));
  expect(await screen.findByText('Failed to accept connection: 409: Already answered')).toBeVisible();
});

test('a request accepted on the network screen is known on the profile', async () => {
  let answered = false;
  server.use(
    http.get('/api/connections', ({ request }) => {
      const isList = new URL(request.url).searchParams.has('status');
      if (isList) return HttpResponse.json(answered ? [] : [{ ...wasAsked, user: priya }]);
      return HttpResponse.json([wasAsked]);
    }),
    http.patch('/api/connections/:id', () => {
      answered = true;
      return HttpResponse.json({ ...wasAsked, status: 'accepted' });
    }),
    http.get('/api/users/:id/connections', () =>
      HttpResponse.json(answered ? [{ ...wasAsked, status: 'accepted', connectedUser: priya }] : []),
    ),
  );
  const { user } = await renderApp(address);
  await screen.findByRole('button', { name: 'Accept Connection' });
  await user.click(screen.getAllByRole('link', { name: 'Network' })[0] as HTMLElement);
  await user.click(await screen.findByRole('tab', { name: /^Connection Requests/ }));
  await user.click(await screen.findByRole('button', { name: 'Accept' }));
  await user.click(await screen.findByRole('tab', { name: 'My Connections 1' }));
  await user.click(await screen.findByRole('link', { name: 'Priya Raghavan' }));
  expect(await screen.findByRole('button', { name: 'Connected' })).toBeDisabled();
});

test('a visitor is told to sign in, and nothing is looked up', async () => {
  let lookups = 0;
  server.use(
    http.get('/api/auth/me', () => problem(401, { error: 'Not signed in' })),
    http.get('/api/connections', () => {
      lookups += 1;
      return problem(401, { error: 'Not signed in' });
    }),
  );
  const { user } = await renderApp(address);
  await user.click(await screen.findByRole('button', { name: 'Connect' }));
  expect(await screen.findByText('Authentication required')).toBeVisible();
  expect(screen.getByText('Please sign in to connect with other users')).toBeVisible();
  expect(lookups).toBe(0);
});

test('in Filipino', async () => {
  found(wasAsked);
  await renderApp(address, { language: 'fil' });
  await waitFor(() => expect(screen.getByRole('button', { name: 'Tanggapin ang Koneksyon' })).toBeEnabled());
});
