// Live updates: messages, delivery states, typing indicators, conversations, and the end of the session.
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Conversation, Message } from '@/api/schema.gen';
import {
  conversationId,
  conversationOf,
  installElementHeights,
  messageOf,
  mine,
  threadOf,
} from '@/testing/messages';
import { priya } from '@/testing/posts';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, server, signedInAs } from '@/testing/server';
import { installStreamFakes, removeStreamFakes, setVisibility } from '@/testing/stream';

const address = `/messages/${conversationId}`;
installElementHeights();

let gateway: ReturnType<typeof installStreamFakes>;
let messages: Message[];
let changes: Partial<Conversation>;
let reads: number;

beforeEach(() => {
  signedInAs(isabel);
  gateway = installStreamFakes();
  messages = [messageOf(1), mine(2)];
  changes = {};
  reads = 0;
  server.use(
    http.get('/api/conversations', () =>
      HttpResponse.json([
        conversationOf({
          lastMessage: messages.at(-1)?.content ?? null,
          lastMessageAt: messages.at(-1)?.createdAt ?? null,
          ...changes,
        }),
      ]),
    ),
    http.get('/api/conversations/:id', () => {
      reads += 1;
      return HttpResponse.json(threadOf(messages, changes));
    }),
  );
});
afterEach(removeStreamFakes);

const words = () =>
  screen
    .getAllByRole('listitem')
    .filter((line) => line.hasAttribute('data-index'))
    .map((line) => line.textContent)
    .join('|');
const row = () => within(screen.getByRole('tabpanel')).getByRole('link', { name: /Priya Raghavan/ });
const pane = () => screen.findByRole('region', { name: 'Conversation with Priya Raghavan' });

async function openThread() {
  const app = await renderApp(address);
  await waitFor(() => expect(words()).toContain('Message 2'));
  await waitFor(() => expect(gateway.streams()).toHaveLength(1));
  return app;
}

const says = (nth: number, fields: Partial<Message> = {}) => {
  messages = [...messages, messageOf(nth, fields)];
  return gateway.send('message', { conversationId, messageId: `m${nth}`, userId: priya.id });
};

test('a visitor has no stream', async () => {
  server.use(http.get('/api/auth/me', () => problem(401, { error: 'Not signed in' })));
  await renderApp('/jobs');
  await screen.findByRole('link', { name: 'Sign In' });
  expect(gateway.opened()).toHaveLength(0);
});

test('a message arrives in the thread and in the list, and is announced', async () => {
  await openThread();
  await says(3, { content: 'Bring the outline.' });
  await waitFor(() => expect(words()).toContain('Bring the outline.'));
  await waitFor(() => expect(row()).toHaveTextContent('Bring the outline.'));
  expect(screen.getByText('Priya Raghavan: Bring the outline.')).toBeInTheDocument();
  expect(row()).not.toHaveTextContent(/\D1$/);
});

test('a message in another conversation is counted in the list', async () => {
  await renderApp('/messages');
  await waitFor(() => expect(gateway.streams()).toHaveLength(1));
  changes = { unreadCount: 1 };
  await says(3, { content: 'Bring the outline.' });
  await waitFor(() => expect(row()).toHaveTextContent('Bring the outline.1'));
});

test('the delivery state follows the reader', async () => {
  await openThread();
  expect(screen.getByRole('img', { name: 'Sent' })).toBeInTheDocument();
  messages = [messageOf(1), mine(2, { isRead: true })];
  await gateway.send('conversation-read', { conversationId, userId: priya.id });
  expect(await screen.findByRole('img', { name: 'Read' })).toBeInTheDocument();
});

test('a message that arrives in a hidden tab is read when the tab is visible', async () => {
  await openThread();
  const before = reads;
  setVisibility('hidden');
  await says(3);
  await waitFor(() => expect(row()).toHaveTextContent('Message 3'));
  expect(reads).toBe(before);
  setVisibility('visible');
  await waitFor(() => expect(words()).toContain('Message 3'));
});

