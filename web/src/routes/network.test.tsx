// Connections, requests and suggestions: counts, pages, empty states, failures, and requests.
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Connection, Suggestion } from '@/api/schema.gen';
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

test('a visitor is redirected to /auth', async () => {
  server.use(http.get('/api/auth/me', () => problem(401, { error: 'Not signed in' })));
  const { path } = await renderApp('/network');
  await waitFor(() => expect(path()).toBe('/auth'));
});

test('the tabs and the menu show counts, and the cards link to profiles', async () => {
  server.use(
    http.get('/api/users/:id/connections', () =>
      HttpResponse.json([accepted, { ...accepted, id: 'c2', connectedUser: thea }]),
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
  expect(screen.getAllByRole('button', { name: 'Message' })).toHaveLength(2);
});

const thea = { ...priya, id: '019a0000-0000-7000-8000-000000000003', fullName: 'Thea Lindqvist' };

test('counts cover the whole list, which is loaded page by page', async () => {
  const other: Connection = { ...accepted, id: 'c2', connectedUser: thea };
  const asked: Connection = { ...pending, id: 'r2', user: thea };
  const paged =
    (first: Connection, second: Connection) =>
    ({ request }: { request: Request }) => {
      const { pathname, searchParams } = new URL(request.url);
      const headers = { 'X-Total-Count': '1234' };
      return searchParams.has('cursor')
        ? HttpResponse.json([second], { headers })
        : HttpResponse.json([first], {
            headers: { ...headers, Link: `<${pathname}?${searchParams}&cursor=2>; rel="next"` },
          });
    };
  server.use(
    http.get('/api/users/:id/connections', paged(accepted, other)),
    http.get('/api/connections', paged(pending, asked)),
  );
  const { user } = await renderApp('/network');
  expect(await screen.findByRole('tab', { name: 'My Connections 1,234' })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Show more connections' }));
  expect(await screen.findByRole('link', { name: 'Thea Lindqvist' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Priya Raghavan' })).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Show more/ })).not.toBeInTheDocument();
  await user.click(screen.getByRole('tab', { name: 'Connection Requests 1,234' }));
  await user.click(screen.getByRole('button', { name: 'Show more requests' }));
  expect(await screen.findByRole('link', { name: 'Thea Lindqvist' })).toBeVisible();
});

test('a failed page keeps the loaded ones', async () => {
  server.use(
    http.get('/api/users/:id/connections', ({ request }) =>
      new URL(request.url).searchParams.has('cursor')
        ? broken()
        : HttpResponse.json([accepted], {
            headers: { Link: `<${new URL(request.url).pathname}?cursor=2>; rel="next"` },
          }),
    ),
  );
  const { user } = await renderApp('/network');
  await user.click(await screen.findByRole('button', { name: 'Show more connections' }));
  expect(await screen.findByText('Error loading connections. Please try again later.')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Priya Raghavan' })).toBeVisible();
});

describe('a connection', () => {
  let connected: boolean;
  beforeEach(() => {
    connected = true;
    server.use(
      http.get('/api/users/:id/connections', () =>
        HttpResponse.json(connected ? [accepted] : [], {
          headers: { 'X-Total-Count': connected ? '1' : '0' },
        }),
      ),
    );
  });

  async function choose(item: string) {
    const app = await renderApp('/network');
    await app.user.click(await screen.findByRole('button', { name: 'Options for Priya Raghavan' }));
    await app.user.click(await screen.findByRole('menuitem', { name: item }));
    return { ...app, dialog: within(await screen.findByRole('dialog', { name: item })) };
  }

  test('is removed after a confirmation, and the count is updated', async () => {
    const sent: unknown[] = [];
    server.use(
      http.delete('/api/connections/:id', ({ params }) => {
        sent.push(params.id);
        connected = false;
        return new HttpResponse(null, { status: 204 });
      }),
    );
    const { user, dialog } = await choose('Remove connection');
    expect(
      dialog.getByText('You and Priya Raghavan will no longer be connected. They will not be notified.', {
        selector: '[aria-hidden]',
      }),
    ).toBeVisible();
    expect(sent).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Remove' }));
    expect(await screen.findByText('Connection removed')).toBeVisible();
    expect(await screen.findByText("You don't have any connections yet.")).toBeVisible();
    expect(screen.getByRole('tab', { name: 'My Connections 0' })).toBeVisible();
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(sent).toEqual(['c1']);
  });

  test('stays without a confirmation, and the focus returns to its button', async () => {
    const { user, dialog } = await choose('Remove connection');
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Options for Priya Raghavan' })).toHaveFocus(),
    );
    expect(screen.getByRole('link', { name: 'Priya Raghavan' })).toBeVisible();
  });

  test('stays with the reason if the removal fails', async () => {
    server.use(http.delete('/api/connections/:id', broken));
    const { user, dialog } = await choose('Remove connection');
    await user.click(dialog.getByRole('button', { name: 'Remove' }));
    expect(await screen.findByText('Failed to remove connection: 503: Please try again soon')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Priya Raghavan' })).toBeVisible();
  });

  test('is removed by a confirmed block', async () => {
    const sent: unknown[] = [];
    server.use(
      http.put('/api/blocks/:memberId', ({ params }) => {
        sent.push(params.memberId);
        connected = false;
        return new HttpResponse(null, { status: 204 });
      }),
    );
    const { user, dialog } = await choose('Block Priya Raghavan');
    await user.click(dialog.getByRole('button', { name: 'Block' }));
    expect(await screen.findByText('Member blocked')).toBeVisible();
    expect(screen.getByText('You and Priya Raghavan no longer see each other.')).toBeVisible();
    expect(await screen.findByText("You don't have any connections yet.")).toBeVisible();
    expect(sent).toEqual([priya.id]);
  });

  test('stays if the block fails', async () => {
    server.use(http.put('/api/blocks/:memberId', broken));
    const { user, dialog } = await choose('Block Priya Raghavan');
    await user.click(dialog.getByRole('button', { name: 'Block' }));
    expect(await screen.findByText('Failed to block member: 503: Please try again soon')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Priya Raghavan' })).toBeVisible();
  });
});

test('no connections: Find Connections opens the suggestions, also in the address', async () => {
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

test('suggestions of an unavailable service are not shown as empty', async () => {
  const headers = { 'X-Degraded': 'social-graph' };
  server.use(http.get('/api/users/:id/suggestions', () => HttpResponse.json([], { headers })));
  await renderApp('/network?tab=suggestions');
  expect(await screen.findByText('Error loading suggestions. Please try again later.')).toBeVisible();
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
  ])('%s sends %s and refetches both lists', async (button, status) => {
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

  test('names the connection with the same name as the requester', async () => {
    const sameName = { ...priya, id: '019a0000-0000-7000-8000-0000000000d7' };
    server.use(http.get('/api/connections', () => HttpResponse.json([{ ...pending, sameName }])));
    await renderApp('/network?tab=requests');
    const hint = await screen.findByRole('link', {
      name: 'You are already connected with another Priya Raghavan',
    });
    expect(hint).toHaveAttribute('href', `/profile/${sameName.id}`);
  });

  test('disappears from the list and its count before the response', async () => {
    let answer = () => {};
    server.use(
      http.patch('/api/connections/:id', async () => {
        await new Promise<void>((resolve) => {
          answer = resolve;
        });
        sent.push('answered');
        return HttpResponse.json({ ...pending, status: 'accepted' });
      }),
    );
    const { user } = await renderApp('/network?tab=requests');
    await user.click(await screen.findByRole('button', { name: 'Accept' }));
    expect(await screen.findByText("You don't have any pending invitations.")).toBeVisible();
    expect(screen.getByRole('tab', { name: 'Connection Requests 0' })).toBeVisible();
    expect(sent).toEqual([]);
    answer();
    await waitFor(() => expect(sent).toEqual(['answered']));
    expect(screen.getByText("You don't have any pending invitations.")).toBeVisible();
  });

  test.each([
    ['Accept', 'Failed to accept connection: 409: Already answered'],
    ['Ignore', 'Failed to reject connection: 409: Already answered'],
  ])('a failed %s shows the reason', async (button, sentence) => {
    server.use(http.patch('/api/connections/:id', () => problem(409, { error: 'Already answered' })));
    const { user } = await renderApp('/network?tab=requests');
    await user.click(await screen.findByRole('button', { name: button }));
    expect(await screen.findByText(sentence)).toBeVisible();
    expect(screen.getByText('Error')).toBeVisible();
    expect(await screen.findByRole('link', { name: 'Priya Raghavan' })).toBeVisible();
    expect(screen.getByRole('tab', { name: 'Connection Requests 1' })).toBeVisible();
  });

  test.each([
    ['Accept', 'accepted', 'Ignore', 'rejected'],
    ['Ignore', 'rejected', 'Accept', 'accepted'],
  ])(
    'the second click of a double %s does not answer the next one',
    async (name, status, other, otherStatus) => {
      const next: Connection = { ...pending, id: 'r2', user: thea };
      server.use(
        http.get('/api/connections', () => HttpResponse.json(sent.length === 0 ? [pending, next] : [next])),
      );
      await renderApp('/network?tab=requests');
      const [button] = await screen.findAllByRole('button', { name });
      fireEvent.click(button as HTMLElement, { detail: 1 });
      // The next row is now in its place.
      fireEvent.click(await screen.findByRole('button', { name }), { detail: 2 });
      await waitFor(() => expect(sent).toHaveLength(1));
      fireEvent.click(await screen.findByRole('button', { name: other }), { detail: 1 });
      await waitFor(() => expect(sent.length).toBeGreaterThan(1));
      expect(sent).toEqual([
        ['r1', { status }],
        ['r2', { status: otherStatus }],
      ]);
    },
  );

  test('disappears from the list if it was withdrawn meanwhile', async () => {
    server.use(
      http.patch('/api/connections/:id', () => {
        sent.push('too late');
        return problem(404, { error: 'Connection not found' });
      }),
    );
    const { user } = await renderApp('/network?tab=requests');
    await user.click(await screen.findByRole('button', { name: 'Accept' }));
    expect(await screen.findByText('Failed to accept connection: 404: Connection not found')).toBeVisible();
    expect(await screen.findByText("You don't have any pending invitations.")).toBeVisible();
  });
});

describe('a suggestion', () => {
  let people: Suggestion[];
  beforeEach(() => {
    people = [
      { ...priya, mutualConnections: 2, reason: 'mutual_connections' },
      { ...thea, mutualConnections: 1, reason: 'mutual_connections' },
      { ...priya, id: 'p4', fullName: 'Ana Cruz', mutualConnections: 0, reason: 'school' },
      { ...priya, id: 'p5', fullName: 'Jo Li', mutualConnections: 0, reason: 'location' },
      { ...priya, id: 'p6', fullName: 'Nadia H', mutualConnections: 0, reason: 'active' },
    ];
    server.use(http.get('/api/users/:id/suggestions', () => HttpResponse.json(people)));
  });

  test('the second click of a double Ignore does not ignore the next one', async () => {
    const ignored: unknown[] = [];
    server.use(
      http.delete('/api/users/:id/suggestions/:memberId', ({ params }) => {
        ignored.push(params.memberId);
        people = people.filter(({ id }) => id !== params.memberId);
        return new HttpResponse(null, { status: 204 });
      }),
    );
    await renderApp('/network?tab=suggestions');
    fireEvent.click(await screen.findByRole('button', { name: 'Ignore Priya Raghavan' }), { detail: 1 });
    fireEvent.click(screen.getByRole('button', { name: 'Ignore Thea Lindqvist' }), { detail: 2 });
    await waitFor(() => expect(ignored).toHaveLength(1));
    expect(ignored).toEqual([priya.id]);
    expect(screen.getByRole('link', { name: 'Thea Lindqvist' })).toBeVisible();
  });

  test('shows the mutual connections or another reason', async () => {
    await renderApp('/network?tab=suggestions');
    expect(await screen.findByText('2 mutual connections')).toBeVisible();
    for (const reason of ['1 mutual connection', 'Same school', 'Same location', 'Recently active'])
      expect(screen.getByText(reason)).toBeVisible();
    expect(screen.queryByText('0 mutual connections')).not.toBeInTheDocument();
  });

  test('Ignore removes it at once', async () => {
    const sent: unknown[] = [];
    server.use(
      http.delete('/api/users/:id/suggestions/:memberId', ({ params }) => {
        sent.push([params.id, params.memberId]);
        people = people.filter(({ id }) => id !== params.memberId);
        return new HttpResponse(null, { status: 204 });
      }),
    );
    const { user } = await renderApp('/network?tab=suggestions');
    await user.click(await screen.findByRole('button', { name: 'Ignore Ana Cruz' }));
    expect(screen.queryByText('Ana Cruz')).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Ignore Jo Li' }));
    expect(screen.queryByText('Jo Li')).not.toBeInTheDocument();
    await waitFor(() =>
      expect(sent).toEqual([
        [isabel.id, 'p4'],
        [isabel.id, 'p5'],
      ]),
    );
    expect(screen.getByText('Nadia H')).toBeVisible();
  });

  test('a failed Ignore restores it with the reason', async () => {
    server.use(http.delete('/api/users/:id/suggestions/:memberId', broken));
    const { user } = await renderApp('/network?tab=suggestions');
    await user.click(await screen.findByRole('button', { name: 'Ignore Ana Cruz' }));
    expect(await screen.findByText('Failed to ignore suggestion: 503: Please try again soon')).toBeVisible();
    expect(await screen.findByText('Ana Cruz')).toBeVisible();
  });

  test('Connect sends a pending request, shows a toast, and refetches the suggestions', async () => {
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

  test('a failed Connect shows the reason', async () => {
    server.use(http.post('/api/connections', broken));
    const { user } = await renderApp('/network?tab=suggestions');
    const [first] = await screen.findAllByRole('button', { name: 'Connect' });
    await user.click(first as HTMLElement);
    expect(
      await screen.findByText('Failed to send connection request: 503: Please try again soon'),
    ).toBeVisible();
  });
});

test('is translated to Filipino', async () => {
  await renderApp('/network', { language: 'fil' });
  expect(await screen.findByText('Wala ka pang mga koneksyon.')).toBeVisible();
  expect(screen.getByRole('tab', { name: 'Mga Mungkahing Koneksyon' })).toBeVisible();
});
