// The typed door to the gateway: every call of the client goes through here.
import createClient, { type Middleware } from 'openapi-fetch';
import { apiErrorFrom } from './error';
import { preloaded } from './preloaded';
import type { paths } from './types';

const refuse: Middleware = {
  async onResponse({ response }) {
    if (!response.ok) throw await apiErrorFrom(response);
  },
};

/**
 * `api.GET('/api/posts/{id}', { params: { path: { id } } })`. Cookies are always sent; a body is JSON, and without a
 * body there is no Content-Type. An answer that is not OK throws `ApiError`.
 */
export const api = createClient<paths>({
  baseUrl: window.location.origin,
  credentials: 'include',
  // Looked up at each call, so that tests can stand in for it.
  fetch: (request) => preloadedResponse(request) ?? globalThis.fetch(request),
});
api.use(refuse);

function preloadedResponse({ method, url }: Request): Promise<Response> | undefined {
  if (method !== 'GET') return undefined;
  const { pathname, search } = new URL(url);
  return preloaded(pathname + search);
}

interface Called<Answer> {
  data?: Answer;
  response: Response;
}

/** The body of an answer. */
export async function read<Answer>(call: Promise<Called<Answer>>): Promise<Answer> {
  return (await call).data as Answer;
}

export interface Page<Item> {
  items: Item[];
  /** The address of the next page (`Link: <...>; rel="next"`, RFC 8288), null on the last one. */
  next: string | null;
  /** All of them (`X-Total-Count`), null where the gateway keeps no total. */
  total: number | null;
  /** A service did not answer (`X-Degraded`): what is missing here may be there all the same. */
  degraded: boolean;
}

/** A list with the address of its next page. */
export async function readPage<Item>(call: Promise<Called<Item[]>>): Promise<Page<Item>> {
  const { data, response } = await call;
  return pageOf(data ?? [], response);
}

/** The page a `Link` header named. */
export async function followPage<Item>(next: string): Promise<Page<Item>> {
  const response = await follow(next);
  return pageOf((await response.json()) as Item[], response);
}

/** The answer at an address that a `Link` header named; only a path of this origin is followed. */
export async function follow(next: string): Promise<Response> {
  const address = new URL(next, window.location.origin);
  const response = await fetch(`${address.pathname}${address.search}`, { credentials: 'include' });
  if (!response.ok) throw await apiErrorFrom(response);
  return response;
}

/** The address of the next page that a `Link` header names, null on the last one. */
export function nextOf({ headers }: Response): string | null {
  return /<([^>]*)>\s*;\s*rel="?next"?/.exec(headers.get('Link') ?? '')?.[1] ?? null;
}

function pageOf<Item>(items: Item[], response: Response): Page<Item> {
  const total = response.headers.get('X-Total-Count');
  return {
    items,
    next: nextOf(response),
    total: total === null ? null : Number(total),
    degraded: response.headers.has('X-Degraded'),
  };
}