test('a reader further up keeps the scroll position and sees a notice', async () => {
  messages = Array.from({ length: 20 }, (_, at) => messageOf(at + 1));
  await renderApp(address);
  const shown = await pane();
  await waitFor(() => expect(words()).toContain('Message 20'));
  await waitFor(() => expect(gateway.streams()).toHaveLength(1));
  shown.scrollTop = 0;
  fireEvent.scroll(shown);
  await says(21);
  const chip = await screen.findByRole('button', { name: 'New messages' });
  expect(shown.scrollTop).toBe(0);
  fireEvent.click(chip);
  expect(shown).toHaveFocus();
  fireEvent.scroll(shown);
  await waitFor(() => expect(words()).toContain('Message 21'));
  expect(screen.queryByRole('button', { name: 'New messages' })).not.toBeInTheDocument();
});

test('a reader at the end follows new messages', async () => {
  messages = Array.from({ length: 20 }, (_, at) => messageOf(at + 1));
  await renderApp(address);
  const shown = await pane();
  await waitFor(() => expect(words()).toContain('Message 20'));
  await waitFor(() => expect(gateway.streams()).toHaveLength(1));
  const before = shown.scrollTop;
  await says(21);
  await waitFor(() => expect(words()).toContain('Message 21'));
  await waitFor(() => expect(shown.scrollTop).toBe(shown.scrollHeight - 600));
  expect(shown.scrollTop).toBeGreaterThan(before);
  expect(screen.queryByRole('button', { name: 'New messages' })).not.toBeInTheDocument();
});

test('the typing indicator is shown for five seconds or until the message arrives, never for the member’s own typing', async () => {
  await openThread();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  try {
    await gateway.send('typing', { conversationId, userId: isabel.id });
    await gateway.send('typing', { conversationId: 'another', userId: priya.id });
    expect(screen.queryByText('Typing...')).not.toBeInTheDocument();
    await gateway.send('typing', { conversationId, userId: priya.id });
    expect(screen.getByText('Typing...')).toBeVisible();
    expect(screen.getByText('Priya Raghavan is typing')).toBeInTheDocument();
    await act(() => vi.advanceTimersByTimeAsync(4_000));
    await gateway.send('typing', { conversationId, userId: priya.id });
    await act(() => vi.advanceTimersByTimeAsync(4_999));
    expect(screen.getByText('Typing...')).toBeVisible();
    await act(() => vi.advanceTimersByTimeAsync(1));
    expect(screen.queryByText('Typing...')).not.toBeInTheDocument();
    await gateway.send('typing', { conversationId, userId: priya.id });
    await says(3);
    expect(screen.queryByText('Typing...')).not.toBeInTheDocument();
  } finally {
    vi.useRealTimers();
  }
});

test('the member’s own message that is fetched before its response is shown once', async () => {
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const arrived = mine(3, { content: 'Twice?' });
  server.use(
    http.post('/api/conversations/:id/messages', async () => {
      messages = [...messages, arrived];
      await answered;
      return HttpResponse.json(arrived, { status: 201 });
    }),
    http.post('/api/conversations/:id/typing', () => new HttpResponse(null, { status: 204 })),
  );
  const { user } = await openThread();
  await user.type(screen.getByRole('textbox', { name: 'Message' }), 'Twice?{Enter}');
  await waitFor(() => expect(messages).toHaveLength(3));
  await gateway.send('message', { conversationId, messageId: 'm3', userId: isabel.id });
  await waitFor(() => expect(reads).toBeGreaterThan(1));
  expect(words().match(/Twice\?/g)).toHaveLength(1);
  answer();
  await waitFor(() => expect(screen.queryByRole('img', { name: 'Sending' })).not.toBeInTheDocument());
  expect(words().match(/Twice\?/g)).toHaveLength(1);
});

