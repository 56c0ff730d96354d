// Merging new messages into a cached thread, and the effect of a sent message on the lists.
import { InfiniteQueryObserver, QueryObserver } from '@tanstack/react-query';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '@/testing/eventually';
import { conversationId, conversationOf, messageOf, mine, threadOf } from '@/testing/messages';
import { problem, server } from '@/testing/server';
import {
  conversationChanged,
  conversationLists,
  conversationRead,
  conversationsQuery,
  fetchOlder,
  join,
  messageSent,
  refetchNewest,
  type Thread,
  threadQuery,
} from './conversations';
import { itemsOf } from './pages';
import { createQueryClient } from './query-client';
import type { Conversation, Message } from './schema.gen';

const thread = (messages: Message[], older: string | null = null): Thread => ({
  conversation: conversationOf(),
  messages,
  older,
});
const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => messageOf(from + at));
const ids = ({ messages }: { messages: Message[] }) => messages.map(({ id }) => id.slice(1)).join(' ');

describe('join', () => {
  test('the new page continues where the cached part ends', () => {
    const known = thread(range(1, 5), '/older');
    const joined = join(thread(range(4, 8), '/newer'), known, known);
    expect(ids(joined)).toBe('1 2 3 4 5 6 7 8');
    expect(joined.older).toBe('/older');
  });

  test('a cached part without overlap is dropped', () => {
    const known = thread(range(1, 5), '/older');
    const joined = join(thread(range(50, 52), '/newer'), known, known);
    expect(ids(joined)).toBe('50 51 52');
    expect(joined.older).toBe('/newer');
  });

  test('a cleared thread is empty', () => {
    const known = thread(range(1, 5));
    expect(ids(join(thread([]), known, known))).toBe('');
    expect(ids(join(thread(range(5, 6)), known, known))).toBe('5 6');
  });

  test('messages sent during the fetch stay at the end', () => {
    const known = thread(range(1, 2));
    const meanwhile = thread([...range(1, 2), mine(4)]);
    expect(ids(join(thread(range(1, 3)), known, meanwhile))).toBe('1 2 3 4');
    expect(ids(join(thread([...range(1, 3), mine(4)]), known, meanwhile))).toBe('1 2 3 4');
    expect(ids(join(thread([]), thread([]), thread([mine(1)])))).toBe('1');
  });

  test('the order of the server wins over the order of the responses', () => {
    const known = thread([...range(1, 2), mine(4)]);
    expect(ids(join(thread([...range(1, 3), mine(4)]), known, known))).toBe('1 2 3 4');
  });

  test('older pages loaded during the fetch stay at the beginning', () => {
    const known = thread(range(3, 4), '/older');
    const meanwhile = thread(range(1, 4));
    expect(ids(join(thread(range(3, 5), '/newer'), known, meanwhile))).toBe('1 2 3 4 5');
  });

  test('a read message marks all earlier ones as read', () => {
    const known = thread([mine(1), mine(2), mine(3)], '/older');
    const joined = join(thread([mine(3, { isRead: true }), mine(4)], '/newer'), known, known);
    expect(joined.messages.map(({ isRead }) => isRead)).toEqual([true, true, true, false]);
  });
});

