// One post in every cached list: reads it again and replaces it in place, so that no list moves.
import type { InfiniteData, Query, QueryClient } from '@tanstack/react-query';
import { api, type Page, readPage } from './client';
import { isUnknown } from './error';
import { updateWaiting, waitingPost } from './new-posts';
import { itemsOf, keepItems, mapItems } from './pages';
import { postQuery } from './queries';
import { updateCached } from './refetch-policy';
import { mutationsOf, reread } from './reread';
import { savedLists } from './saved';
import type { Post, SavedItem } from './schema.gen';
import { foundKey } from './search';

type Pages<Item> = InfiniteData<Page<Item>>;

/** Lists of posts, and one post; the other queries with this key prefix have other items. */
const isOfPosts = ({ queryKey: [, second] }: Query) => second === undefined || typeof second === 'object';
const posts = { queryKey: ['/api/posts'], predicate: isOfPosts };
const foundPosts = { queryKey: foundKey('posts') };
const savedItems = { queryKey: savedLists };
function queriesWith(queryClient: QueryClient, id: string): { lists: Query[]; saved: Query[]; one?: Query } {
  const cache = queryClient.getQueryCache();
  const has = ({ state }: Query) =>
    itemsOf(state.data as Pages<Post> | undefined).some((post) => post.id === id);
  const hasSaved = ({ state }: Query) =>
    itemsOf(state.data as Pages<SavedItem> | undefined).some(({ post }) => post?.id === id);
  return {
    lists: [...cache.findAll(posts), ...cache.findAll(foundPosts)].filter(has),
    saved: cache.findAll(savedItems).filter(hasSaved),
    one: cache.find({ queryKey: postQuery(id).queryKey }),
  };
}

/** The cached post, in the form of a list or of its page. */
export function cachedPost(queryClient: QueryClient, id: string): Post | undefined {
  const { lists, one } = queriesWith(queryClient, id);
  const [list] = lists;
  return (
    (one?.state.data as Post | undefined) ??
    itemsOf(list?.state.data as Pages<Post> | undefined).find((post) => post.id === id)
  );
}

/** Reads a post again and updates it wherever it is cached. A post that is gone disappears. */
export async function rereadPost(queryClient: QueryClient, id: string): Promise<void> {
  // A running fetch may have read the state before the change, and would overwrite this one.
  const running = [
    ...queryClient.getQueryCache().findAll({ queryKey: ['/api/posts'], fetchStatus: 'fetching' }),
  ];
  await Promise.allSettled(running.map((query) => query.promise));
  if (!isCached(queryClient, id)) return;
  try {
    const { data } = await reread(queryClient, mutationsOf('post', id), () =>
      api.GET('/api/posts/{id}', { params: { path: { id } } }),
    );
    if (data) await replacePost(queryClient, data);
  } catch (error) {
    if (isUnknown(error)) removePost(queryClient, id);
    // Read again on the next use.
    else await queryClient.invalidateQueries({ ...posts, refetchType: 'none' });
  }
}

function isCached(queryClient: QueryClient, id: string): boolean {
  const { lists, saved, one } = queriesWith(queryClient, id);
  return (
    lists.length > 0 ||
    saved.length > 0 ||
    one?.state.data !== undefined ||
    waitingPost(queryClient, id) !== undefined
  );
}

async function replacePost(queryClient: QueryClient, fresh: Post): Promise<void> {
  const { id } = fresh;
  const { lists, saved } = queriesWith(queryClient, id);
  const listed = [
    ...lists.flatMap(({ state }) => itemsOf(state.data as Pages<Post>)),
    ...saved.flatMap(({ state }) =>
      itemsOf(state.data as Pages<SavedItem>).flatMap(({ post }) => post ?? []),
    ),
    waitingPost(queryClient, id),
  ].find((post) => post?.id === id);
  const excerpt = listed ? await excerptOf(listed, fresh) : '';
  const replaced = (post: Post): Post => (post.id === id ? inList(post, fresh, excerpt) : post);
  updateWaiting(queryClient, replaced);
  updateCached<Post>(queryClient, postQuery(id).queryKey, () => fresh);
  for (const { queryKey } of lists)
    updateCached<Pages<Post>>(queryClient, queryKey, (list) => mapItems(list, replaced));
  for (const { queryKey } of saved)
    updateCached<Pages<SavedItem>>(queryClient, queryKey, (list) =>
      mapItems(list, (item) => (item.post ? { ...item, post: replaced(item.post) } : item)),
    );
}

/** A list has the beginning of an article as plain text, a single post the whole Markdown. */
function inList(listed: Post, fresh: Post, excerpt: string): Post {
  const repost = fresh.repost?.title
    ? { ...fresh.repost, content: listed.repost?.content ?? null }
    : fresh.repost;
  return { ...fresh, repost, content: fresh.title ? excerpt : fresh.content };
}

/** The beginning of an edited article is in the list of its author. */
async function excerptOf(listed: Post, fresh: Post): Promise<string> {
  if (!fresh.title || listed.editedAt === fresh.editedAt) return listed.content;
  const query = fresh.community ? { communityId: fresh.community.id } : { userId: fresh.user.id };
  const page = await readPage(api.GET('/api/posts', { params: { query } })).catch(() => null);
  return page?.items.find(({ id }) => id === fresh.id)?.content ?? listed.content;
}

/** Removes a deleted post, or one that the member may no longer see. */
function removePost(queryClient: QueryClient, id: string): void {
  updateWaiting(queryClient, (post) => (post.id === id ? null : post));
  const { lists, saved, one } = queriesWith(queryClient, id);
  for (const { queryKey } of lists)
    updateCached<Pages<Post>>(queryClient, queryKey, (list) => keepItems(list, (post) => post.id !== id));
  for (const { queryKey } of saved)
    updateCached<Pages<SavedItem>>(queryClient, queryKey, (list) =>
      keepItems(list, ({ post }) => post?.id !== id),
    );
  // Its page shows that it is gone, with the answer of the gateway.
  if (one) void queryClient.resetQueries({ queryKey: one.queryKey, exact: true });
}

/** The newest comments are part of the post. All of them, replies and reactions are queries of their own below its key. */
export async function rereadComments(queryClient: QueryClient, id: string): Promise<void> {
  const { queryKey } = postQuery(id);
  await Promise.all([
    rereadPost(queryClient, id),
    queryClient.invalidateQueries({
      queryKey,
      predicate: (query) => query.queryKey.length > queryKey.length,
    }),
  ]);
}
