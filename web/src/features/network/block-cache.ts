// Removes data from the cache when two members stop seeing each other, and fetches it when they see each other again.
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
import type { Activity, Comment, MemberLike, Person, Post } from '@/api/schema.gen';
import { foundKey } from '@/api/search';
import { cacheConnection, removeConnection, removeSuggestion } from './connection-cache';

const posts = { queryKey: ['/api/posts'] };
const members = { queryKey: ['/api/users'] };

/**
 * Removes the member from everything on screen. Feed and profile learn of a block a moment later, so their cached data
 * is changed here and refetched on the next use. The lists of social-graph are refetched at once.
 */
export async function memberBlocked(queryClient: QueryClient, me: string, other: string): Promise<void> {
  // A running fetch does not contain the block.
  await Promise.all([queryClient.cancelQueries(posts), queryClient.cancelQueries(profileQuery(other))]);
  cacheConnection(queryClient, me, other, null);
  removeSuggestion(queryClient, me, other);
  removeConnection(queryClient, me, other);
  conversationsClosed(queryClient, other);
  markNotFound(queryClient.getQueryCache().find(profileQuery(other)));
  queryClient.setQueriesData<People>({ queryKey: foundKey('people') }, (people) =>
    keepItems(people, ({ id }) => id !== other),
  );
  for (const query of queryClient.getQueryCache().findAll(posts)) removeMember(query, other);
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
type Item = Post | Comment | MemberLike | Activity;
/** The data under the key prefix of posts: lists, one post or comment, replies, likes, and the activity of a member. */
type CachedPosts = InfiniteData<Page<Item>> | Post | Comment | undefined;

function removeMember(query: Query, other: string): void {
  const cached = query.state.data as CachedPosts;
  if (!cached) return;
  const quiet = (item: Item): Item =>
    'comments' in item ? { ...item, comments: item.comments.filter(({ user }) => user.id !== other) } : item;
  if ('pages' in cached)
    query.setData(
      mapItems(
        keepItems(cached, (item) => authorOf(item) !== other),
        quiet,
      ),
    );
  else if (cached.user.id === other) markNotFound(query);
  else query.setData(quiet(cached));
}

function authorOf(item: Item): string {
  return 'user' in item ? item.user.id : item.post.author.id;
}

/** Sets the state that the server will return from now on: not found. */
function markNotFound(query: Query | undefined): void {
  query?.setState({ data: undefined, status: 'error', error: new Error('blocked'), fetchStatus: 'idle' });
}
