// Search results of one kind, page by page, and suggestions of every kind while the member types.
import { type InfiniteData, infiniteQueryOptions, type QueryKey, queryOptions } from '@tanstack/react-query';
import { api, follow, nextOf, type Page, read } from './client';
import { whileDegraded } from './degradation';
import type { SearchResults, SearchType } from './schema.gen';

/** In the order of the tabs. */
export const searchKinds = [
  'people',
  'posts',
  'communities',
  'resources',
  'jobs',
  'news',
] as const satisfies SearchType[];

export type Found<Kind extends SearchType> = NonNullable<SearchResults[Kind]>[number];

/** A page of results, best first, with the word prefixes that matched. */
export interface FoundPage<Item> extends Page<Item> {
  terms: string[];
}

/** Results have the key prefix of their kind, so that an update of an item also updates it in the results. */
const keys: Record<SearchType, string> = {
  people: '/api/users',
  posts: '/api/posts',
  communities: '/api/communities',
  resources: '/api/resources',
  jobs: '/api/jobs',
  news: '/api/news',
};

export const foundKey = (kind: SearchType): QueryKey => [keys[kind], 'found'];

/** Every search is fetched again. */
export const foundQuery = <Kind extends SearchType>(kind: Kind, q: string) =>
  infiniteQueryOptions({
    queryKey: [...foundKey(kind), q],
    queryFn: async ({ pageParam, signal }): Promise<FoundPage<Found<Kind>>> => {
      if (pageParam) {
        const response = await follow(pageParam);
        return pageOf(kind, (await response.json()) as SearchResults, response);
      }
      const params = { query: { q, type: kind } };
      const { data, response } = await api.GET('/api/search', { params, signal });
      return pageOf(kind, data as SearchResults, response);
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    ...whileDegraded,
    staleTime: 0,
    retryOnMount: true,
  });

function pageOf<Kind extends SearchType>(
  kind: Kind,
  answer: SearchResults,
  response: Response,
): FoundPage<Found<Kind>> {
  const items = (answer[kind] ?? []) as Found<Kind>[];
  const degraded = answer[kind] === null || response.headers.has('X-Degraded');
  return { items, next: nextOf(response), total: null, degraded, terms: answer.terms };
}

/** The word prefixes to mark in all loaded pages. */
export function termsOf<Item>(found: InfiniteData<FoundPage<Item>> | undefined): string[] {
  return found?.pages.flatMap(({ terms }) => terms) ?? [];
}

/** The number of members that the command palette shows. */
const peopleShown = 5;

/** Members for the command palette, best first. An obsolete request is aborted. */
export const peopleQuery = (q: string) =>
  queryOptions({
    queryKey: ['/api/search', 'people', q],
    queryFn: async ({ signal }) => {
      const query = { q, type: 'people' as const, limit: peopleShown };
      return (await read(api.GET('/api/search', { params: { query }, signal }))).people ?? [];
    },
    staleTime: 0,
    retryOnMount: true,
  });

/** The number of suggestions per kind. */
const suggested = 2;

/** An obsolete request is aborted. */
export const suggestQuery = (q: string) =>
  queryOptions({
    queryKey: ['/api/search', 'suggested', q],
    queryFn: ({ signal }) =>
      read(api.GET('/api/search', { params: { query: { q, limit: suggested } }, signal })),
    staleTime: 0,
    retryOnMount: true,
  });
