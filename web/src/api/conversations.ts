// Conversations and their messages: queries, and cache updates for new messages.
import { type Query, type QueryClient, type QueryKey, queryOptions } from '@tanstack/react-query';
import { api, follow, nextOf, readPage } from './client';
import { itemsOf, keepItems, mapItems } from './pages';
import { unreadQuery } from './queries';
import { pages } from './query';
import { retryIntervalWithData, updateCached } from './refetch-policy';
import type { Conversation, ConversationFolder, ConversationThread, Message } from './schema.gen';

/** The key prefix of every list of conversations. */
export const conversationLists = ['/api/conversations', 'list'] as const;

interface ListFilter {
  folder?: ConversationFolder;
  search?: string;
}

const listQuery = (filter: ListFilter) =>
  pages(
    '/api/conversations',
    { query: filter },
    { retryOnMount: true, refetchInterval: retryIntervalWithData },
  );

/** The conversations of a folder, newest message first; a search keeps conversations with members of that name. */
export const conversationsQuery = (folder: ConversationFolder = 'inbox', search = '') =>
  listQuery({ ...(folder !== 'inbox' && { folder }), ...(search && { search }) });

/** The loaded part of a thread: contiguous, up to its newest message. */
export interface Thread {
  conversation: Conversation;
  /** Oldest first. */
  messages: Message[];
  /** The address of the page before the first message; null at the beginning of the thread. */
  older: string | null;
}

export const threadKey = (id: string) => ['/api/conversations', 'one', id] as const;

/** A thread. The first fetch loads the newest page, every later one only the messages since then. */
export const threadQuery = (id: string) =>
  queryOptions({
    queryKey: threadKey(id),
    queryFn: async ({ client }): Promise<Thread> => {
      const known = client.getQueryData<Thread>(threadKey(id));
      const read = await api.GET('/api/conversations/{id}', { params: { path: { id } } });
      const newest = threadOf(read.data as ConversationThread, read.response);
      const fresh = known ? await reachBack(newest, known) : newest;
      // The server marks a conversation as read when its newest page is fetched.
      conversationRead(client, id);
      const meanwhile = client.getQueryData<Thread>(threadKey(id));
      return known && meanwhile ? join(fresh, known, meanwhile) : fresh;
    },
    // A failed fetch may succeed when the thread is opened again.
    retryOnMount: true,
    refetchInterval: retryIntervalWithData,
  });

function threadOf({ messages, ...conversation }: ConversationThread, response: Response): Thread {
  return { conversation, messages, older: nextOf(response) };
}

async function followThread(next: string): Promise<Thread> {
  const response = await follow(next);
  return threadOf((await response.json()) as ConversationThread, response);
}

/** Beyond this number of new pages, the cached part is dropped. */
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
 * Merges the older cached messages, the fetched ones, and those sent during the fetch. `known` is the cache at the start
 * of the fetch, `meanwhile` the cache now.
 */
