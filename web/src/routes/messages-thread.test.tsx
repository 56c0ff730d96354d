// A thread: rendering, sending, failures and retries, history, and reading.
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, test, vi } from 'vitest';
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
import { setVisibility } from '@/testing/stream';

const address = `/messages/${conversationId}`;
installElementHeights();

interface Sent {
  key: string | null;
  body: unknown;
}
let sent: Sent[];
let reads: string[];
let marked: unknown[];

/** Serves the thread and its row in the list. */
function serve(messages: Message[], changes: Partial<Conversation> = {}) {
  server.use(
    http.get('/api/conversations', () => HttpResponse.json([conversationOf(changes)])),
    http.get('/api/conversations/:id', ({ request }) => {
      reads.push(new URL(request.url).search);
      return HttpResponse.json(threadOf(messages, changes));
    }),
  );
}

beforeEach(() => {
  signedInAs(isabel);
  sent = [];
  reads = [];
  marked = [];
  serve([messageOf(1), mine(2, { isRead: true }), mine(3)]);
  server.use(
    http.post('/api/conversations/:id/messages', async ({ request }) => {
      const body = (await request.json()) as { content: string };
      sent.push({ key: request.headers.get('Idempotency-Key'), body });
      return HttpResponse.json(mine(3 + sent.length, { content: body.content }), { status: 201 });
    }),
    http.post('/api/conversations/:id/read', async ({ request }) => {
      marked.push(await request.json());
      return new HttpResponse(null, { status: 204 });
    }),
    http.post('/api/conversations/:id/typing', () => new HttpResponse(null, { status: 204 })),
  );
});

const pane = () => screen.findByRole('region', { name: 'Conversation with Priya Raghavan' });
const lines = () => screen.getAllByRole('listitem').filter((line) => line.hasAttribute('data-index'));
const words = () => lines().map((line) => line.textContent);
const field = () => screen.findByRole('textbox', { name: 'Message' });
const send = () => screen.getByRole('button', { name: 'Send' });
const lineOf = (text: string) => {
  const line = lines().find((one) => one.textContent?.includes(text));
  if (!line) throw new Error(`no line says ${text}`);
  return within(line);
};

test('shows messages with author, day, time and delivery state', async () => {
  await renderApp(address);
  expect(await screen.findByRole('heading', { level: 2, name: 'Priya Raghavan' })).toBeVisible();
  await waitFor(() => expect(words()).toHaveLength(3));
  expect(words()[0]).toMatch(/^.*2026|November 20|Friday|Yesterday|Today/);
  expect(lineOf('Message 1').getByText('Priya Raghavan:')).toBeInTheDocument();
  expect(lineOf('Message 1').queryByRole('img')).not.toBeInTheDocument();
  expect(lineOf('Message 2').getByRole('img', { name: 'Read' })).toBeInTheDocument();
  expect(lineOf('Message 3').getByRole('img', { name: 'Sent' })).toBeInTheDocument();
  expect(lineOf('Message 3').getByText('You:')).toBeInTheDocument();
});

test('an empty thread', async () => {
  serve([]);
  await renderApp(address);
  expect(await screen.findByText('No messages yet. Start the conversation!')).toBeVisible();
});

test('a failed thread shows an error and keeps the list, with a back link on a phone', async () => {
  server.use(http.get('/api/conversations/:id', () => problem(404, { error: 'Conversation not found' })));
  await renderApp(address);
  expect(await screen.findByText('Error loading messages')).toBeVisible();
  expect(screen.getByRole('link', { name: /Priya Raghavan/ })).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Back' })).toHaveAttribute('href', '/messages');
});

test('Back links to the previous folder', async () => {
  await renderApp(`${address}?folder=requests`);
  await pane();
  expect(screen.getByRole('link', { name: 'Back' })).toHaveAttribute('href', '/messages?folder=requests');
});

