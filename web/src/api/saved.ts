// Saved items, and the invalidation of every list with posts.
import type { QueryClient } from '@tanstack/react-query';
import { whileDegraded } from './degradation';
import { pages, query } from './query';
import type { SavedId, SavedKind } from './schema.gen';

/** In the order of the tabs. */
export const savedKinds = ['post', 'job', 'article', 'resource', 'event'] as const satisfies SavedKind[];

/** The key prefix of every list of saved items. */
export const savedLists = ['/api/saved-items', 'list'] as const;

/** Saved items of one kind or of all, newest first. Refetched on every visit. */
export const savedItemsQuery = (kind?: SavedKind) =>
  pages('/api/saved-items', { query: { kind } }, { ...whileDegraded, retryOnMount: true });

/** The ids of all saved items, to mark them on every screen. */
export const savedIdsQuery = query('/api/saved-items/ids');

export const isSaved = (ids: SavedId[] | undefined, { kind, id }: SavedId): boolean =>
  ids?.some((one) => one.kind === kind && one.id === id) ?? false;

/** Refetches every list of posts, including saved posts, after a post or its comments changed. */
export function postsChanged(queryClient: QueryClient): Promise<unknown> {
  return Promise.all([
    queryClient.invalidateQueries({ queryKey: ['/api/posts'] }),
    queryClient.invalidateQueries({ queryKey: savedLists }),
  ]);
}
