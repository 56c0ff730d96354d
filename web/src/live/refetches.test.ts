// The queries that each event invalidates, and coalescing of refetches.
import { type QueryKey, QueryObserver } from '@tanstack/react-query';
import { beforeEach, expect, test } from 'vitest';
import { conversationsQuery, threadQuery } from '@/api/conversations';
import {
  connectionQuery,
  connectionsQuery,
  notificationsQuery,
  pendingRequestsQuery,
  profileQuery,
  suggestionsQuery,
  unreadQuery,
} from '@/api/queries';
import { createQueryClient } from '@/api/query-client';
import { eventually } from '@/testing/eventually';
import { conversationOf, messageOf } from '@/testing/messages';
import type { LiveEvent } from './events';
import { refetcher } from './refetches';

const me = 'isabel';
let queryClient = createQueryClient();

const page = { items: [], next: null, total: null, degraded: false };
const keys = {
  inbox: conversationsQuery().queryKey,
  requests: conversationsQuery('requests').queryKey,
  thread: threadQuery('c1').queryKey,
  otherThread: threadQuery('c2').queryKey,
  unread: unreadQuery.queryKey,
  notifications: notificationsQuery.queryKey,
  session: ['/api/auth/me'],
  connection: connectionQuery(me, 'priya').queryKey,
  otherConnection: connectionQuery(me, 'ben').queryKey,
  connections: connectionsQuery(me).queryKey,
  pending: pendingRequestsQuery(me).queryKey,
  suggestions: suggestionsQuery(me).queryKey,
  profile: profileQuery('priya').queryKey,
  ownProfile: profileQuery(me).queryKey,
} satisfies Record<string, QueryKey>;

beforeEach(() => {
  queryClient = createQueryClient();
  const list = { pages: [page], pageParams: [null] };
  const thread = { conversation: conversationOf(), messages: [messageOf(1)], older: null };
  const data = { inbox: list, requests: list, thread, otherThread: thread, notifications: list };
  for (const [name, queryKey] of Object.entries(keys))
    queryClient.setQueryData(queryKey, (data as Record<string, unknown>)[name] ?? {});
});

const old = () =>
  Object.entries(keys)
    .filter(([, queryKey]) => queryClient.getQueryState(queryKey)?.isInvalidated)
    .map(([name]) => name);

test.each<[string, LiveEvent, string[]]>([
  [
    'an open stream invalidates all live queries',
    { kind: 'hello' },
    [
      'inbox',
      'requests',
      'thread',
      'otherThread',
      'unread',
      'notifications',
      'connection',
      'otherConnection',
      'connections',
      'pending',
    ],
  ],
  [
    'a message',
    { kind: 'message', conversationId: 'c1', messageId: 'm2', userId: 'priya' },
    ['inbox', 'requests', 'thread', 'unread'],
  ],
  [
    'a message that is cached already',
    { kind: 'message', conversationId: 'c1', messageId: 'm1', userId: 'priya' },
    ['inbox', 'requests', 'unread'],
  ],
  [
    'the member’s own message from another tab',
    { kind: 'message', conversationId: 'c1', messageId: 'm2', userId: me },
    ['inbox', 'requests', 'thread'],
  ],
  ['the other has read', { kind: 'conversation-read', conversationId: 'c1', userId: 'priya' }, ['thread']],
  [
    'the member has read it in another tab',
    { kind: 'conversation-read', conversationId: 'c1', userId: me },
    ['inbox', 'requests', 'unread'],
  ],
  [
    'a conversation was added, removed or moved',
    { kind: 'conversation', conversationId: 'c1' },
    ['inbox', 'requests', 'thread', 'unread'],
  ],
  ['a notification', { kind: 'notification' }, ['unread', 'notifications']],
  [
    'a request or its answer, by this member',
    { kind: 'connection', connectionId: 'x', requesterId: me, recipientId: 'priya' },
    ['connection', 'connections', 'pending', 'suggestions'],
  ],
  [
    'a request or its answer, by the other',
    { kind: 'connection', connectionId: 'x', requesterId: 'priya', recipientId: me },
    ['connection', 'connections', 'pending', 'suggestions'],
  ],
  ['the profile of another member', { kind: 'profile', userId: 'priya' }, ['profile']],
  ['the member’s own profile', { kind: 'profile', userId: me }, ['session', 'ownProfile']],
  ['a member types', { kind: 'typing', conversationId: 'c1', userId: 'priya' }, []],
])('%s', async (_, event, expected) => {
  refetcher({ memberId: me, queryClient })(event);
  await eventually(() => expect(old()).toEqual(expected));
});

test('a stream that is reopened also invalidates the single entities on screen', async () => {
  const onEvent = refetcher({ memberId: me, queryClient });
  onEvent({ kind: 'hello' });
  await eventually(() => expect(old()).toContain('connection'));
  expect(old()).not.toContain('profile');
  onEvent({ kind: 'hello' });
  await eventually(() => expect(old()).toContain('profile'));
});

test('a burst causes two requests: one at once, and one for all later events', async () => {
  let asked = 0;
  let answer = () => {};
  const observer = new QueryObserver(queryClient, {
    queryKey: unreadQuery.queryKey,
    queryFn: () => {
      asked += 1;
      return new Promise<object>((resolve) => {
        answer = () => resolve({});
      });
    },
  });
  const stop = observer.subscribe(() => undefined);
  const onEvent = refetcher({ memberId: me, queryClient });
  for (let nth = 0; nth < 50; nth += 1) onEvent({ kind: 'notification' });
  await eventually(() => expect(asked).toBe(1));
  answer();
  await eventually(() => expect(asked).toBe(2));
  answer();
  await eventually(() => expect(queryClient.isFetching()).toBe(0));
  expect(asked).toBe(2);
  onEvent({ kind: 'notification' });
  await eventually(() => expect(asked).toBe(3));
  answer();
  stop();
});
