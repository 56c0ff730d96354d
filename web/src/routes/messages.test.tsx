// The conversation list: content, unread counts, folders, search by name, and empty states.
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import type { Conversation } from '@/api/schema.gen';
import { conversationOf, threadOf } from '@/testing/messages';
import { priya } from '@/testing/posts';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, server, signedInAs } from '@/testing/server';

const conversationWith = (fullName: string, changes: Partial<Conversation> = {}) =>
  conversationOf({
    id: fullName,
    otherUser: { ...priya, fullName },
    lastMessage: `Hello from ${fullName}`,
    ...changes,
  });

const two = [conversationWith('Priya Raghavan', { unreadCount: 12 }), conversationWith('Lucía Fernández')];
let asked: string[];

beforeEach(() => {
  signedInAs(isabel);
  asked = [];
  server.use(
    http.get('/api/conversations', ({ request }) => {
      const { search, searchParams } = new URL(request.url);
      asked.push(search);
      const name = searchParams.get('search')?.toLowerCase() ?? '';
      if (searchParams.get('folder') === 'requests') return HttpResponse.json([]);
      return HttpResponse.json(
        two.filter(({ otherUser }) => otherUser?.fullName.toLowerCase().includes(name)),
      );
    }),
    http.get('/api/conversations/:id', ({ params }) =>
      HttpResponse.json(threadOf([], { id: String(params.id) })),
    ),
  );
});

const searchBox = () => screen.findByRole('searchbox', { name: 'Search messages' });

test.each(['/messages', '/messages/c1'])('a visitor at %s is redirected to /auth', async (address) => {
  server.use(http.get('/api/auth/me', () => problem(401, { error: 'Not signed in' })));
  const { path } = await renderApp(address);
  await waitFor(() => expect(path()).toBe('/auth'));
});

test('each conversation shows the member, the last message, its time and the unread count', async () => {
  await renderApp('/messages');
  expect(await screen.findByRole('heading', { level: 1, name: 'Messages' })).toBeVisible();
  const row = await screen.findByRole('link', { name: /Priya Raghavan/ });
  expect(row).toHaveAttribute('href', '/messages/Priya%20Raghavan');
  for (const text of [
    'Editor-in-chief, Eastbay Law Review',
    'Hello from Priya Raghavan',
    'Jan 12, 2025',
    '12 unread messages',
  ])
    expect(row).toHaveTextContent(text);
  expect(screen.getByText('Your Messages')).toBeVisible();
  expect(asked).toEqual(['']);
});

test('an empty conversation with a deleted account', async () => {
  server.use(
    http.get('/api/conversations', () =>
      HttpResponse.json([
        conversationWith('Former member', {
          otherUser: { id: null, fullName: 'Former member', headline: null, avatarUrl: null },
          lastMessage: null,
          lastMessageAt: null,
        }),
      ]),
    ),
  );
  await renderApp('/messages');
  const row = await screen.findByRole('link', { name: /Former member/ });
  expect(row).not.toHaveTextContent(/null|Invalid/);
});

test('a name is searched on the server after typing', async () => {
  const { user } = await renderApp('/messages');
  await screen.findByText('Priya Raghavan');
  await user.type(await searchBox(), ' lucía');
  await waitFor(() => expect(screen.queryByText('Priya Raghavan')).not.toBeInTheDocument());
  expect(screen.getByText('Lucía Fernández')).toBeVisible();
  expect(asked.at(-1)).toBe(`?search=${encodeURIComponent('lucía')}`);
  // Not one request per key.
  expect(asked.length).toBeLessThan(6);
  await user.type(await searchBox(), '!');
  expect(await screen.findByText('No conversation with that name.')).toBeVisible();
  asked = [];
  await user.clear(await searchBox());
  expect(await screen.findByText('Priya Raghavan')).toBeVisible();
  expect(asked).toEqual([]);
});

test('a blank search sends no request', async () => {
  const { user } = await renderApp('/messages');
  await user.type(await searchBox(), '   ');
  expect(await screen.findByText('Priya Raghavan')).toBeVisible();
  expect(asked).toEqual(['']);
});

test('selecting a conversation opens it, marks it as read, and keeps the search', async () => {
  const { user, path } = await renderApp('/messages');
  await user.type(await searchBox(), 'r');
  await user.click(await screen.findByRole('link', { name: /Priya Raghavan/ }));
  await waitFor(() => expect(path()).toBe(`/messages/${encodeURIComponent('Priya Raghavan')}`));
  const row = within(screen.getByRole('tabpanel')).getByRole('link', { name: /Priya Raghavan/ });
  await waitFor(() => expect(row).toHaveAttribute('aria-current', 'true'));
  expect(row).not.toHaveTextContent('unread');
  expect(screen.getByRole('link', { name: /Lucía Fernández/ })).not.toHaveAttribute('aria-current');
  expect(await searchBox()).toHaveValue('r');
});

