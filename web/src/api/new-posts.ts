// New posts that wait until the member asks for them: a list never moves by itself.
import { type InfiniteData, type QueryClient, queryOptions, skipToken } from '@tanstack/react-query';
import { api, type Page, readPage } from './client';
import { itemsOf } from './pages';
import { type PostFilter, postsQuery } from './queries';
import { updateCached } from './refetch-policy';
import type { FeedKind, Post } from './types';

/** A list with new posts: `feed` or `community:{id}` as in the live event, or a feed of the member. */
export type PostListName = 'feed' | `community:${string}` | `feed:${FeedKind}`;

type Posts = InfiniteData<Page<Post>>;

export const memberFeedList = (feed: FeedKind): PostListName => `feed:${feed}`;

/** Whether new posts of a community are in this feed. */
export const hasCommunities = (list: PostListName): boolean =>
  list === 'feed:following' || list === 'feed:community';

export const communityList = (id: string): PostListName => `community:${id}`;

export interface NewPosts {
  /** The earliest creation of a new post, by the clock of the server. */
  since: string;
  /** The newest page, without older posts. */
  page: Page<Post>;
  /** Every post of the page is new, and another page follows: it may have more. */
  more: boolean;
}

/** The new posts of a list; null while there are none. Filled by `findNewPosts`. */
export const newPostsQuery = (list: PostListName) =>
  queryOptions<NewPosts | null>({
    queryKey: ['/api/new-posts', list],
    queryFn: skipToken,
    initialData: null,
  });

const newest = (list: PostListName): PostFilter => {
  if (list.startsWith('feed:')) return { feed: list.slice('feed:'.length) as FeedKind };
  const communityId = list.slice('community:'.length);
  return list === 'feed' ? { sort: 'recent' } : { communityId };
};

/** Reads the newest posts of a list and keeps those created at or after `since`. Returns their number. */
export async function findNewPosts(
  queryClient: QueryClient,
  list: PostListName,
  since: string,
): Promise<number> {
  const { queryKey } = newPostsQuery(list);
  const page = await readPage(api.GET('/api/posts', { params: { query: newest(list) } }));
  const before = queryClient.getQueryData(queryKey)?.since;
  const earliest = before && Date.parse(before) < Date.parse(since) ? before : since;
  const items = page.items.filter(({ createdAt }) => Date.parse(createdAt) >= Date.parse(earliest));
  const more = page.next !== null && items.length === page.items.length;
  const found: NewPosts = { since: earliest, page: { ...page, items }, more };
  queryClient.setQueryData(queryKey, found);
  return items.length;
}

/** Puts the new posts at the beginning of the list. */
export function showNewPosts(queryClient: QueryClient, list: PostListName, filter: PostFilter): void {
  const fresh = queryClient.getQueryData(newPostsQuery(list).queryKey);
  if (!fresh) return;
  const isByTime = filter.sort !== 'relevant';
  updateCached<Posts>(queryClient, postsQuery(filter).queryKey, (posts) => {
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
  const active = queryClient.getQueryCache().findAll({ queryKey: ['/api/posts'], type: 'active' });
  return active.flatMap(({ queryKey: [, filter], state }) => {
    if (typeof filter !== 'object' || filter === null) return [];
    const { sort, feed, userId, communityId } = filter as PostFilter;
    const times = itemsOf(state.data as Posts | undefined).map(({ createdAt }) => Date.parse(createdAt));
    if (userId || sort === 'top' || times.length === 0) return [];
    const since = Math.max(Math.max(...times) + 1, state.dataUpdatedAt - skew);
    return [
      {
        list: communityId ? communityList(communityId) : feed ? memberFeedList(feed) : ('feed' as const),
        since: new Date(since).toISOString(),
        isOld: state.dataUpdatedAt < Date.now() - old,
      },
    ];
  });
}
