// Conversations and what is said in them: how they are read, and how what is new joins what is there.
import { infiniteQueryOptions, type Query, type QueryClient, queryOptions } from '@tanstack/react-query';
import { api, follow, followPage, nextOf, type Page, readPage } from './client';
import { changeCached, untilRead } from './freshness';
import { itemsOf, keepItems, mapItems } from './pages';
import { unreadQuery } from './queries';
import type { Conversation, ConversationFolder, ConversationThread, Message } from './types';

/** Every list of conversations stands below this key. */
export const conversationLists = ['/api/conversations', 'list'] as const;

interface ListFilter {
  folder?: ConversationFolder;
  search?: string;
}

const listQuery = (filter: ListFilter) =>
  infiniteQueryOptions({
    queryKey: [...conversationLists, filter],
    queryFn: ({ pageParam }): Promise<Page<Conversation>> =>
      pageParam
        ? followPage<Conversation>(pageParam)
        : readPage(api.GET('/api/conversations', { params: { query: filter } })),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    retryOnMount: true,
    refetchInterval: untilRead,
  });

/** The conversations of a folder, the one with the newest message first; with a search, those with people of that name. */
export const conversationsQuery = (folder: ConversationFolder = 'inbox', search = '') =>
  listQuery({ ...(folder !== 'inbox' && { folder }), ...(search && { search }) });

/** As much of a thread as has been read, in one piece that ends with its newest message. */
export interface Thread {
  conversation: Conversation;
  /** Oldest first. */
  messages: Message[];
  /** The address of the page before the first message; null where the thread begins. */
  older: string | null;
}

export const threadKey = (id: string) => ['/api/conversations', 'one', id] as const;

/** A thread. The first read brings its newest page; every later one brings only what has been said since. */
export const threadQuery = (id: string) =>
  queryOptions({
    queryKey: threadKey(id),
    queryFn: async ({ client }): Promise<Thread> => {
      const known = client.getQueryData<Thread>(threadKey(id));
      const read = await api.GET('/api/conversations/{id}', { params: { path: { id } } });
      const newest = threadOf(read.data as ConversationThread, read.response);
      const fresh = known ? await reachBack(newest, known) : newest;
      // To read the newest page is to have read the conversation.
      conversationRead(client, id);
      const meanwhile = client.getQueryData<Thread>(threadKey(id));
      return known && meanwhile ? join(fresh, known, meanwhile) : fresh;
    },
    // What could not be read a moment ago may be there again.
    retryOnMount: true,
    refetchInterval: untilRead,
  });

function threadOf({ messages, ...conversation }: ConversationThread, response: Response): Thread {
  return { conversation, messages, older: nextOf(response) };
}

async function followThread(next: string): Promise<Thread> {
  const response = await follow(next);
  return threadOf((await response.json()) as ConversationThread, response);
}

/** So many pages behind, what was known is let go instead. */
const farthest = 10;

async function reachBack(newest: Thread, known: Thread): Promise<Thread> {
  let fresh = newest;
  const ids = new Set(known.messages.map(({ id }) => id));
  for (let pages = 1; pages < farthest && fresh.older; pages += 1) {
    if (fresh.messages.some(({ id }) => ids.has(id))) break;
    const before = await followThread(fresh.older);
    fresh = { ...fresh, messages: [...before.messages, ...fresh.messages], older: before.older };
  }
  return fresh;
}

/**
 * What is fresh, after the older part of what is there, before what was sent while it was read. `known` is what was there
 * when the reading began, `meanwhile` what is there now.
 */
export function join(fresh: Thread, known: Thread, meanwhile: Thread): Thread {
  const [first] = fresh.messages;
  const meets = meanwhile.messages.findIndex(({ id }) => id === first?.id);
  // A thread that is fresh from its very beginning has no older part: it may have been emptied.
  const older = fresh.older && meets > 0 ? meanwhile.messages.slice(0, meets) : [];
  const freshIds = new Set(fresh.messages.map(({ id }) => id));
  const last = known.messages.at(-1)?.id;
  const sent = meanwhile.messages
    .slice(meanwhile.messages.findIndex(({ id }) => id === last) + 1)
    .filter(({ id }) => !freshIds.has(id));
  // A reader of a message has read the ones before it.
  const read = new Set(fresh.messages.filter(({ isRead }) => isRead).map(({ userId }) => userId));
  return {
    conversation: fresh.conversation,
    messages: [
      ...older.map((message) => (read.has(message.userId) ? { ...message, isRead: true } : message)),
      ...fresh.messages,
      ...sent,
    ],
    older: fresh.older && meets > 0 ? meanwhile.older : fresh.older,
  };
}

/** The page before the first message, which leaves everything else where it is. */
export async function fetchOlder(queryClient: QueryClient, id: string): Promise<void> {
  const { queryKey } = threadQuery(id);
  const from = queryClient.getQueryData(queryKey)?.older;
  if (!from) return;
  const page = await followThread(from);
  changeCached<Thread>(queryClient, queryKey, (thread) =>
    thread.older === from
      ? { ...thread, messages: [...page.messages, ...thread.messages], older: page.older }
      : thread,
  );
}

export function hasMessage(queryClient: QueryClient, conversationId: string, messageId: string): boolean {
  const thread = queryClient.getQueryData<Thread>(threadKey(conversationId));
  return thread?.messages.some(({ id }) => id === messageId) ?? false;
}

/** The first page of every list on screen, on which the latest news stands; the rest of a long list stays. */
export async function refetchNewest(queryClient: QueryClient): Promise<void> {
  const queries = queryClient.getQueryCache().findAll({ queryKey: conversationLists });
  await Promise.all(queries.map((query) => refetchFirstPage(queryClient, query)));
}