describe('reading a thread', () => {
  let asked: string[];
  /** Serves a conversation of `count` messages, 20 per page. */
  const serve = (count: number) =>
    server.use(
      http.get('/api/conversations/:id', ({ request }) => {
        const { search, searchParams } = new URL(request.url);
        asked.push(search);
        const end = Number(searchParams.get('cursor') ?? count);
        const start = Math.max(1, end - 19);
        const headers: Record<string, string> =
          start > 1 ? { Link: `</api/conversations/c1?cursor=${start - 1}>; rel="next"` } : {};
        return HttpResponse.json(threadOf(range(start, end)), { headers });
      }),
    );
  beforeEach(() => {
    asked = [];
  });

  test('the next fetch loads only new messages', async () => {
    const queryClient = createQueryClient();
    const query = { ...threadQuery('c1'), staleTime: 0 };
    serve(60);
    expect(ids(await queryClient.fetchQuery(query))).toBe(ids(thread(range(41, 60))));
    await fetchOlder(queryClient, 'c1');
    asked = [];
    serve(65);
    expect(ids(await queryClient.fetchQuery(query))).toBe(ids(thread(range(21, 65))));
    expect(asked).toEqual(['']);
  });

  test('after a long absence it fetches pages until they overlap the cache', async () => {
    const queryClient = createQueryClient();
    const query = { ...threadQuery('c1'), staleTime: 0 };
    serve(60);
    await queryClient.fetchQuery(query);
    asked = [];
    serve(130);
    expect(ids(await queryClient.fetchQuery(query))).toBe(ids(thread(range(41, 130))));
    expect(asked).toEqual(['', '?cursor=110', '?cursor=90', '?cursor=70']);
  });

  test('after a very long absence it replaces the cache', async () => {
    const queryClient = createQueryClient();
    const query = { ...threadQuery('c1'), staleTime: 0 };
    serve(60);
    await queryClient.fetchQuery(query);
    asked = [];
    serve(1_000);
    const { messages, older } = await queryClient.fetchQuery(query);
    expect(asked).toHaveLength(10);
    expect(messages).toHaveLength(200);
    expect(older).toContain('cursor=800');
  });

  test('older pages load one at a time, up to the first message', async () => {
    const queryClient = createQueryClient();
    serve(45);
    await queryClient.fetchQuery(threadQuery('c1'));
    await Promise.all([fetchOlder(queryClient, 'c1'), fetchOlder(queryClient, 'c1')]);
    const { queryKey } = threadQuery('c1');
    expect(ids(queryClient.getQueryData(queryKey) as Thread)).toBe(ids(thread(range(6, 45))));
    await fetchOlder(queryClient, 'c1');
    await fetchOlder(queryClient, 'c1');
    expect(ids(queryClient.getQueryData(queryKey) as Thread)).toBe(ids(thread(range(1, 45))));
  });
});

test.each<[string, (queryClient: ReturnType<typeof createQueryClient>) => void | Promise<void>]>([
  ['a message was sent', (queryClient) => messageSent(queryClient, mine(6))],
  ['it moved', (queryClient) => conversationChanged(queryClient, conversationOf({ folder: 'requests' }))],
  ['older messages came', (queryClient) => fetchOlder(queryClient, conversationId)],
])('an invalidated thread stays invalidated after %s', async (_, write) => {
  server.use(http.get('/api/conversations/:id', () => HttpResponse.json(threadOf(range(1, 2)))));
  const queryClient = createQueryClient();
  const { queryKey } = threadQuery(conversationId);
  const before = thread(range(3, 4), `/api/conversations/${conversationId}?cursor=2`);
  queryClient.setQueryData(queryKey, before);
  // The conversation is listed: a message in it does not refetch the lists.
  const listed = { items: [conversationOf()], next: null, total: null, degraded: false };
  queryClient.setQueryData(conversationsQuery().queryKey, { pages: [listed], pageParams: [null] });
  // The other member's fifth message arrived while the thread was not on screen.
  await queryClient.invalidateQueries({ queryKey });
  await write(queryClient);
  expect(queryClient.getQueryData(queryKey)).not.toEqual(before);
  expect(queryClient.getQueryState(queryKey)?.isInvalidated).toBe(true);
});

