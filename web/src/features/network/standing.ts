// What the client knows about two members changes: the lookup, and the lists that follow from it (specification, section 7).
import type { QueryClient } from '@tanstack/react-query';
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
  remember(queryClient, me, connection);
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
  remember(queryClient, me, connection);
  return Promise.all(listsOf(queryClient, me));
}

function remember(queryClient: QueryClient, me: string, connection: Connection) {
  const { requesterId, recipientId } = connection;
  const other = requesterId === me ? recipientId : requesterId;
  queryClient.setQueryData(connectionQuery(me, other).queryKey, connection);
}

/** Connections and requests, and the profile that carries one's counters. */
function listsOf(queryClient: QueryClient, me: string): Promise<unknown>[] {
  return [
    queryClient.invalidateQueries(pendingRequestsQuery(me)),
    queryClient.invalidateQueries(connectionsQuery(me)),
    queryClient.invalidateQueries(profileQuery(me)),
  ];
}