async function refetchFirstPage(queryClient: QueryClient, query: Query): Promise<void> {
  const filter = query.queryKey[2] as ListFilter;
  const { queryKey } = listQuery(filter);
  const whole = () => queryClient.invalidateQueries({ queryKey, exact: true });
  const isOnItsWay = () => query.state.fetchStatus !== 'idle';
  const { data, isInvalidated } = query.state;
  const isLong = ((data as List | undefined)?.pages.length ?? 0) > 1;
  // One page is all of it; and what is old as a whole, or on its way, is asked for as a whole.
  if (!query.isActive() || !isLong || isInvalidated || isOnItsWay()) return whole();
  const page = await readPage(api.GET('/api/conversations', { params: { query: filter } })).catch(() => null);
  // Where it fails the whole list does, which is asked for until it comes.
  if (!page) return whole();
  // What was written or asked for meanwhile may be newer than this page, or end by overwriting it.
  if (query.state.data !== data || query.state.isInvalidated || isOnItsWay())
    return refetchFirstPage(queryClient, query);
  const ids = new Set(page.items.map(({ id }) => id));
  queryClient.setQueryData(queryKey, (list) => {
    const rest = keepItems(list, ({ id }) => !ids.has(id));
    return rest && withFirst(rest, page.items);
  });
}

type List = NonNullable<Parameters<typeof itemsOf<Conversation>>[0]>;

function withFirst(list: List, items: Conversation[]): List {
  const pages = list.pages.map((page, at) =>
    at === 0 ? { ...page, items: [...items, ...page.items] } : page,
  );
  return { ...list, pages };
}

const lists = { queryKey: conversationLists };

/** Changes the lists that have a conversation which is meant. The others are left alone. */
function changeLists(
  queryClient: QueryClient,
  isMeant: (conversation: Conversation) => boolean,
  change: (list: List) => List | undefined,
): boolean {
  let found = false;
  for (const query of queryClient.getQueryCache().findAll(lists)) {
    const list = query.state.data as List | undefined;
    if (!list || !itemsOf(list).some(isMeant)) continue;
    found = true;
    changeCached(queryClient, query.queryKey, change);
  }
  return found;
}

/** A conversation as it is now, in its thread and in every list that has it. */
export function conversationChanged(queryClient: QueryClient, now: Conversation): void {
  changeCached<Thread>(queryClient, threadKey(now.id), (thread) => ({ ...thread, conversation: now }));
  const isMeant = ({ id }: Conversation) => id === now.id;
  changeLists(queryClient, isMeant, (list) => mapItems(list, (one) => (isMeant(one) ? now : one)));
}

/** Nothing in it waits unread any more. */
export function conversationRead(queryClient: QueryClient, id: string): void {
  const isMeant = (one: Conversation) => one.id === id && one.unreadCount > 0;
  const read = (list: List) => mapItems(list, (one) => (isMeant(one) ? { ...one, unreadCount: 0 } : one));
  if (changeLists(queryClient, isMeant, read)) void queryClient.invalidateQueries(unreadQuery);
}

/** The member's message stands at the end of its thread, and its conversation at the top of the list. */
export function messageSent(queryClient: QueryClient, message: Message): void {
  const { queryKey } = threadQuery(message.conversationId);
  const was = queryClient.getQueryData(queryKey)?.conversation;
  changeCached<Thread>(queryClient, queryKey, (thread) =>
    !thread.messages.some(({ id }) => id === message.id)
      ? { ...thread, messages: [...thread.messages, message] }
      : thread,
  );
  const isMeant = ({ id }: Conversation) => id === message.conversationId;
  const listed = changeLists(queryClient, isMeant, (list) => {
    const [one] = itemsOf(list).filter(isMeant);
    const rest = keepItems(list, (other) => !isMeant(other));
    const { content: lastMessage, createdAt: lastMessageAt } = message;
    return one && rest && withFirst(rest, [{ ...one, lastMessage, lastMessageAt, unreadCount: 0 }]);
  });
  // The first word of a conversation lists it; an answer to a request moves it to the inbox.
  if (!listed || was?.folder === 'requests') void refetchConversations(queryClient, message.conversationId);
}

/** What follows when a conversation appeared, left, or moved between the folders. */
export function refetchConversations(queryClient: QueryClient, id: string): Promise<unknown> {
  return Promise.all([
    queryClient.invalidateQueries(lists),
    queryClient.invalidateQueries({ queryKey: threadKey(id) }),
    queryClient.invalidateQueries(unreadQuery),
  ]);
}

/** It is off the lists until there is something new in it. */
export function conversationGone(queryClient: QueryClient, id: string): void {
  const isMeant = (one: Conversation) => one.id === id;
  changeLists(queryClient, isMeant, (list) => keepItems(list, (one) => !isMeant(one)));
  void queryClient.invalidateQueries({ queryKey: threadKey(id), refetchType: 'none' });
}

/** Everything with a member who is blocked from now on is closed; messaging hears of it a moment later. */
export function conversationsClosed(queryClient: QueryClient, memberId: string): void {
  const isMeant = ({ otherUser }: Conversation) => otherUser.id === memberId;
  changeLists(queryClient, isMeant, (list) => keepItems(list, (one) => !isMeant(one)));
  for (const query of queryClient.getQueryCache().findAll({ queryKey: ['/api/conversations', 'one'] })) {
    const thread = query.state.data as Thread | undefined;
    if (!thread || !isMeant(thread.conversation)) continue;
    query.setState({ data: undefined, status: 'error', error: new Error('blocked'), fetchStatus: 'idle' });
  }
}
