// New posts that wait until the member asks for them: a list never moves by itself.
import {
  type InfiniteData,
  type QueryClient,
  type QueryKey,
  queryOptions,
  skipToken,
} from '@tanstack/react-query';
import { api, type Page, readPage } from './client';
import { itemsOf } from './pages';
import type { PostFilter } from './queries';
import { updateCached } from './refetch-policy';
import type { FeedKind, Post } from './schema.gen';

/**
 * A list with new posts: `feed`, `community:{id}` or `member:{id}` (their posts) as in the live event, a feed of the member, or
 * the posts with a topic.
 */
export type PostListName =
  | 'feed'
  | `community:${string}`
  | `member:${string}`
  | `feed:${FeedKind}`
  | `topic:${string}`;

type Posts = InfiniteData<Page<Post>>;

/** The part after the path in the query key of a list. */
type ListFilter = PostFilter & { topic?: string };

/** Whether new public posts may be in this list. */
export const hasPublicPosts = (list: PostListName): boolean =>
  !/^(community|member):/.test(list) && list !== 'feed:community';

/** Whether new posts of a community are in this feed. */
export const hasCommunities = (list: PostListName): boolean =>
  list === 'feed:following' || list === 'feed:community';

/** The key of mutations that publish a post: it is in the lists of this tab when they are read again. */
export const publishKey = ['publish post'];

export interface NewPosts {
  /** The earliest creation of a new post, by the clock of the server. */
  since: string;
  /** The newest page, without older posts. */
  page: Page<Post>;
  /** Every post of the page is new, and another page follows: it may have more. */
  more: boolean;
}

const newPostsLists = { queryKey: ['/api/new-posts'] };

/** The new posts of a list; null before any are looked for, and after they are shown. Filled by `findNewPosts`. */
export const newPostsQuery = (list: PostListName) =>
  queryOptions<NewPosts | null>({
    queryKey: [...newPostsLists.queryKey, list],
    queryFn: skipToken,
    initialData: null,
  });
function readNewest(list: PostListName): Promise<Page<Post>> {
  const [kind, name = ''] = list.split(/:(.*)/s);
  if (kind === 'topic')
    return readPage(api.GET('/api/topics/{topic}/posts', { params: { path: { topic: name } } }));
  const query = (): PostFilter => {
    if (kind === 'community') return { communityId: name };
    if (kind === 'member') return { userId: name };
    return name ? { feed: name as FeedKind } : { sort: 'recent' };
  };
  return readPage(api.GET('/api/posts', { params: { query: query() } }));
}

/**
 * Reads the newest posts of a list and keeps the posts created at or after `since`. Returns the number of posts that
 * the list on screen does not show.
 */
export async function findNewPosts(
  queryClient: QueryClient,
  list: PostListName,
  since: string,
): Promise<number> {
  const { queryKey } = newPostsQuery(list);
  const page = await readNewest(list);
  const before = queryClient.getQueryData(queryKey)?.since;
  const earliest = before && Date.parse(before) < Date.parse(since) ? before : since;
  const items = page.items.filter(({ createdAt }) => Date.parse(createdAt) >= Date.parse(earliest));
  const more = page.next !== null && items.length === page.items.length;
  const found: NewPosts = { since: earliest, page: { ...page, items }, more };
  queryClient.setQueryData(queryKey, found);
  const shown = activeLists(queryClient).find((one) => one.list === list)?.state.data;
  const cached = new Set(itemsOf(shown).map(({ id }) => id));
  return items.filter(({ id }) => !cached.has(id)).length;
}

type WaitingPosts = NewPosts | null | undefined;

/** The post if it waits for the press of a button. */
export const waitingPost = (queryClient: QueryClient, id: string): Post | undefined =>
  queryClient
    .getQueriesData<WaitingPosts>(newPostsLists)
    .flatMap(([, waiting]) => waiting?.page.items ?? [])
    .find((post) => post.id === id);

/** Replaces the posts that wait; null removes one. */
export function updateWaiting(queryClient: QueryClient, update: (post: Post) => Post | null): void {
  queryClient.setQueriesData<WaitingPosts>(
    newPostsLists,
    (waiting) =>
      waiting && {
        ...waiting,
        page: { ...waiting.page, items: waiting.page.items.flatMap((post) => update(post) ?? []) },
      },
  );
}

/** Puts the new posts at the beginning of the list with this key. */
export function showNewPosts(queryClient: QueryClient, list: PostListName, queryKey: QueryKey): void {
  const fresh = queryClient.getQueryData(newPostsQuery(list).queryKey);
  if (!fresh) return;
  const isByTime = (queryKey[1] as ListFilter).sort !== 'relevant';
  updateCached<Posts>(queryClient, queryKey, (posts) => {
    // Between a whole page of new posts and the cached ones there may be others.
    if (fresh.more && isByTime) return { pages: [fresh.page], pageParams: [null] };
    const cached = new Set(itemsOf(posts).map(({ id }) => id));
    const added = fresh.page.items.filter(({ id }) => !cached.has(id));
    const pages = posts.pages.map((page, at) =>
      at === 0 ? { ...page, items: [...added, ...page.items] } : page,
    );
    return { ...posts, pages };
  });
  queryClient.setQueryData(newPostsQuery(list).queryKey, null);
}

/** Milliseconds by which the clock of the device may differ from the server's. */
const skew = 300_000;
/** Milliseconds after which a cached list is old. The stream begins with the new posts of the last five seconds. */
const old = 4_000;

interface ListOnScreen {
  list: PostListName;
  /** New posts are not older. */
  since: string;
  /** It was read on an earlier visit. */
  isOld: boolean;
}

export function listsOnScreen(queryClient: QueryClient): ListOnScreen[] {
  return activeLists(queryClient).flatMap(({ list, state }) => {
    const times = itemsOf(state.data).map(({ createdAt }) => Date.parse(createdAt));
    if (times.length === 0) return [];
    const since = Math.max(Math.max(...times) + 1, state.dataUpdatedAt - skew);
    return [{ list, since: new Date(since).toISOString(), isOld: state.dataUpdatedAt < Date.now() - old }];
  });
}

/** The lists that a screen shows, or waits for. */
export const shownLists = (queryClient: QueryClient): PostListName[] =>
  activeLists(queryClient).map(({ list }) => list);

function activeLists(queryClient: QueryClient) {
  const active = queryClient.getQueryCache().findAll({ queryKey: ['/api/posts'], type: 'active' });
  return active.flatMap(({ queryKey: [, filter], state }) => {
    const list = typeof filter === 'object' && filter !== null ? listOf(filter) : null;
    return list ? [{ list, state: state as typeof state & { data?: Posts } }] : [];
  });
}

/** The list with this filter; null for one whose new posts do not wait. */
export function listOf({ sort, feed, userId, communityId, topic }: ListFilter): PostListName | null {
  if (sort === 'top') return null;
  if (userId) return `member:${userId}`;
  if (topic) return `topic:${topic}`;
  if (communityId) return `community:${communityId}`;
  return feed ? `feed:${feed}` : 'feed';
}