describe('the lists', () => {
  const named = (id: string, changes: Partial<Conversation> = {}) => conversationOf({ id, ...changes });
  const page = (items: Conversation[], next: string | null = null) => ({
    items,
    next,
    total: null,
    degraded: false,
  });
  const { queryKey } = conversationsQuery();
  const shown = (queryClient: ReturnType<typeof createQueryClient>) =>
    itemsOf<Conversation>(queryClient.getQueryData(queryKey)).map(({ id }) => id);

  test('a sent message moves its conversation to the top and updates its preview', () => {
    const queryClient = createQueryClient();
    queryClient.setQueryData(queryKey, {
      pages: [page([named('a'), named('b')], '/2'), page([named(conversationId)])],
      pageParams: [null, '/2'],
    });
    messageSent(queryClient, mine(9, { content: 'On my way.' }));
    expect(shown(queryClient)).toEqual([conversationId, 'a', 'b']);
    expect(itemsOf(queryClient.getQueryData(queryKey))[0]).toMatchObject({
      lastMessage: 'On my way.',
      lastMessageAt: mine(9).createdAt,
    });
    expect(queryClient.getQueryState(queryKey)?.isInvalidated).toBe(false);
  });

  test('the first message of a conversation refetches the lists', () => {
    const queryClient = createQueryClient();
    queryClient.setQueryData(queryKey, { pages: [page([])], pageParams: [null] });
    messageSent(queryClient, mine(1));
    expect(queryClient.getQueryState(queryKey)?.isInvalidated).toBe(true);
  });

  test('only the first page of a long list is refetched', async () => {
    const queryClient = createQueryClient();
    const asked: string[] = [];
    server.use(
      http.get('/api/conversations', ({ request }) => {
        asked.push(new URL(request.url).search);
        return HttpResponse.json([named('d', { unreadCount: 1 }), named('a')]);
      }),
    );
    queryClient.setQueryData(queryKey, {
      pages: [page([named('a'), named('b')], '/2'), page([named('c'), named('d')])],
      pageParams: [null, '/2'],
    });
    // An observer makes the query active.
    const stop = new QueryObserver(queryClient, {
      queryKey,
      enabled: true,
      staleTime: Number.POSITIVE_INFINITY,
    }).subscribe(() => undefined);
    await refetchNewest(queryClient);
    expect(asked).toEqual(['']);
    expect(shown(queryClient)).toEqual(['d', 'a', 'b', 'c']);
    stop();
  });

  describe('a long list', () => {
    const second = '/api/conversations?cursor=2';
    let queryClient: ReturnType<typeof createQueryClient>;
    let asked: number;
    let first: Conversation[];
    let held: (nth: number) => boolean;
    let release: () => void;

    /** An active list of two pages. Responses whose name is in `held` are delayed, with the content at the time of the request. */
    beforeEach(() => {
      queryClient = createQueryClient();
      asked = 0;
      first = [named('a')];
      held = () => false;
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      server.use(
        http.get('/api/conversations', async ({ request }) => {
          asked += 1;
          const answer = new URL(request.url).searchParams.has('cursor')
            ? HttpResponse.json([named('c')])
            : HttpResponse.json(first, { headers: { Link: `<${second}>; rel="next"` } });
          if (held(asked)) await released;
          return answer;
        }),
      );
      queryClient.setQueryData(queryKey, {
        pages: [page(first, second), page([named('c')])],
        pageParams: [null, second],
      });
      return new InfiniteQueryObserver(queryClient, conversationsQuery()).subscribe(() => undefined);
    });
    const untilAsked = (times: number) => eventually(() => expect(asked).toBe(times));

    test('an in-flight fetch does not overwrite a newer first page', async () => {
      held = () => true;
      const onItsWay = queryClient.refetchQueries({ queryKey });
      await untilAsked(1);
      first = [named('d'), named('a')];
      const newest = refetchNewest(queryClient);
      await untilAsked(2);
      release();
      await Promise.all([onItsWay, newest]);
      expect(shown(queryClient)).toEqual(['d', 'a', 'c']);
    });

    test('a newer fetch is not overwritten by an older first page', async () => {
      held = (nth) => nth === 1;
      const newest = refetchNewest(queryClient);
      await untilAsked(1);
      first = [named('d'), named('a')];
      await queryClient.refetchQueries({ queryKey });
      release();
      await newest;
      expect(shown(queryClient)).toEqual(['d', 'a', 'c']);
    });

    test('a failed first page invalidates the whole list', async () => {
      server.use(http.get('/api/conversations', () => problem(503, { error: 'Please try again soon' })));
      await refetchNewest(queryClient);
      expect(shown(queryClient)).toEqual(['a', 'c']);
      expect(queryClient.getQueryState(queryKey)).toMatchObject({ status: 'error', isInvalidated: true });
    });
  });

  test('marking a conversation as read does not make another list fresh', () => {
    const queryClient = createQueryClient();
    const requests = conversationsQuery('requests').queryKey;
    const list = (items: Conversation[]) => ({ pages: [page(items)], pageParams: [null] });
    queryClient.setQueryData(queryKey, list([]));
    queryClient.setQueryData(requests, list([named('a', { unreadCount: 2 })]));
    void queryClient.invalidateQueries({ queryKey: conversationLists });
    conversationRead(queryClient, 'a');
    expect(itemsOf<Conversation>(queryClient.getQueryData(requests))[0]?.unreadCount).toBe(0);
    for (const key of [queryKey, requests]) expect(queryClient.getQueryState(key)?.isInvalidated).toBe(true);
  });
});
