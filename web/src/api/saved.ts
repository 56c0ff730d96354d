// Saved items, and the invalidation of every list with posts.
import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { api, followPage, type Page, read, readPage } from './client';
import { whileDegraded } from './degraded';
import type { SavedId, SavedItem, SavedKind } from './types';

/** In the order of the tabs. */
export const savedKinds = ['post', 'job', 'article', 'resource', 'event'] as const satisfies SavedKind[];

/** The key prefix of every list of saved items. */
export const savedLists = ['/api/saved-items', 'list'] as const;

/** Saved items of one kind or of all, newest first. Refetched on every visit. */
export const savedItemsQuery = (kind?: SavedKind) =>
  infiniteQueryOptions({
    queryKey: [...savedLists, { kind }],
    queryFn: ({ pageParam }): Promise<Page<SavedItem>> =>
      pageParam
        ? followPage<SavedItem>(pageParam)
        : readPage(api.GET('/api/saved-items', { params: { query: { ...(kind && { kind }) } } })),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    ...whileDegraded,
    retryOnMount: true,
  });

/** The ids of all saved items, to mark them on every screen. */
export const savedIdsQuery = queryOptions({
  queryKey: ['/api/saved-items', 'ids'],
  queryFn: () => read(api.GET('/api/saved-items/ids')),
});

export const isSaved = (ids: SavedId[] | undefined, { kind, id }: SavedId): boolean =>
  ids?.some((one) => one.kind === kind && one.id === id) ?? false;

/** Refetches every list of posts, including saved posts, after a post or its comments changed. */
export function postsChanged(queryClient: QueryClient): Promise<unknown> {
  return Promise.all([
    queryClient.invalidateQueries({ queryKey: ['/api/posts'] }),
    queryClient.invalidateQueries({ queryKey: savedLists }),
  ]);
}
