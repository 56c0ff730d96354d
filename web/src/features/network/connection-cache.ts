// Cache updates of the connection between two members, and of the dependent lists (specification, section 7).
import type { QueryClient } from '@tanstack/react-query';
import { conversationLists } from '@/api/conversations';
import { keepItems } from '@/api/pages';
import {
  connectionQuery,
  connectionsQuery,
  pendingRequestsQuery,
  profileQuery,
  suggestionsQuery,
} from '@/api/queries';
import type { Connection } from '@/api/schema.gen';

/** Refetches the suggestions after a request. A request against a pending request of the other is a connection at once. */
export function requestSent(queryClient: QueryClient, me: string, connection: Connection): Promise<unknown> {
  const other = otherOf(connection, me);
  cacheConnection(queryClient, me, other, connection);
  removeSuggestion(queryClient, me, other);
  return Promise.all([
    queryClient.invalidateQueries(suggestionsQuery(me)),
    ...(connection.status === 'accepted' ? listsOf(queryClient, me) : []),
  ]);
}

/** Refetches connections and requests after a request was accepted or ignored. */
export function requestAnswered(
  queryClient: QueryClient,
  me: string,
  connection: Connection,
): Promise<unknown> {
  const other = otherOf(connection, me);
  cacheConnection(queryClient, me, other, connection);
  // The request is no longer pending, even if the refetch fails.
  queryClient.setQueryData(pendingRequestsQuery(me).queryKey, (requests) =>
    keepItems(requests, ({ id }) => id !== connection.id),
  );
  // An accepted connection creates a conversation.
  if (connection.status === 'accepted') void queryClient.invalidateQueries({ queryKey: conversationLists });
  return Promise.all(listsOf(queryClient, me));
}

/** Applies a withdrawn request or a removed connection: the two may be suggested again. */
export function connectionEnded(
  queryClient: QueryClient,
  me: string,
  connection: Connection,
): Promise<unknown> {
  const other = otherOf(connection, me);
  cacheConnection(queryClient, me, other, null);
  removeConnection(queryClient, me, other);
  return Promise.all([...listsOf(queryClient, me), queryClient.invalidateQueries(suggestionsQuery(me))]);
}

/** Removes an ignored suggestion and fetches the next one. */
export function suggestionIgnored(queryClient: QueryClient, me: string, other: string): Promise<unknown> {
  removeSuggestion(queryClient, me, other);
  return queryClient.invalidateQueries(suggestionsQuery(me));
}

/** Removes a suggestion at once, even if the refetch fails. */
export function removeSuggestion(queryClient: QueryClient, me: string, other: string): void {
  queryClient.setQueryData(
    suggestionsQuery(me).queryKey,
    (page) => page && { ...page, items: page.items.filter(({ id }) => id !== other) },
  );
}

/** Removes the member from connections and pending requests, before the server responds. */
export function removeConnection(queryClient: QueryClient, me: string, other: string): void {
  queryClient.setQueryData(connectionsQuery(me).queryKey, (connections) =>
    keepItems(connections, (one) => otherOf(one, me) !== other),
  );
  queryClient.setQueryData(pendingRequestsQuery(me).queryKey, (requests) =>
    keepItems(requests, ({ requesterId }) => requesterId !== other),
  );
}

function otherOf({ requesterId, recipientId }: Connection, me: string): string {
  return requesterId === me ? recipientId : requesterId;
}

/** Caches the connection. Profile learns of it a moment later, so its counter is updated here. */
export function cacheConnection(
  queryClient: QueryClient,
  me: string,
  other: string,
  now: Connection | null,
): void {
  const { queryKey } = connectionQuery(me, other);
  const was = queryClient.getQueryData(queryKey);
  queryClient.setQueryData(queryKey, now);
  const change = Number(now?.status === 'accepted') - Number(was?.status === 'accepted');
  if (change === 0) return;
  queryClient.setQueryData(
    profileQuery(me).queryKey,
    (view) =>
      view?.stats && {
        ...view,
        stats: { ...view.stats, connections: Math.max(0, view.stats.connections + change) },
      },
  );
}

/** Refetches connections and requests; social-graph owns both. */
function listsOf(queryClient: QueryClient, me: string): Promise<unknown>[] {
  return [
    queryClient.invalidateQueries(pendingRequestsQuery(me)),
    queryClient.invalidateQueries(connectionsQuery(me)),
  ];
}
