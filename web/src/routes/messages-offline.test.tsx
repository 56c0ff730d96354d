// Unsent messages: they wait for the network, keep their order, survive a reload, and are sent once.
import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Message } from '@/api/schema.gen';
import { gate } from '@/testing/jobs';
import {
  conversationId,
  conversationOf,
  installElementHeights,
  messageOf,
  mine,
  threadOf,
} from '@/testing/messages';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, server, signedInAs } from '@/testing/server';
import { installStreamFakes, removeStreamFakes } from '@/testing/stream';

const address = `/messages/${conversationId}`;
installElementHeights();

let gateway: ReturnType<typeof installStreamFakes>;
let messages: Message[];
/** The keys and texts of the requests, in their order. */
let requests: [key: string | null, content: string][];
/** Answers a request instead of storing the message. */
let refuse: ((content: string) => Response | undefined) | null;

beforeEach(() => {
  signedInAs(isabel);
  gateway = installStreamFakes();
  messages = [messageOf(1)];
  requests = [];
  refuse = null;
  const stored = new Map<string | null, Message>();
  server.use(
    http.get('/api/conversations', () => HttpResponse.json([conversationOf()])),
    http.get('/api/conversations/:id', () => HttpResponse.json(threadOf(messages))),
    http.post('/api/conversations/:id/typing', () => new HttpResponse(null, { status: 204 })),
    http.post('/api/conversations/:id/messages', async ({ request }) => {
      const { content } = (await request.json()) as { content: string };
      const key = request.headers.get('Idempotency-Key');
      requests.push([key, content]);
      const refused = refuse?.(content);
      if (refused) return refused;
      const known = stored.get(key);
      const message = known ?? mine(messages.length + 1, { content });
      if (!known) messages = [...messages, message];
      stored.set(key, message);
      return HttpResponse.json(message, { status: 201 });
    }),
  );
});
afterEach(removeStreamFakes);

/** Changes what the browser reports. */
const setOnline = (online: boolean) => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(online);
  act(() => void window.dispatchEvent(new Event(online ? 'online' : 'offline')));
};
const field = () => screen.findByRole('textbox', { name: 'Message' });
const lines = () => screen.getAllByRole('listitem').filter((line) => line.hasAttribute('data-index'));
const sent = () => screen.findAllByRole('img', { name: 'Sent' });
const contents = () => messages.map(({ content }) => content);

async function write(...texts: string[]) {
  const app = await renderApp(address);
  for (const text of texts) await app.user.type(await field(), `${text}{Enter}`);
  return app;
}

test('offline they wait, and are sent in their order when the network returns', async () => {
  setOnline(false);
  await write('first', 'second');
  expect(await screen.findAllByText('Waiting for network')).toHaveLength(2);
  expect(requests).toEqual([]);
  setOnline(true);
  await waitFor(() => expect(contents()).toEqual(['Message 1', 'first', 'second']));
  await waitFor(() => expect(screen.queryByText('Waiting for network')).not.toBeInTheDocument());
  await waitFor(async () => expect(await sent()).toHaveLength(2));
  expect(lines()).toHaveLength(3);
});

test('a waiting message survives a reload and is sent from another screen', async () => {
  setOnline(false);
  const first = await write('later');
  await screen.findByText('Waiting for network');
  first.unmount();
  const { unmount } = await renderApp('/jobs');
  await screen.findByRole('heading', { level: 1 });
  setOnline(true);
  await waitFor(() => expect(contents()).toEqual(['Message 1', 'later']));
  unmount();
  await renderApp(address);
  await waitFor(() => expect(lines()).toHaveLength(2));
  expect(requests).toHaveLength(1);
});

test('a message whose response was lost by a reload is sent again with its key, and stored once', async () => {
  const answer = gate();
  server.use(
    http.post(
      '/api/conversations/:id/messages',
      async ({ request }) => {
        requests.push([request.headers.get('Idempotency-Key'), 'first request']);
        await answer.opened;
        return HttpResponse.error();
      },
      { once: true },
    ),
  );
  const first = await write('Once');
  await waitFor(() => expect(requests).toHaveLength(1));
  first.unmount();
  // The module still runs in this test, unlike after a reload.
  answer.open();
  await waitFor(() => expect(JSON.stringify({ ...localStorage })).toContain('failed'));
  await renderApp(address);
  await waitFor(() => expect(contents()).toEqual(['Message 1', 'Once']));
  expect(requests).toHaveLength(2);
  expect(requests[1]?.[0]).toBe(requests[0]?.[0]);
  await waitFor(() => expect(lines()).toHaveLength(2));
});

