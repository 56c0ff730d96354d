// The conversation list: who, what, when, how much is unread, the name filter, and the empty states.
import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import type { Conversation } from '@/api/types';
import { priya } from '@/testing/posts';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, server, signedInAs } from '@/testing/server';

function conversationWith(fullName: string, changes: Partial<Conversation> = {}): Conversation {
  return {
    id: fullName,
    otherUser: { ...priya, fullName },
    lastMessage: `Hello from ${fullName}`,
    lastMessageAt: '2025-01-12T12:00:00Z',
    unreadCount: 0,
    ...changes,
  };
}

const two = [conversationWith('Priya Raghavan', { unreadCount: 12 }), conversationWith('Lucía Fernández')];

beforeEach(() => {
  signedInAs(isabel);
  server.use(http.get('/api/conversations', () => HttpResponse.json(two)));
});

test.each(['/messages', '/messages/c1'])('a visitor at %s is sent to /auth', async (address) => {
  server.use(http.get('/api/auth/me', () => problem(401, { error: 'Not signed in' })));
  const { path } = await renderApp(address);
  await waitFor(() => expect(path()).toBe('/auth'));
});

test('each conversation shows the person, the last message, its time and what is unread', async () => {
  await renderApp('/messages');
  expect(await screen.findByRole('heading', { level: 1, name: 'Messages' })).toBeVisible();
  const row = await screen.findByRole('link', { name: /Priya Raghavan/ });
  expect(row).toHaveAttribute('href', '/messages/Priya%20Raghavan');
  for (const text of [
    'Editor-in-chief, Eastbay Law Review',
    'Hello from Priya Raghavan',
    'Jan 12, 2025',
    '12',
  ])
    expect(row).toHaveTextContent(text);
  expect(screen.getByText('Your Messages')).toBeVisible();
});

test('a conversation without a message, with someone who has left', async () => {
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

test('the list is filtered by name, without regard to case', async () => {
  const { user } = await renderApp('/messages');
  const field = await screen.findByRole('searchbox', { name: 'Search messages' });
  await screen.findByText('Priya Raghavan');
  await user.type(field, ' LUCÍA ');
  expect(screen.getByText('Lucía Fernández')).toBeVisible();
  expect(screen.queryByText('Priya Raghavan')).not.toBeInTheDocument();
  await user.clear(field);
  await user.type(field, 'hello');
  expect(screen.getByText('No conversation with that name.')).toBeVisible();
});

test('selecting one navigates to it, marks it, and keeps the filter', async () => {
  const { user, path } = await renderApp('/messages');
  await user.type(await screen.findByRole('searchbox', { name: 'Search messages' }), 'r');
  await user.click(await screen.findByRole('link', { name: /Lucía Fernández/ }));
  await waitFor(() => expect(path()).toBe(`/messages/${encodeURIComponent('Lucía Fernández')}`));
  expect(await screen.findByRole('link', { name: /Lucía Fernández/ })).toHaveAttribute(
    'aria-current',
    'true',
  );
  expect(screen.getByRole('link', { name: /Priya Raghavan/ })).not.toHaveAttribute('aria-current');
  expect(screen.getByRole('searchbox', { name: 'Search messages' })).toHaveValue('r');
});

test('no conversations', async () => {
  server.use(http.get('/api/conversations', () => HttpResponse.json([])));
  await renderApp('/messages');
  expect(
    await screen.findByText('No conversations yet. Connect with other members to start messaging.'),
  ).toBeVisible();
});

test('the list failed', async () => {
  server.use(http.get('/api/conversations', () => problem(503, { error: 'Please try again soon' })));
  await renderApp('/messages');
  expect(await screen.findByText('Error loading conversations')).toBeVisible();
});

test('in Filipino', async () => {
  await renderApp('/messages', { language: 'fil' });
  expect(await screen.findByRole('heading', { level: 1, name: 'Mga Mensahe' })).toBeVisible();
  expect(screen.getByText('Ang Iyong mga Mensahe')).toBeVisible();
});
