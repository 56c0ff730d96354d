// The connection button of a profile and its menu: every state, request and text (specification, sections 4 and 8).
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Connection } from '@/api/schema.gen';
import { postOf, priya } from '@/testing/posts';
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

/** The connections that the lookup returns. */
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

test('Connect sends a pending request, shows a toast, and is pending', async () => {
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

test('a request against a pending request of the other is a connection at once', async () => {
  found();
  server.use(http.post('/api/connections', () => HttpResponse.json({ ...wasAsked, status: 'accepted' })));
  const { user } = await renderApp(address);
  await user.click(await screen.findByRole('button', { name: 'Connect' }));
  expect(await screen.findByRole('button', { name: 'Connected' })).toBeDisabled();
});

test('a request refetches the suggestions', async () => {
  let reads = 0;
  server.use(
    http.get('/api/users/:id/suggestions', () => {
      reads += 1;
      return HttpResponse.json(reads === 1 ? [{ ...priya, mutualConnections: 0, reason: 'active' }] : []);
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

test.each([
  [
    'CONNECTION_REQUESTS_OF_DAY',
    /^Hindi naipadala ang kahilingan sa koneksyon: 429: Naabot mo na sa ngayon ang limit/,
  ],
  [
    'CONNECTION_REQUESTS_WAITING',
    /^Hindi naipadala ang kahilingan sa koneksyon: 429: Marami sa iyong mga kahilingan/,
  ],
])('a used up allowance of requests is explained in the language of the member: %s', async (code, text) => {
  found();
  server.use(http.post('/api/connections', () => problem(429, { error: 'Later', code })));
  const { user } = await renderApp(address, { language: 'fil' });
  await user.click(await screen.findByRole('button', { name: 'Kumonekta' }));
  expect(await screen.findByText(text)).toBeVisible();
});

test('a failed request shows the reason and can be retried', async () => {
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

test('a failed acceptance shows the reason', async () => {
  found(wasAsked);
  server.use(http.patch('/api/connections/:id', () => problem(409, { error: 'Already answered' })));
  const { user } = await renderApp(address);
  await user.click(await screen.findByRole('button', { name: 'Accept Connection' }));
  expect(await screen.findByText('Failed to accept connection: 409: Already answered')).toBeVisible();
});

test('a request accepted on the network screen is accepted on the profile', async () => {
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

test('a visitor is asked to sign in, without a lookup', async () => {
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

describe('the menu beside the button', () => {
  const nothing = () => new HttpResponse(null, { status: 204 });
  let calls: string[];
  beforeEach(() => {
    calls = [];
    server.use(
      http.delete('/api/connections/:id', ({ params }) => {
        calls.push(`DELETE ${params.id}`);
        return nothing();
      }),
      http.put('/api/blocks/:memberId', ({ params }) => {
        calls.push(`PUT ${params.memberId}`);
        return nothing();
      }),
    );
  });

  async function open() {
    const app = await renderApp(address);
    await app.user.click(await screen.findByRole('button', { name: 'Options for Priya Raghavan' }));
    await screen.findByRole('menu');
    const items = () => screen.getAllByRole('menuitem').map((item) => item.textContent);
    return { ...app, items };
  }

  test.each([
    ['nothing', [], ['Mute...', 'Report Priya Raghavan', 'Block Priya Raghavan']],
    [
      'asked by me',
      [asked],
      ['Mute...', 'Withdraw request', 'Report Priya Raghavan', 'Block Priya Raghavan'],
    ],
    ['asked by the other', [wasAsked], ['Mute...', 'Report Priya Raghavan', 'Block Priya Raghavan']],
    [
      'accepted',
      [{ ...asked, status: 'accepted' } as Connection],
      ['Mute...', 'Remove connection', 'Report Priya Raghavan', 'Block Priya Raghavan'],
    ],
  ])('%s: the items', async (_, connections, expected) => {
    found(...connections);
    const { items } = await open();
    await waitFor(() => expect(items()).toEqual(expected));
  });

  test('a visitor and the member’s own profile have no menu', async () => {
    server.use(http.get('/api/auth/me', () => problem(401, { error: 'Not signed in' })));
    const { unmount } = await renderApp(address);
    await screen.findByRole('button', { name: 'Connect' });
    expect(screen.queryByRole('button', { name: /^Options/ })).not.toBeInTheDocument();
    unmount();

    signedInAs(isabel);
    server.use(http.get('/api/users/:id/profile', () => HttpResponse.json(profileOf(isabel))));
    await renderApp(`/profile/${isabel.id}`);
    await screen.findByRole('button', { name: 'Edit Profile' });
    expect(screen.queryByRole('button', { name: /^Options/ })).not.toBeInTheDocument();
  });

  test('a request is withdrawn and can be sent again', async () => {
    found(asked);
    const { user } = await open();
    expect(screen.getByRole('button', { name: 'Connection Pending' })).toBeDisabled();
    await user.click(await screen.findByRole('menuitem', { name: 'Withdraw request' }));
    expect(await screen.findByText('Request withdrawn')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Connect' })).toBeEnabled();
    expect(calls).toEqual(['DELETE c1']);
  });

  test('a failed withdrawal shows the reason', async () => {
    found(asked);
    server.use(http.delete('/api/connections/:id', () => problem(503, { error: 'Away' })));
    const { user } = await open();
    await user.click(await screen.findByRole('menuitem', { name: 'Withdraw request' }));
    expect(await screen.findByText('Failed to withdraw connection request: 503: Away')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Connection Pending' })).toBeDisabled();
  });

  test('a withdrawal after the acceptance refetches the connection', async () => {
    const accepted: Connection = { ...asked, status: 'accepted' };
    found(asked);
    const { user } = await open();
    found(accepted);
    server.use(http.delete('/api/connections/:id', () => problem(409, { error: 'Already answered' })));
    await user.click(await screen.findByRole('menuitem', { name: 'Withdraw request' }));
    expect(await screen.findByRole('button', { name: 'Connected' })).toBeDisabled();
  });

  test('the counter on the home screen is updated', async () => {
    found({ ...asked, status: 'accepted' });
    const stats = { profileViews: 3, postImpressions: 12, connections: 9 };
    server.use(
      http.get('/api/users/:id/profile', ({ params }) =>
        HttpResponse.json(
          params.id === isabel.id ? { ...profileOf(isabel), stats } : profileOf({ ...isabel, ...priya }),
        ),
      ),
      http.get('/api/posts', () => HttpResponse.json([postOf()])),
    );
    const { user } = await renderApp('/');
    const counter = async () =>
      (await screen.findByText('Connections', { selector: 'dt' })).nextElementSibling;
    await waitFor(async () => expect(await counter()).toHaveTextContent('9'));
    await user.click(await screen.findByRole('button', { name: 'Options for Priya Raghavan' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Remove connection' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Remove' }));
    await waitFor(async () => expect(await counter()).toHaveTextContent('8'));
  });

  test('Remove connection asks for confirmation, then removes the connection', async () => {
    found({ ...asked, status: 'accepted' });
    const { user } = await open();
    await user.click(await screen.findByRole('menuitem', { name: 'Remove connection' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Remove connection' }));
    expect(calls).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Remove' }));
    expect(await screen.findByText('Connection removed')).toBeVisible();
    expect(await screen.findByRole('button', { name: 'Connect' })).toBeEnabled();
    expect(calls).toEqual(['DELETE c1']);
  });

  test('Block asks for confirmation, then hides the profile like the server', async () => {
    found();
    const { user } = await open();
    await user.click(await screen.findByRole('menuitem', { name: 'Block Priya Raghavan' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Block Priya Raghavan' }));
    expect(calls).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Block' }));
    expect(await screen.findByText('Error loading profile')).toBeVisible();
    expect(
      screen.getByText('Unable to load user profile information. Please try again later.'),
    ).toBeVisible();
    expect(await screen.findByText('Member blocked')).toBeVisible();
    expect(screen.queryByText('Priya Raghavan')).not.toBeInTheDocument();
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(calls).toEqual([`PUT ${priya.id}`]);
  });

  test('a failed block keeps the profile and shows the reason', async () => {
    found();
    server.use(http.put('/api/blocks/:memberId', () => problem(404, { error: 'User not found' })));
    const { user } = await open();
    await user.click(await screen.findByRole('menuitem', { name: 'Block Priya Raghavan' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Block' }));
    expect(await screen.findByText('Failed to block member: 404: User not found')).toBeVisible();
    expect(screen.getByRole('heading', { level: 1, name: 'Priya Raghavan' })).toBeVisible();
  });
});

test('is translated to Filipino', async () => {
  found(wasAsked);
  await renderApp(address, { language: 'fil' });
  await waitFor(() => expect(screen.getByRole('button', { name: 'Tanggapin ang Koneksyon' })).toBeEnabled());
});