test('a message that failed is sent when the stream opens again', async () => {
  refuse = () => problem(503, { error: 'Away' });
  await write('Back soon?');
  expect(await screen.findByText('Failed to send message. Please try again.')).toBeVisible();
  refuse = null;
  await gateway.send('hello', {});
  await waitFor(() => expect(contents()).toEqual(['Message 1', 'Back soon?']));
  await waitFor(() => expect(screen.queryByText(/^Failed to send/)).not.toBeInTheDocument());
});

test('a later message does not overtake a failed one', async () => {
  refuse = () => problem(503, { error: 'Away' });
  const { user } = await write('first');
  await screen.findByText('Failed to send message. Please try again.');
  refuse = null;
  await user.type(await field(), 'second{Enter}');
  await waitFor(() => expect(contents()).toEqual(['Message 1', 'first', 'second']));
});

test('a refused message does not stop the others, and is sent again only on request', async () => {
  refuse = (content) => (content === 'first' ? problem(403, { error: 'No.' }) : undefined);
  const { user } = await write('first', 'second');
  await waitFor(() => expect(contents()).toEqual(['Message 1', 'second']));
  expect(await screen.findByText('Failed to send message. Please try again. No.')).toBeVisible();
  refuse = null;
  await gateway.send('hello', {});
  setOnline(true);
  expect(requests.map(([, content]) => content)).toEqual(['first', 'second']);
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(contents()).toEqual(['Message 1', 'second', 'first']));
});

test('a refused message that waits again does not keep its old reason', async () => {
  refuse = () => problem(429, { error: 'Wait.', code: 'MESSAGE_REQUESTS_OF_DAY' });
  const { user } = await write('first', 'second');
  const reason = /reached the limit/;
  await waitFor(() => expect(screen.getAllByText(reason)).toHaveLength(2));
  refuse = () => problem(503, { error: 'Away' });
  const failed = () => screen.getAllByText('Failed to send message. Please try again.');
  await user.click(screen.getAllByRole('button', { name: 'Retry' })[0] as HTMLElement);
  await waitFor(() => expect(failed()).toHaveLength(1));
  await user.click(screen.getAllByRole('button', { name: 'Retry' })[1] as HTMLElement);
  await waitFor(() => expect(requests).toHaveLength(4));
  await waitFor(() => expect(failed()).toHaveLength(2));
});

test('an ended session is not a refusal', async () => {
  refuse = () => problem(401, { error: 'Sign in required' });
  await write('Still me');
  expect(await screen.findByText('Failed to send message. Please try again. Sign in required')).toBeVisible();
  refuse = null;
  await gateway.send('hello', {});
  await waitFor(() => expect(contents()).toEqual(['Message 1', 'Still me']));
});

test('a waiting message can be discarded', async () => {
  setOnline(false);
  const { user } = await write('Oops');
  await screen.findByText('Waiting for network');
  await user.click(screen.getByRole('button', { name: 'Discard' }));
  expect(lines()).toHaveLength(1);
  setOnline(true);
  expect(requests).toEqual([]);
  expect(Object.keys(localStorage).filter((key) => key.includes('outbox'))).toEqual([]);
});

test('another tab that has sent it removes it here', async () => {
  setOnline(false);
  await write('From the other tab');
  await screen.findByText('Waiting for network');
  const key = Object.keys(localStorage).find((one) => one.includes('outbox')) as string;
  localStorage.removeItem(key);
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key })));
  await waitFor(() => expect(screen.queryByText('Waiting for network')).not.toBeInTheDocument());
});

test('the messages of another member of this browser are neither shown nor sent', async () => {
  setOnline(false);
  const first = await write('Private');
  await screen.findByText('Waiting for network');
  first.unmount();
  signedInAs({ ...isabel, id: 'other' });
  await renderApp(address);
  await field();
  setOnline(true);
  expect(screen.queryByText('Waiting for network')).not.toBeInTheDocument();
  expect(within(document.body).queryByText('Private')).not.toBeInTheDocument();
  expect(requests).toEqual([]);
});

test('Filipino', async () => {
  setOnline(false);
  const { user } = await renderApp(address, { language: 'fil' });
  await user.type(await screen.findByRole('textbox', { name: 'Mensahe' }), 'Mamaya{Enter}');
  expect(await screen.findByText('Naghihintay ng koneksyon')).toBeVisible();
});