test('further pages load while scrolling', async () => {
  server.use(
    http.get('/api/conversations', ({ request }) =>
      new URL(request.url).searchParams.has('cursor')
        ? HttpResponse.json([conversationWith('Marco Villanueva')])
        : HttpResponse.json(two, { headers: { Link: '</api/conversations?cursor=x>; rel="next"' } }),
    ),
  );
  const { user } = await renderApp('/messages');
  await user.click(await screen.findByRole('button', { name: 'Show more conversations' }));
  expect(await screen.findByText('Marco Villanueva')).toBeVisible();
  expect(screen.getByText('Priya Raghavan')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Show more conversations' })).not.toBeInTheDocument();
});

test('a failed page keeps the loaded ones and can be retried', async () => {
  server.use(
    http.get('/api/conversations', ({ request }) =>
      new URL(request.url).searchParams.has('cursor')
        ? problem(503, { error: 'Please try again soon' })
        : HttpResponse.json(two, { headers: { Link: '</api/conversations?cursor=x>; rel="next"' } }),
    ),
  );
  const { user } = await renderApp('/messages');
  await user.click(await screen.findByRole('button', { name: 'Show more conversations' }));
  expect(await screen.findByText('Error loading conversations')).toBeVisible();
  expect(screen.getByText('Priya Raghavan')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Show more conversations' })).toBeEnabled();
});

test('requests have their own folder with the unread count', async () => {
  const stranger = conversationWith('Sam Cole', { folder: 'requests', unreadCount: 1 });
  server.use(
    http.get('/api/unread', () => HttpResponse.json({ messages: 0, requests: 3, notifications: 0 })),
    http.get('/api/conversations', ({ request }) =>
      HttpResponse.json(new URL(request.url).search === '?folder=requests' ? [stranger] : two),
    ),
  );
  const { user, path } = await renderApp('/messages');
  await user.click(await screen.findByRole('tab', { name: 'Requests 3' }));
  await waitFor(() => expect(path()).toBe('/messages?folder=requests'));
  expect(await screen.findByRole('link', { name: /Sam Cole/ })).toHaveAttribute(
    'href',
    '/messages/Sam%20Cole?folder=requests',
  );
  expect(screen.queryByText('Priya Raghavan')).not.toBeInTheDocument();
  await user.click(screen.getByRole('tab', { name: 'Inbox' }));
  await waitFor(() => expect(path()).toBe('/messages'));
});

test('no requests', async () => {
  await renderApp('/messages?folder=requests');
  expect(await screen.findByText('No message requests.')).toBeVisible();
});

test('no conversations', async () => {
  server.use(http.get('/api/conversations', () => HttpResponse.json([])));
  await renderApp('/messages');
  expect(
    await screen.findByText('No conversations yet. Connect with other members to start messaging.'),
  ).toBeVisible();
});

test('a failed list', async () => {
  server.use(http.get('/api/conversations', () => problem(503, { error: 'Please try again soon' })));
  await renderApp('/messages');
  expect(await screen.findByText('Error loading conversations')).toBeVisible();
});

test('is translated to Filipino', async () => {
  await renderApp('/messages', { language: 'fil' });
  expect(await screen.findByRole('heading', { level: 1, name: 'Mga Mensahe' })).toBeVisible();
  expect(screen.getByText('Ang Iyong mga Mensahe')).toBeVisible();
  expect(screen.getByRole('searchbox', { name: 'Maghanap sa mga mensahe' })).toBeVisible();
  expect(screen.getByRole('tab', { name: 'Mga kahilingan' })).toBeVisible();
});

test('a row has the picture or the initials of the other member', async () => {
  server.use(
    http.get('/api/conversations', () =>
      HttpResponse.json([
        conversationWith('Priya Raghavan', {
          otherUser: { ...priya, fullName: 'Priya Raghavan', avatarUrl: '/media/priya.jpg' },
        }),
        conversationWith('Marco Villanueva'),
      ]),
    ),
  );
  await renderApp('/messages');
  const row = await screen.findByRole('link', { name: /Priya Raghavan/ });
  expect(row.querySelector('img')).toHaveAttribute('src', '/media/priya.jpg');
  expect(screen.getByRole('link', { name: /Marco Villanueva/ })).toHaveTextContent('MV');
});

test('New message opens the conversation with a member, also with one without a conversation', async () => {
  const thea = { ...priya, id: '019a0000-0000-7000-8000-000000000003', fullName: 'Thea Lindqvist' };
  const created: unknown[] = [];
  server.use(
    http.get('/api/search', () => HttpResponse.json({ people: [thea], terms: [] })),
    http.post('/api/conversations', async ({ request }) => {
      created.push(await request.json());
      return HttpResponse.json(conversationOf({ id: 'c9', otherUser: thea }), { status: 201 });
    }),
  );
  const { user, path } = await renderApp('/messages');
  const open = async () => {
    await user.click(await screen.findByRole('button', { name: 'New message' }));
    return within(await screen.findByRole('dialog', { name: 'New message' }));
  };
  const first = await open();
  await user.click(await first.findByRole('button', { name: /Lucía Fernández/ }));
  await waitFor(() => expect(path()).toBe(`/messages/${encodeURIComponent('Lucía Fernández')}`));
  expect(created).toEqual([]);
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());

  const second = await open();
  await user.type(second.getByRole('searchbox', { name: 'Find members by name' }), 'thea');
  await user.click(await second.findByRole('button', { name: /Thea Lindqvist/ }));
  await waitFor(() => expect(path()).toBe('/messages/c9'));
  expect(created).toEqual([{ userId: thea.id }]);
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
});
