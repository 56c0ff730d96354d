// Search results: the best of every kind, those of one kind page by page, and suggestions while the member types.
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
  'events',
  'topics',
] as const satisfies SearchType[];

/** A tab: one kind, or the best of every kind. */
export type SearchKind = SearchType | 'all';

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
  events: '/api/events',
  topics: '/api/topics',
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

/** The best results of one kind in a search of all kinds, in the form of a list with one page. Under the key of the kind's results. */
export const bestKey = (kind: SearchType, q: string): QueryKey => [...foundKey(kind), q, 'best'];

/** The best results of one kind. Never fetched: `bestQuery` writes them. */
export const bestOfQuery = <Kind extends SearchType>(kind: Kind, q: string) =>
  infiniteQueryOptions({
    queryKey: bestKey(kind, q),
    queryFn: (): Promise<FoundPage<Found<Kind>>> => Promise.reject(new Error('This query is written')),
    initialPageParam: null as string | null,
    getNextPageParam: () => null,
    enabled: false,
  });

/** The outcome of a search of all kinds. */
export interface Best {
  /** The kinds with results. */
  found: SearchType[];
  /** A service did not respond, so that all results of a kind are missing. */
  incomplete: boolean;
  degraded: boolean;
}

/** The best results of every kind, from one request. Writes those of each kind where updates of its items find them. */
export const bestQuery = (q: string) =>
  queryOptions({
    queryKey: ['/api/search', 'best', q],
    queryFn: async ({ client, signal }): Promise<Best> => {
      const { data, response } = await api.GET('/api/search', { params: { query: { q } }, signal });
      const answer = data as SearchResults;
      for (const kind of searchKinds) {
        const page = pageOf(kind, answer, response);
        client.setQueryData(bestKey(kind, q), { pages: [page], pageParams: [null] });
      }
      return {
        found: searchKinds.filter((kind) => answer[kind]?.length),
        incomplete: searchKinds.some((kind) => answer[kind] === null),
        degraded: response.headers.has('X-Degraded'),
      };
    },
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

/** The number of suggestions per kind below the search box, and in the command palette. */
const suggested = 2;
export const suggestedInPalette = 5;

/** An obsolete request is aborted. */
export const suggestQuery = (q: string, limit = suggested) =>
  queryOptions({
    queryKey: ['/api/search', 'suggested', limit, q],
    queryFn: ({ signal }) => read(api.GET('/api/search', { params: { query: { q, limit } }, signal })),
    staleTime: 0,
    retryOnMount: true,
  });