test('a message with a lost response is shown once, as sent, and is not sent again', async () => {
  server.use(
    http.post('/api/conversations/:id/messages', () => {
      messages = [...messages, mine(7, { content: 'Lost?' })];
      return HttpResponse.error();
    }),
    http.post('/api/conversations/:id/typing', () => new HttpResponse(null, { status: 204 })),
  );
  const { user, queryClient } = await openThread();
  await user.type(screen.getByRole('textbox', { name: 'Message' }), 'Lost?{Enter}');
  await screen.findByText('Failed to send message. Please try again.');
  await gateway.fail();
  await waitFor(() => expect(gateway.streams()).toHaveLength(1));
  await gateway.send('hello', {});
  await waitFor(() =>
    expect(screen.queryByText('Failed to send message. Please try again.')).not.toBeInTheDocument(),
  );
  expect(words().match(/Lost\?/g)).toHaveLength(1);
  expect(screen.queryByRole('button', { name: 'Retry' })).not.toBeInTheDocument();
  await waitFor(() => expect(queryClient.getMutationCache().findAll({ status: 'error' })).toEqual([]));
});

test('a failed fetch is retried while the stream is open', async () => {
  let away = false;
  let refused = 0;
  const refuse = () => {
    if (!away) return;
    refused += 1;
    return problem(503, { error: 'Please try again soon' });
  };
  server.use(
    http.get('/api/conversations', refuse),
    http.get('/api/conversations/:id', refuse),
    http.get('/api/unread', () =>
      away
        ? HttpResponse.json(
            { messages: 0, requests: 0, notifications: 0 },
            { headers: { 'X-Degraded': 'messaging' } },
          )
        : HttpResponse.json({ messages: messages.length, requests: 0, notifications: 0 }),
    ),
  );
  await openThread();
  const pill = (count: number) => screen.queryAllByText(`${count} unread messages`).length;
  await waitFor(() => expect(pill(2)).toBeGreaterThan(0));
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    away = true;
    await says(3, { content: 'Still there?' });
    await act(() => vi.waitFor(() => expect(refused).toBeGreaterThanOrEqual(2), { timeout: 15_000 }));
    expect(words()).not.toContain('Still there?');
    expect(pill(2)).toBeGreaterThan(0);
    away = false;
    // Without an event: the stream stayed open.
    await act(() => vi.advanceTimersByTimeAsync(30_000));
    await waitFor(() => expect(words()).toContain('Still there?'));
    await waitFor(() => expect(row()).toHaveTextContent('Still there?'));
    await waitFor(() => expect(pill(3)).toBeGreaterThan(0));
  } finally {
    vi.useRealTimers();
  }
});

test('everything is refetched after the stream reconnects', async () => {
  await openThread();
  messages = [...messages, messageOf(3)];
  await gateway.send('hello', {});
  await waitFor(() => expect(words()).toContain('Message 3'));
  await waitFor(() => expect(row()).toHaveTextContent('Message 3'));
});

test('the thread of a deleted conversation shows a notice', async () => {
  await openThread();
  server.use(
    http.get('/api/conversations', () => HttpResponse.json([])),
    http.get('/api/conversations/:id', () => problem(404, { error: 'Conversation not found' })),
  );
  await gateway.send('conversation', { conversationId });
  expect(await screen.findByText('Error loading messages')).toBeVisible();
  expect(
    await screen.findByText('No conversations yet. Connect with other members to start messaging.'),
  ).toBeVisible();
});

test('the end of the session turns the member into a visitor', async () => {
  const { path } = await openThread();
  server.use(http.get('/api/auth/me', () => problem(401, { error: 'Not signed in' })));
  await gateway.fail();
  await waitFor(() => expect(path()).toBe('/auth'));
  expect(
    await screen.findByText('Your session has ended. Sign in again to go back to where you were.'),
  ).toBeVisible();
  expect(gateway.streams()).toHaveLength(0);
});

test('a stream that breaks for another reason does not sign the member out', async () => {
  const { path } = await openThread();
  server.use(http.get('/api/auth/me', () => problem(503, { error: 'Please try again soon' })));
  await gateway.fail();
  await waitFor(() => expect(gateway.streams()).toHaveLength(1));
  expect(path()).toBe(address);
});

test('a sign-in in another tab changes the member in this tab', async () => {
  await openThread();
  signedInAs({ ...isabel, id: priya.id, fullName: 'Priya Raghavan' });
  await gateway.fail();
  await waitFor(() =>
    expect(screen.getByRole('link', { name: 'My Profile' })).toHaveAttribute('href', `/profile/${priya.id}`),
  );
});
