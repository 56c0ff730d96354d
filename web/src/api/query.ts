// Query options of a GET, derived from its path and parameters: the key, the request, and the type of the response.
import {
  type InfiniteData,
  infiniteQueryOptions,
  type Query,
  type QueryKey,
  queryOptions,
  type UndefinedInitialDataInfiniteOptions,
  type UndefinedInitialDataOptions,
} from '@tanstack/react-query';
import { api, followPage, type Page, read, readPage } from './client';
import type { paths } from './schema.gen';

interface JsonGet<Answer> {
  get: {
    parameters: { path?: unknown; query?: unknown };
    responses: { 200: { content: { 'application/json': Answer } } };
  };
}

/** The paths whose GET returns such a body. */
type PathOf<Answer> = {
  [Path in keyof paths]: paths[Path] extends JsonGet<Answer> ? Path : never;
}[keyof paths];

type AnswerOf<Path extends keyof paths> = paths[Path] extends JsonGet<infer Answer> ? Answer : never;
type ItemOf<Path extends keyof paths> = AnswerOf<Path> extends (infer Item)[] ? Item : never;

type ParamsOf<Path extends keyof paths> = paths[Path] extends { get: { parameters: infer All } }
  ? Pick<All, Extract<keyof All, 'path' | 'query'>>
  : never;

/** The parameters may be left out where the path needs none. `options` can replace the key, or add options. */
type Rest<Params, Options> =
  Record<never, never> extends Params
    ? [params?: Params, options?: Options]
    : [params: Params, options?: Options];

type Options<Answer> = Omit<Partial<UndefinedInitialDataOptions<Answer>>, 'queryFn'>;
type PagesOptions<Item> = Omit<
  Partial<
    UndefinedInitialDataInfiniteOptions<
      Page<Item>,
      Error,
      InfiniteData<Page<Item>, string | null>,
      QueryKey,
      string | null
    >
  >,
  'queryFn' | 'initialPageParam' | 'getNextPageParam'
>;

interface Params {
  path?: Record<string, string>;
  query?: object;
}

/** The typed client, for a path that is known to TypeScript only as a type. */
const get = api.GET as (
  path: string,
  init: { params: Params },
) => Promise<{ data?: never; response: Response }>;

/** `['/api/events', 'one', id, 'attendees']`: an invalidation of the event refetches its lists too. */
function keyOf(address: string, { path = {}, query }: Params): unknown[] {
  const [root, ...parts] = address.split(/\/?\{(\w+)\}\/?/);
  const ids = parts.map((part, at) => (at % 2 === 0 ? path[part] : part)).filter(Boolean);
  return [root, ...(ids.length > 0 ? ['one', ...ids] : []), ...(query ? [query] : [])];
}

/** A filter of every query whose path begins so. */
export const under = (root: string) => ({
  predicate: ({ queryKey }: Query) => String(queryKey[0]).startsWith(root),
});

/** A resource: `query('/api/events/{id}', { path: { id } })`. */
export function query<Path extends PathOf<unknown>>(
  path: Path,
  ...[params, options]: Rest<ParamsOf<Path>, Options<AnswerOf<Path>>>
) {
  const sent = (params ?? {}) as Params;
  return queryOptions<AnswerOf<Path>>({
    queryKey: keyOf(path, sent),
    queryFn: () => read<AnswerOf<Path>>(get(path, { params: sent })),
    ...options,
  });
}

/** A paginated list: the first page from its path, each further page from the `Link` header. */
export function pages<Path extends PathOf<unknown[]>>(
  path: Path,
  ...[params, options]: Rest<ParamsOf<Path>, PagesOptions<ItemOf<Path>>>
) {
  const sent = (params ?? {}) as Params;
  const [root, ...rest] = keyOf(path, sent);
  return infiniteQueryOptions({
    queryKey: sent.path ? [root, ...rest] : [root, 'list', ...rest],
    queryFn: ({ pageParam }) =>
      pageParam ? followPage<ItemOf<Path>>(pageParam) : readPage<ItemOf<Path>>(get(path, { params: sent })),
    initialPageParam: null as string | null,
    getNextPageParam: (page: Page<ItemOf<Path>>) => page.next,
    ...options,
  });
}