export function join(fresh: Thread, known: Thread, meanwhile: Thread): Thread {
  const [first] = fresh.messages;
  const meets = meanwhile.messages.findIndex(({ id }) => id === first?.id);
  // A fetch that contains the beginning of the thread replaces the older part: the thread may have been cleared.
  const older = fresh.older && meets > 0 ? meanwhile.messages.slice(0, meets) : [];
  const freshIds = new Set(fresh.messages.map(({ id }) => id));
  const last = known.messages.at(-1)?.id;
  const sent = meanwhile.messages
    .slice(meanwhile.messages.findIndex(({ id }) => id === last) + 1)
    .filter(({ id }) => !freshIds.has(id));
  // A read message implies that all earlier ones are read.
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

/** The page around a message that is not in the loaded part of its thread; it marks nothing as read. */
export const aroundQuery = (id: string, messageId: string) =>
  queryOptions({
    queryKey: ['/api/conversations', 'around', id, messageId] as const,
    queryFn: async (): Promise<Thread> => {
      const params = { path: { id }, query: { around: messageId } };
      const read = await api.GET('/api/conversations/{id}', { params });
      return threadOf(read.data as ConversationThread, read.response);
    },
  });

/** Loads the page before the first message; the rest of the cache stays. */
export async function fetchOlder(
  queryClient: QueryClient,
  id: string,
  queryKey: QueryKey = threadKey(id),
): Promise<void> {
  const from = queryClient.getQueryData<Thread>(queryKey)?.older;
  if (!from) return;
  const page = await followThread(from);
  updateCached<Thread>(queryClient, queryKey, (thread) =>
    thread.older === from
      ? { ...thread, messages: [...page.messages, ...thread.messages], older: page.older }
      : thread,
  );
}

export function hasMessage(queryClient: QueryClient, conversationId: string, messageId: string): boolean {
  const thread = queryClient.getQueryData<Thread>(threadKey(conversationId));
  return thread?.messages.some(({ id }) => id === messageId) ?? false;
}

/** Refetches the first page of every active list, which has the newest items; the rest of a long list stays. */
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
  // Refetches the whole list if it has one page, is invalidated, or is being fetched.
  if (!query.isActive() || !isLong || isInvalidated || isOnItsWay()) return whole();
  const page = await readPage(api.GET('/api/conversations', { params: { query: filter } })).catch(() => null);
  // A failed first page invalidates the whole list, which is then retried.
  if (!page) return whole();
  // The cache may have changed meanwhile, or a running fetch may overwrite this page.
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

/** Updates the lists that contain a matching conversation. */
export function changeLists(
  queryClient: QueryClient,
  isMeant: (conversation: Conversation) => boolean,
  change: (list: List) => List | undefined,
): boolean {
  let found = false;
  for (const query of queryClient.getQueryCache().findAll(lists)) {
    const list = query.state.data as List | undefined;
    if (!list || !itemsOf(list).some(isMeant)) continue;
    found = true;
    updateCached(queryClient, query.queryKey, change);
  }
  return found;
}

/** Updates a conversation in its thread and in every list. */
export function conversationChanged(queryClient: QueryClient, now: Conversation): void {
  updateCached<Thread>(queryClient, threadKey(now.id), (thread) => ({ ...thread, conversation: now }));
  const isMeant = ({ id }: Conversation) => id === now.id;
  changeLists(queryClient, isMeant, (list) => mapItems(list, (one) => (isMeant(one) ? now : one)));
}

/** Marks a conversation as read in every list. */
export function conversationRead(queryClient: QueryClient, id: string): void {
  const isMeant = (one: Conversation) => one.id === id && one.unreadCount > 0;
  const read = (list: List) => mapItems(list, (one) => (isMeant(one) ? { ...one, unreadCount: 0 } : one));
  if (changeLists(queryClient, isMeant, read)) void queryClient.invalidateQueries(unreadQuery);
}

/** Appends the member's message to its thread and moves the conversation to the top of the list. */
export function messageSent(queryClient: QueryClient, message: Message): void {
  const { queryKey } = threadQuery(message.conversationId);
  const was = queryClient.getQueryData(queryKey)?.conversation;
  const isOnItsWay = queryClient.isFetching({ queryKey, exact: true }) > 0;
  updateCached<Thread>(queryClient, queryKey, (thread) =>
    !thread.messages.some(({ id }) => id === message.id)
      ? { ...thread, messages: [...thread.messages, message] }
      : thread,
  );
  // The response may be older than the message, and would hide it: the thread is requested again.
  if (isOnItsWay) void queryClient.invalidateQueries({ queryKey, exact: true });
  const isMeant = ({ id }: Conversation) => id === message.conversationId;
  const listed = changeLists(queryClient, isMeant, (list) => {
    const [one] = itemsOf(list).filter(isMeant);
    const rest = keepItems(list, (other) => !isMeant(other));
    const { content: lastMessage, createdAt: lastMessageAt } = message;
    const newest = { lastMessage, lastMessageAt, lastMessageDeleted: false, lastSystemLine: null };
    const lastSender = message.sender ?? null;
    return one && rest && withFirst(rest, [{ ...one, ...newest, lastSender, unreadCount: 0 }]);
  });
  // A first message adds the conversation to the list; an answer to a request moves it to the inbox.
  if (!listed || was?.folder === 'requests') void refetchConversations(queryClient, message.conversationId);
}

/** Refetches after a conversation was added, removed, or moved between folders. */
export function refetchConversations(queryClient: QueryClient, id: string): Promise<unknown> {
  return Promise.all([
    queryClient.invalidateQueries(lists),
    queryClient.invalidateQueries({ queryKey: threadKey(id) }),
    queryClient.invalidateQueries(unreadQuery),
  ]);
}

/** Removes the conversation from the lists until it has a new message. */
export function conversationGone(queryClient: QueryClient, id: string): void {
  const isMeant = (one: Conversation) => one.id === id;
  changeLists(queryClient, isMeant, (list) => keepItems(list, (one) => !isMeant(one)));
  void queryClient.invalidateQueries({ queryKey: threadKey(id), refetchType: 'none' });
}

/** Closes the conversations with a member who is now blocked; messaging consumes the fact a moment later. */
export function conversationsClosed(queryClient: QueryClient, memberId: string): void {
  const isMeant = ({ otherUser }: Conversation) => otherUser?.id === memberId;
  changeLists(queryClient, isMeant, (list) => keepItems(list, (one) => !isMeant(one)));
  for (const query of queryClient.getQueryCache().findAll({ queryKey: ['/api/conversations', 'one'] })) {
    const thread = query.state.data as Thread | undefined;
    // The members of a group are stored below its thread.
    if (!thread?.conversation) continue;
    // A group hides the messages of the member; the loaded older pages may contain some.
    if (thread.conversation.group) void queryClient.resetQueries({ queryKey: query.queryKey, exact: true });
    if (!isMeant(thread.conversation)) continue;
    query.setState({ data: undefined, status: 'error', error: new Error('blocked'), fetchStatus: 'idle' });
  }
}