describe('writing', () => {
  test('Send is disabled while the text is blank', async () => {
    const { user } = await renderApp(address);
    await user.type(await field(), '  ');
    expect(send()).toBeDisabled();
    await user.type(await field(), '{Enter}');
    expect(sent).toEqual([]);
    await user.type(await field(), 'x');
    expect(send()).toBeEnabled();
    await user.clear(await field());
  });

  test('Enter sends the body of the specification, Shift+Enter breaks the line', async () => {
    const { user } = await renderApp(address);
    await user.type(await field(), 'One{Shift>}{Enter}{/Shift}two {Enter}');
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.body).toEqual({ userId: isabel.id, conversationId, content: 'One\ntwo' });
    expect(sent[0]?.key).toMatch(/^[0-9a-f]{32}$/);
    expect(await field()).toHaveValue('');
    expect(await field()).toHaveFocus();
    await waitFor(() => expect(lineOf('One').getByRole('img', { name: 'Sent' })).toBeInTheDocument());
  });

  test('on a touch screen, Enter breaks the line and the button sends', async () => {
    const { user } = await renderApp(address);
    await field();
    const media = vi
      .spyOn(window, 'matchMedia')
      .mockImplementation((query) => ({ matches: query === '(pointer: coarse)' }) as MediaQueryList);
    await user.type(await field(), 'One{Enter}two');
    expect(await field()).toHaveValue('One\ntwo');
    expect(sent).toEqual([]);
    await user.click(send());
    await waitFor(() => expect(sent).toHaveLength(1));
    media.mockRestore();
  });

  test('a message is shown before its response, keeps its row, and is then in the list', async () => {
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    server.use(
      http.post('/api/conversations/:id/messages', async () => {
        await answered;
        return HttpResponse.json(mine(4, { content: 'Soon.' }), { status: 201 });
      }),
    );
    const { user } = await renderApp(address);
    await user.type(await field(), 'Soon.{Enter}');
    await waitFor(() => expect(words()).toHaveLength(4));
    expect(lineOf('Soon.').getByRole('img', { name: 'Sending' })).toBeInTheDocument();
    const line = lines()[3];
    answer();
    await waitFor(() => expect(lineOf('Soon.').getByRole('img', { name: 'Sent' })).toBeInTheDocument());
    expect(lines()).toHaveLength(4);
    expect(lines()[3]).toBe(line);
    expect(within(screen.getByRole('tabpanel')).getByText('Soon.')).toBeInTheDocument();
  });

  test('several messages are sent one after the other in the order of writing', async () => {
    const waiting: (() => void)[] = [];
    server.use(
      http.post('/api/conversations/:id/messages', async ({ request }) => {
        const { content } = (await request.json()) as { content: string };
        sent.push({ key: null, body: content });
        await new Promise<void>((resolve) => waiting.push(resolve));
        return HttpResponse.json(mine(3 + sent.length, { content }), { status: 201 });
      }),
    );
    const { user } = await renderApp(address);
    await user.type(await field(), 'first{Enter}second{Enter}third{Enter}');
    await waitFor(() => expect(words()).toHaveLength(6));
    expect(sent.map(({ body }) => body)).toEqual(['first']);
    for (const count of [1, 2, 3]) {
      await waitFor(() => expect(waiting).toHaveLength(count));
      waiting[count - 1]?.();
    }
    await waitFor(() => expect(screen.queryByRole('img', { name: 'Sending' })).not.toBeInTheDocument());
    expect(sent.map(({ body }) => body)).toEqual(['first', 'second', 'third']);
    expect(words().slice(3).join()).toMatch(/first.*second.*third/s);
  });

  test('a failed message stays, and Retry sends it again with the same key', async () => {
    const { user } = await renderApp(address);
    server.use(
      http.post(
        '/api/conversations/:id/messages',
        ({ request }) => {
          sent.push({ key: request.headers.get('Idempotency-Key'), body: null });
          return HttpResponse.error();
        },
        { once: true },
      ),
    );
    await user.type(await field(), 'Are you there?{Enter}');
    expect(await screen.findByText('Failed to send message. Please try again.')).toBeVisible();
    expect(lineOf('Are you there?')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    await waitFor(() =>
      expect(lineOf('Are you there?').getByRole('img', { name: 'Sent' })).toBeInTheDocument(),
    );
    expect(screen.queryByText(/^Failed to send/)).not.toBeInTheDocument();
    expect(words()).toHaveLength(4);
    expect(sent).toHaveLength(2);
    expect(sent[1]?.key).toBe(sent[0]?.key);
  });

  test('a refused message shows the reason and can be discarded', async () => {
    const { user } = await renderApp(address);
    const error = 'They need to accept your request before you can write more.';
    server.use(
      http.post('/api/conversations/:id/messages', () => problem(403, { error, code: 'REQUEST_WAITING' })),
    );
    await user.type(await field(), 'Hello?{Enter}');
    expect(await screen.findByText(`Failed to send message. Please try again. ${error}`)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Discard' }));
    expect(screen.queryByText(/^Failed to send/)).not.toBeInTheDocument();
    expect(words()).toHaveLength(3);
  });

  test('a used up allowance of message requests is explained, and the message is not sent by itself', async () => {
    const { user } = await renderApp(address, { language: 'fil' });
    let sent = 0;
    server.use(
      http.post('/api/conversations/:id/messages', () => {
        sent += 1;
        return problem(429, { error: 'Later', code: 'MESSAGE_REQUESTS_OF_DAY' });
      }),
    );
    await user.type(await screen.findByRole('textbox'), 'Hello?{Enter}');
    expect(
      await screen.findByText(/Naabot mo na sa ngayon ang limit sa pagsulat sa mga bagong kasapi\./),
    ).toBeVisible();
    expect(sent).toBe(1);
  });

  test('a failed message and a draft survive navigation', async () => {
    // Every screen has the first header. The bar of a phone, which appears on the next screen, has the same name.
    const banner = () => within(screen.getAllByRole('banner')[0] as HTMLElement);
    const header = () => within(banner().getByRole('navigation', { name: 'Primary' }));
    const { user, path } = await renderApp(address);
    server.use(http.post('/api/conversations/:id/messages', () => HttpResponse.error()));
    await user.type(await field(), 'Lost?{Enter}');
    await screen.findByText('Failed to send message. Please try again.');
    await user.type(await field(), 'Half a th');
    // The links of the header remount once the first key has loaded their tooltips.
    await waitFor(async () => {
      await user.click(header().getByRole('link', { name: 'Jobs' }));
      expect(path()).toBe('/jobs');
    });
    await user.click(header().getByRole('link', { name: /^Messages/ }));
    await user.click(await screen.findByRole('link', { name: /Priya Raghavan/ }));
    expect(await field()).toHaveValue('Half a th');
    expect(screen.getByText('Failed to send message. Please try again.')).toBeVisible();
    await user.clear(await field());
  });

  test('typing is sent at most every three seconds', async () => {
    let requests = 0;
    server.use(
      http.post('/api/conversations/:id/typing', () => {
        requests += 1;
        return new HttpResponse(null, { status: 204 });
      }),
    );
    const { user } = await renderApp(address);
    const now = vi.spyOn(Date, 'now');
    const start = Date.parse('2026-11-22T10:00:00Z');
    now.mockReturnValue(start);
    await user.type(await field(), 'Let me ');
    await waitFor(() => expect(requests).toBe(1));
    now.mockReturnValue(start + 2_999);
    await user.type(await field(), 'think');
    now.mockReturnValue(start + 3_000);
    await user.type(await field(), ' about');
    await waitFor(() => expect(requests).toBe(2));
    await user.clear(await field());
    expect(requests).toBe(2);
  });
});

describe('requests', () => {
  const request = { folder: 'requests', unreadCount: 1 } as const;

  test('the connection with the same name as the sender is named', async () => {
    serve([messageOf(1)], { ...request, sameName: { ...priya, id: 'other' } });
    await renderApp(`${address}?folder=requests`);
    const hint = await screen.findByRole('link', {
      name: 'You are already connected with another Priya Raghavan',
    });
    expect(hint).toHaveAttribute('href', '/profile/other');
  });

  test('accepting moves the conversation to the inbox', async () => {
    serve([messageOf(1)], request);
    let accepted = 0;
    server.use(
      http.post('/api/conversations/:id/accept', () => {
        accepted += 1;
        serve([messageOf(1)]);
        return HttpResponse.json(conversationOf());
      }),
    );
    const { user, path } = await renderApp(`${address}?folder=requests`);
    expect(await screen.findByText('Priya Raghavan is not one of your connections.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Accept' }));
    await waitFor(() => expect(path()).toBe(address));
    expect(accepted).toBe(1);
    expect(screen.queryByText('Priya Raghavan is not one of your connections.')).not.toBeInTheDocument();
    expect(await field()).toBeVisible();
  });

  test('a failed acceptance shows the reason', async () => {
    serve([messageOf(1)], request);
    server.use(http.post('/api/conversations/:id/accept', () => problem(503, { error: 'Away' })));
    const { user } = await renderApp(address);
    await user.click(await screen.findByRole('button', { name: 'Accept' }));
    expect(await screen.findByText('Failed to accept the request: 503: Away')).toBeVisible();
  });

  test('deleting asks for confirmation, then opens the folder', async () => {
    serve([messageOf(1)], request);
    let deleted = 0;
    server.use(
      http.delete('/api/conversations/:id', () => {
        deleted += 1;
        return new HttpResponse(null, { status: 204 });
      }),
    );
    const { user, path } = await renderApp(`${address}?folder=requests`);
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete conversation' }));
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    expect(deleted).toBe(0);
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    await user.click(
      within(await screen.findByRole('dialog', { name: 'Delete conversation' })).getByRole('button', {
        name: 'Delete',
      }),
    );
    await waitFor(() => expect(path()).toBe('/messages?folder=requests'));
    expect(await screen.findByText('Conversation deleted')).toBeVisible();
    expect(screen.queryByRole('link', { name: /Priya Raghavan/ })).not.toBeInTheDocument();
  });

  test('blocking asks for confirmation, then opens the folder without the conversation', async () => {
    serve([messageOf(1)], request);
    const blocked: unknown[] = [];
    server.use(
      http.put('/api/blocks/:memberId', ({ params }) => {
        blocked.push(params.memberId);
        return new HttpResponse(null, { status: 204 });
      }),
    );
    const { user, path } = await renderApp(`${address}?folder=requests`);
    await user.click(await screen.findByRole('button', { name: 'Block' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Block Priya Raghavan' }));
    await user.click(dialog.getByRole('button', { name: 'Block' }));
    await waitFor(() => expect(path()).toBe('/messages?folder=requests'));
    expect(blocked).toEqual([priya.id]);
    await waitFor(() =>
      expect(screen.queryByRole('link', { name: /Priya Raghavan/ })).not.toBeInTheDocument(),
    );
  });

  test('no typing is sent in an unanswered request', async () => {
    serve([messageOf(1)], request);
    const requests = vi.fn();
    server.use(http.post('/api/conversations/:id/typing', requests));
    const { user } = await renderApp(address);
    await user.type(await field(), 'Hm');
    expect(requests).not.toHaveBeenCalled();
    await user.clear(await field());
  });

  test('a pending request shows a notice with the message limit', async () => {
    serve([mine(1)], { waiting: true });
    await renderApp(address);
    expect(
      await screen.findByText(
        'Priya Raghavan has not accepted your request yet. You can write up to 5 messages until then.',
      ),
    ).toBeVisible();
    expect(await field()).toBeVisible();
  });

  test('after five messages there is no composer', async () => {
    serve(
      [1, 2, 3, 4, 5].map((nth) => mine(nth)),
      { waiting: true },
    );
    await renderApp(address);
    expect(
      await screen.findByText('Priya Raghavan needs to accept your request before you can write more.'),
    ).toBeVisible();
    expect(screen.queryByRole('textbox', { name: 'Message' })).not.toBeInTheDocument();
  });
});

test('there is no composer for a deleted account', async () => {
  const otherUser = { id: null, fullName: 'Former member', headline: null, avatarUrl: null };
  serve([messageOf(1, { userId: null }), mine(2)], { otherUser });
  await renderApp(address, { language: 'fil' });
  expect(await screen.findByRole('heading', { level: 2, name: 'Dating kasapi' })).toBeVisible();
  expect(screen.getByText('Wala na sa Portia ang kasaping ito.')).toBeVisible();
  expect(screen.queryByRole('textbox', { name: 'Mensahe' })).not.toBeInTheDocument();
});

test('the menu offers delete and block', async () => {
  const { user } = await renderApp(address);
  await user.click(await screen.findByRole('button', { name: 'Options for this conversation' }));
  expect(await screen.findByRole('menuitem', { name: 'Block Priya Raghavan' })).toBeVisible();
  await user.click(screen.getByRole('menuitem', { name: 'Delete conversation' }));
  expect(await screen.findByRole('dialog', { name: 'Delete conversation' })).toBeVisible();
});

describe('history', () => {
  /** A hundred messages, twenty per page. */
  const serveHistory = () => {
    const all = Array.from({ length: 100 }, (_, at) => messageOf(at + 1));
    server.use(
      http.get('/api/conversations/:id', ({ request }) => {
        const end = Number(new URL(request.url).searchParams.get('cursor') ?? 100);
        reads.push(`${end}`);
        const headers: Record<string, string> =
          end > 20 ? { Link: `</api/conversations/${conversationId}?cursor=${end - 20}>; rel="next"` } : {};
        return HttpResponse.json(threadOf(all.slice(end - 20, end)), { headers });
      }),
    );
  };

  test('only visible messages are drawn, and the thread opens at its end', async () => {
    serveHistory();
    await renderApp(address);
    await waitFor(() => expect(words().at(-1)).toContain('Message 100'));
    expect(words().length).toBeLessThan(21);
    const shown = await pane();
    expect(shown.scrollTop).toBe(shown.scrollHeight - 600);
  });

  test('away from the end, a button leads back to it', async () => {
    serve(Array.from({ length: 100 }, (_, at) => messageOf(at + 1)));
    const { user } = await renderApp(address);
    await pane();
    await waitFor(() => expect(words().join()).toContain('Message 100'));
    expect(screen.queryByRole('button', { name: 'Show newest messages' })).not.toBeInTheDocument();
    (await pane()).scrollTo({ top: 0 });
    await user.click(await screen.findByRole('button', { name: 'Show newest messages' }));
    await waitFor(() => expect(words().join()).toContain('Message 100'));
  });

  test('more unread messages than fit: the thread opens where they begin', async () => {
    serve(
      Array.from({ length: 100 }, (_, at) => messageOf(at + 1)),
      { unreadCount: 60 },
    );
    await renderApp(address);
    await pane();
    await waitFor(() => expect(lineOf('Message 41').getByText('New messages')).toBeVisible());
    expect(words().join()).not.toContain('Message 100');
  });

  test('a cached thread, too, shows where more unread messages begin than fit', async () => {
    const all = Array.from({ length: 100 }, (_, at) => messageOf(at + 1));
    serve(all.slice(0, 40));
    const { user, queryClient } = await renderApp(address);
    await pane();
    await user.click(screen.getByRole('link', { name: 'Back' }));
    serve(all, { unreadCount: 60, lastMessageAt: messageOf(100).createdAt });
    await queryClient.invalidateQueries({ queryKey: ['/api/conversations', 'list'] });
    await user.click(await screen.findByRole('link', { name: /Priya Raghavan/ }));
    await waitFor(() => expect(lineOf('Message 41').getByText('New messages')).toBeVisible());
    expect(words().join()).not.toContain('Message 100');
    expect(screen.getByRole('button', { name: 'New messages' })).toBeVisible();
  });

  test('earlier messages load above and keep the scroll position', async () => {
    serveHistory();
    const { user } = await renderApp(address);
    const shown = await pane();
    await waitFor(() => expect(words().at(-1)).toContain('Message 100'));
    shown.scrollTop = 0;
    fireEvent.scroll(shown);
    await waitFor(() => expect(words().join()).toContain('Message 81'));
    const before = shown.scrollHeight;
    await user.click(screen.getByRole('button', { name: 'Show earlier messages' }));
    await waitFor(() => expect(shown.scrollHeight).toBeGreaterThan(before));
    expect(reads).toEqual(['100', '80']);
    // The first visible message moves down by the height of the loaded page.
    await waitFor(() => expect(shown.scrollTop).toBe(shown.scrollHeight - before));
    expect(words().join()).toContain('Message 81');
  });

  test('a failed page keeps the loaded ones and can be retried', async () => {
    serveHistory();
    const { user } = await renderApp(address);
    await waitFor(() => expect(words().at(-1)).toContain('Message 100'));
    server.use(
      http.get(
        '/api/conversations/:id',
        () => {
          reads.push('failed');
          return problem(503, { error: 'Please try again soon' });
        },
        { once: true },
      ),
    );
    await user.click(screen.getByRole('button', { name: 'Show earlier messages' }));
    expect(await screen.findByText('Error loading messages')).toBeVisible();
    expect(words().at(-1)).toContain('Message 100');
    await user.click(screen.getByRole('button', { name: 'Try Again' }));
    await waitFor(() => expect(screen.queryByText('Error loading messages')).not.toBeInTheDocument());
    expect(reads).toEqual(['100', 'failed', '80']);
  });
});

describe('reading', () => {
  test('fetching marks the thread as read and updates the list and the counts', async () => {
    let unread = 0;
    serve([messageOf(1)], { unreadCount: 2 });
    server.use(
      http.get('/api/unread', () => {
        unread += 1;
        return HttpResponse.json({ messages: 0, requests: 0, notifications: 0 });
      }),
    );
    const { user, path } = await renderApp('/messages');
    const row = await screen.findByRole('link', { name: /Priya Raghavan/ });
    expect(row).toHaveTextContent('2');
    const before = unread;
    await user.click(row);
    await pane();
    await waitFor(() => expect(unread).toBeGreaterThan(before));
    await user.click(screen.getByRole('link', { name: 'Back' }));
    await waitFor(() => expect(path()).toBe('/messages'));
    expect(screen.getByRole('link', { name: /Priya Raghavan/ })).not.toHaveTextContent(/Raghavan.*2$/);
    expect(marked).toEqual([]);
  });

  test('a line shows where the unread messages begin, also when the thread is opened again', async () => {
    serve([messageOf(1), messageOf(2), mine(3), messageOf(4), messageOf(5)], { unreadCount: 2 });
    const { user, queryClient } = await renderApp(address);
    expect(await screen.findByText('New messages')).toBeVisible();
    expect(lineOf('Message 4').getByText('New messages')).toBeVisible();
    await user.click(screen.getByRole('link', { name: 'Back' }));
    await user.click(await screen.findByRole('link', { name: /Priya Raghavan/ }));
    await pane();
    expect(screen.queryByText('New messages')).not.toBeInTheDocument();
    await user.click(screen.getByRole('link', { name: 'Back' }));
    const newest = messageOf(9);
    serve([messageOf(4), messageOf(5), newest], { unreadCount: 1, lastMessageAt: newest.createdAt });
    await queryClient.invalidateQueries({ queryKey: ['/api/conversations', 'list'] });
    await user.click(await screen.findByRole('link', { name: /Priya Raghavan/ }));
    await waitFor(() => expect(lineOf('Message 9').getByText('New messages')).toBeVisible());
  });

  test('a message that arrives while the thread is on screen gets no line', async () => {
    const { queryClient } = await renderApp(address);
    await pane();
    const newest = messageOf(9);
    serve([messageOf(1), mine(2), mine(3), newest], { unreadCount: 1, lastMessageAt: newest.createdAt });
    await queryClient.invalidateQueries({ queryKey: ['/api/conversations'] });
    await waitFor(() => expect(words().join()).toContain('Message 9'));
    expect(screen.queryByText('New messages')).not.toBeInTheDocument();
  });

  test('a hidden tab marks nothing as read until it is visible', async () => {
    setVisibility('hidden');
    await renderApp(address);
    await screen.findByRole('link', { name: /Priya Raghavan/ });
    expect(reads).toEqual([]);
    setVisibility('visible');
    await pane();
    expect(reads).toEqual(['']);
  });

  test('a cached thread is not fetched again, only marked as read', async () => {
    const { user, queryClient } = await renderApp(address);
    await pane();
    await user.click(screen.getByRole('link', { name: 'Back' }));
    // Read on another device: the list reports an unread message that this thread has already.
    serve([], { unreadCount: 1, lastMessageAt: mine(3).createdAt });
    await queryClient.invalidateQueries({ queryKey: ['/api/conversations', 'list'] });
    await user.click(await screen.findByRole('link', { name: /Priya Raghavan/ }));
    await waitFor(() => expect(marked).toEqual([{ upTo: 'm3' }]));
    expect(reads).toEqual(['']);
  });

  test('a thread that is older than the list is fetched', async () => {
    const { user, queryClient } = await renderApp(address);
    await pane();
    await user.click(screen.getByRole('link', { name: 'Back' }));
    serve([messageOf(1), mine(2), mine(3), messageOf(9)], {
      unreadCount: 1,
      lastMessageAt: messageOf(9).createdAt,
    });
    await queryClient.invalidateQueries({ queryKey: ['/api/conversations', 'list'] });
    await user.click(await screen.findByRole('link', { name: /Priya Raghavan/ }));
    await waitFor(() => expect(words().join()).toContain('Message 9'));
    expect(reads).toEqual(['', '']);
    expect(marked).toEqual([]);
  });
});
