// What the client forgets when two members stop seeing each other, and asks again when they do.
import type { InfiniteData, Query, QueryClient } from '@tanstack/react-query';
import type { Page } from '@/api/client';
import { conversationLists, conversationsClosed } from '@/api/conversations';
import { keepItems, mapItems } from '@/api/pages';
import {
  blocksQuery,
  connectionQuery,
  connectionsQuery,
  pendingRequestsQuery,
  profileQuery,
  suggestionsQuery,
} from '@/api/queries';
import { foundKey } from '@/api/search';
import type { Activity, Comment, Person, Post } from '@/api/types';
import { forgetConnection, noLongerSuggested, remember } from './connection-state';

const posts = { queryKey: ['/api/posts'] };
const members = { queryKey: ['/api/users'] };

/**
 * Removes the member from everything on screen. Feed and profile learn of a block a moment later, so their cached data
 * is changed here and refetched on the next use. The lists of social-graph are refetched at once.
 */
export async function memberBlocked(queryClient: QueryClient, me: string, other: string): Promise<void> {
  // A running fetch does not contain the block.
  await Promise.all([queryClient.cancelQueries(posts), queryClient.cancelQueries(profileQuery(other))]);
  remember(queryClient, me, other, null);
  noLongerSuggested(queryClient, me, other);
  forgetConnection(queryClient, me, other);
  conversationsClosed(queryClient, other);
  close(queryClient.getQueryCache().find(profileQuery(other)));
  queryClient.setQueriesData<People>({ queryKey: foundKey('people') }, (people) =>
    keepItems(people, ({ id }) => id !== other),
  );
  for (const query of queryClient.getQueryCache().findAll(posts)) forget(query, other);
  await queryClient.invalidateQueries({ ...posts, refetchType: 'none' });
  await queryClient.invalidateQueries({ ...members, refetchType: 'none' });
  await Promise.all(graphLists(queryClient, me));
}

/** Refetches everything that may contain the member again. */
export function memberUnblocked(queryClient: QueryClient, me: string, other: string): Promise<unknown> {
  queryClient.setQueryData(blocksQuery.queryKey, (blocks) =>
    keepItems(blocks, ({ user }) => user.id !== other),
  );
  return Promise.all([
    queryClient.resetQueries(profileQuery(other)),
    queryClient.resetQueries(connectionQuery(me, other)),
    queryClient.invalidateQueries(posts),
    queryClient.invalidateQueries({ ...members, refetchType: 'none' }),
    queryClient.invalidateQueries({ queryKey: conversationLists }),
    ...graphLists(queryClient, me),
  ]);
}

function graphLists(queryClient: QueryClient, me: string): Promise<unknown>[] {
  const keys = [suggestionsQuery(me), connectionsQuery(me), pendingRequestsQuery(me), blocksQuery];
  return [...keys.map(({ queryKey }) => queryKey), ['/api/communities'], ['/api/events']].map((queryKey) =>
    queryClient.invalidateQueries({ queryKey }),
  );
}

type People = Parameters<typeof keepItems<Person>>[0];
type Item = Post | Comment | Activity;
/** The data under the key prefix of posts: lists, one post, its comments, and the activity of a member. */
type Kept = InfiniteData<Page<Item>> | Post | undefined;

function forget(query: Query, other: string): void {
  const kept = query.state.data as Kept;
  if (!kept) return;
  const quiet = (item: Item): Item =>
    'comments' in item ? { ...item, comments: item.comments.filter(({ user }) => user.id !== other) } : item;
  if ('pages' in kept)
    query.setData(
      mapItems(
        keepItems(kept, (item) => authorOf(item) !== other),
        quiet,
      ),
    );
  else if (kept.user.id === other) close(query);
  else query.setData(quiet(kept));
}

function authorOf(item: Item): string {
  return 'user' in item ? item.user.id : item.post.author.id;
}

/** Sets the state that the server will return from now on: not found. */
function close(query: Query | undefined): void {
  query?.setState({ data: undefined, status: 'error', error: new Error('blocked'), fetchStatus: 'idle' });
}
