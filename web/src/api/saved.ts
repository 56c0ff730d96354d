// What the member keeps for later, and what follows when a post changes wherever it stands.
import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { api, followPage, type Page, read, readPage } from './client';
import type { SavedId, SavedItem, SavedKind } from './types';

/** In the order of the tabs. */
export const savedKinds = ['post', 'job', 'article', 'resource', 'event'] as const satisfies SavedKind[];

/** Every list of what is kept stands below this key. */
export const savedLists = ['/api/saved-items', 'list'] as const;

/** Of one kind or of all, the last kept first. Fetched again whenever it is opened. */
export const savedItemsQuery = (kind?: SavedKind) =>
  infiniteQueryOptions({
    queryKey: [...savedLists, { kind }],
    queryFn: ({ pageParam }): Promise<Page<SavedItem>> =>
      pageParam
        ? followPage<SavedItem>(pageParam)
        : readPage(api.GET('/api/saved-items', { params: { query: { ...(kind && { kind }) } } })),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    retryOnMount: true,
  });

/** All of it by id: what is marked as kept on every screen. */
export const savedIdsQuery = queryOptions({
  queryKey: ['/api/saved-items', 'ids'],
  queryFn: () => read(api.GET('/api/saved-items/ids')),
});

export const isSaved = (ids: SavedId[] | undefined, { kind, id }: SavedId): boolean =>
  ids?.some((one) => one.kind === kind && one.id === id) ?? false;

/** A post says something else, or more is said of it: every list of posts is fetched anew, the kept ones among them. */
export function postsChanged(queryClient: QueryClient): Promise<unknown> {
  return Promise.all([
    queryClient.invalidateQueries({ queryKey: ['/api/posts'] }),
    queryClient.invalidateQueries({ queryKey: savedLists }),
  ]);
}
