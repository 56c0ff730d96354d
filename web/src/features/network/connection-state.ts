// What the client knows about two members changes: the lookup, and the lists that follow from it (specification, section 7).
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
import type { Connection } from '@/api/types';

/** A request was sent: the suggestions are fetched anew. One that met the other's own request is a connection at once. */
export function requestSent(queryClient: QueryClient, me: string, connection: Connection): Promise<unknown> {
  const other = otherOf(connection, me);
  remember(queryClient, me, other, connection);
  noLongerSuggested(queryClient, me, other);
  return Promise.all([
    queryClient.invalidateQueries(suggestionsQuery(me)),
    ...(connection.status === 'accepted' ? listsOf(queryClient, me) : []),
  ]);
}

/** A request was accepted or ignored: both lists are fetched anew. */
export function requestAnswered(
  queryClient: QueryClient,
  me: string,
  connection: Connection,
): Promise<unknown> {
  const other = otherOf(connection, me);
  remember(queryClient, me, other, connection);
  // Answered: it waits no more, whatever becomes of the question that follows.
  queryClient.setQueryData(pendingRequestsQuery(me).queryKey, (requests) =>
    keepItems(requests, ({ id }) => id !== connection.id),
  );
  // Two who are connected have a conversation.
  if (connection.status === 'accepted') void queryClient.invalidateQueries({ queryKey: conversationLists });
  return Promise.all(listsOf(queryClient, me));
}

/** A request was withdrawn, or a connection removed: nothing stands between the two, who may be suggested again. */
export function connectionEnded(
  queryClient: QueryClient,
  me: string,
  connection: Connection,
): Promise<unknown> {
  const other = otherOf(connection, me);
  remember(queryClient, me, other, null);
  forgetConnection(queryClient, me, other);
  return Promise.all([...listsOf(queryClient, me), queryClient.invalidateQueries(suggestionsQuery(me))]);
}

/** The member is not suggested any more; the next one takes the place. */
export function suggestionIgnored(queryClient: QueryClient, me: string, other: string): Promise<unknown> {
  noLongerSuggested(queryClient, me, other);
  return queryClient.invalidateQueries(suggestionsQuery(me));
}

/** Out of the list at once, also where fetching it anew should fail. */
export function noLongerSuggested(queryClient: QueryClient, me: string, other: string): void {
  queryClient.setQueryData(
    suggestionsQuery(me).queryKey,
    (page) => page && { ...page, items: page.items.filter(({ id }) => id !== other) },
  );
}

/** Out of one's connections and of the requests that wait, before the server is asked. */
export function forgetConnection(queryClient: QueryClient, me: string, other: string): void {
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

/** The lookup is what is remembered; profile hears of a connection a moment later, so its counter is moved here. */
export function remember(queryClient: QueryClient, me: string, other: string, now: Connection | null): void {
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

/** Connections and requests, both of which the graph itself answers. */
function listsOf(queryClient: QueryClient, me: string): Promise<unknown>[] {
  return [
    queryClient.invalidateQueries(pendingRequestsQuery(me)),
    queryClient.invalidateQueries(connectionsQuery(me)),
  ];
}
