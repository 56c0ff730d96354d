// A single message: read again after a change and updated in place in every cached thread and list; and the search.
import { infiniteQueryOptions, type QueryClient } from '@tanstack/react-query';
import { api, followPage, type Page, read, readPage } from './client';
import { changeLists, conversationLists, type Thread, threadKey } from './conversations';
import { isUnknown } from './error';
import { itemsOf, mapItems } from './pages';
import { updateCached } from './refetch-policy';
import type { Conversation, FoundMessage, Message, MessageReactionKind } from './schema.gen';

/** In the order of the server. */
export const messageReactionKinds = [
  'like',
  'love',
  'laugh',
  'wow',
  'sad',
  'thanks',
] as const satisfies MessageReactionKind[];
const quoteLength = 200;

/** The cached threads of a conversation: its loaded part, and pages around single messages. */
function threadKeys(queryClient: QueryClient, conversationId: string) {
  const around = { queryKey: ['/api/conversations', 'around', conversationId] };
  const pages = queryClient.getQueryCache().findAll(around);
  return [threadKey(conversationId), ...pages.map(({ queryKey }) => queryKey)];
}

/** Updates a message, its quotes, and the lists if it is the newest one. */
export function messageChanged(queryClient: QueryClient, now: Message): void {
  const content = now.deleted ? null : now.content.slice(0, quoteLength);
  const update = (one: Message): Message => {
    if (one.id === now.id) return now;
    return one.replyTo?.id === now.id ? { ...one, replyTo: { ...one.replyTo, content } } : one;
  };
  for (const key of threadKeys(queryClient, now.conversationId))
    updateCached<Thread>(queryClient, key, (thread) => ({
      ...thread,
      messages: thread.messages.map(update),
    }));
  const sentAt = Date.parse(now.createdAt);
  const isMeant = ({ id, lastMessageAt }: Conversation) =>
    id === now.conversationId && lastMessageAt !== null && Date.parse(lastMessageAt) === sentAt;
  const last = { lastMessage: now.deleted ? null : now.content, lastMessageDeleted: now.deleted };
  changeLists(queryClient, isMeant, (list) =>
    mapItems(list, (one) => (isMeant(one) ? { ...one, ...last } : one)),
  );
}

/** Reads a message again, if anything of its conversation is cached. */
export async function rereadMessage(
  queryClient: QueryClient,
  conversationId: string,
  messageId: string,
): Promise<void> {
  const isListed = queryClient
    .getQueryCache()
    .findAll({ queryKey: conversationLists })
    .some(({ state }) => itemsOf<Conversation>(state.data as never).some(({ id }) => id === conversationId));
  const keys = threadKeys(queryClient, conversationId);
  if (!isListed && keys.every((key) => queryClient.getQueryData(key) === undefined)) return;
  const params = { path: { id: conversationId, messageId } };
  try {
    const path = '/api/conversations/{id}/messages/{messageId}';
    messageChanged(queryClient, await read<Message>(api.GET(path, { params })));
  } catch (error) {
    // A message that this member cleared is not in any cache.
    if (isUnknown(error)) return;
    void queryClient.invalidateQueries({ queryKey: conversationLists });
    for (const queryKey of keys) void queryClient.invalidateQueries({ queryKey });
  }
}

/** The messages of the member's conversations with all of these words, newest first. Every search is fetched again. */
export const foundMessagesQuery = (search: string) =>
  infiniteQueryOptions({
    queryKey: ['/api/messages', 'found', search] as const,
    queryFn: ({ pageParam, signal }): Promise<Page<FoundMessage>> =>
      pageParam
        ? followPage<FoundMessage>(pageParam)
        : readPage(api.GET('/api/messages', { params: { query: { search } }, signal })),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    staleTime: 0,
    retryOnMount: true,
  });
