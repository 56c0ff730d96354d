// The typed API client: every call to the gateway uses it.
import createClient, { type Middleware } from 'openapi-fetch';
import { finishSignOut, isSignOutPending } from './cache-owner';
import { apiErrorFrom } from './error';
import { takePreload } from './preload-cache';
import { readResponse } from './reachability';
import type { paths } from './schema.gen';

const refuse: Middleware = {
  async onResponse({ response }) {
    if (!response.ok) throw await apiErrorFrom(response);
  },
};

/**
 * `api.GET('/api/posts/{id}', { params: { path: { id } } })`. Every request sends cookies. A body is JSON; without a
 * body there is no Content-Type. A response that is not OK throws `ApiError`.
 */
export const api = createClient<paths>({
  baseUrl: window.location.origin,
  credentials: 'include',
  // Read at each call, so that tests can replace it.
  fetch: (request) => (request.method === 'GET' ? sendRead(request) : sendWrite(request)),
});
api.use(refuse);

/** After a sign-out without a network, no request uses the session before the server knows of it. */
async function sendNow(...request: Parameters<typeof fetch>): Promise<Response> {
  if (isSignOutPending() && !(await finishSignOut())) throw new TypeError('Failed to fetch');
  return globalThis.fetch(...request);
}

function sendRead(request: Request): Promise<Response> {
  const send = () => sendNow(request);
  return readResponse(request.url, async () =>
    repeatIfEnded(false, send, await (preloadedResponse(request) ?? send())),
  );
}

async function sendWrite(request: Request): Promise<Response> {
  // A request that was sent has no body left.
  const body = await request.arrayBuffer();
  const send = async () =>
    repeatIfLimited(
      request,
      body,
      await sendNow(body.byteLength > 0 ? new Request(request, { body }) : request),
    );
  const response = await send();
  return isAnsweredHere(request) ? response : repeatIfEnded(true, send, response);
}

/**
 * The client registers what it shows by itself: a member who did nothing, or signed out in another tab, is not asked to sign in. A
 * refused proof is shown by the dialog that asked for it.
 */
function isAnsweredHere({ url }: Request): boolean {
  const { pathname } = new URL(url);
  return pathname.startsWith('/api/live/') || pathname === '/api/auth/reauthenticate';
}

/** Where the server asks for a proof of work. The other limits of these routes have no challenge. */
async function repeatIfLimited(request: Request, body: ArrayBuffer, response: Response): Promise<Response> {
  if (response.status !== 429 || !new URL(request.url).pathname.startsWith('/api/auth/')) return response;
  return import('./proof-of-work').then(
    ({ repeatWithProof }) => repeatWithProof(response, request, body, sendNow),
    // Without its code, the request is refused as it was.
    () => response,
  );
}

/** After the end of the session, and where the server needs a recent proof of the member. */
async function repeatIfEnded(
  isWrite: boolean,
  send: () => Promise<Response>,
  response: Response,
): Promise<Response> {
  if (response.status !== 401 && response.status !== 403) return response;
  return import('./request-retry').then(
    ({ repeatRequest }) => repeatRequest(isWrite, send, response),
    // Without its code, the request is refused as it was.
    () => response,
  );
}

function preloadedResponse({ url }: Request): Promise<Response> | undefined {
  const { pathname, search } = new URL(url);
  return takePreload(pathname + search);
}

interface ClientResult<Answer> {
  data?: Answer;
  response: Response;
}

/** Returns the body of a response. */
export async function read<Answer>(call: Promise<ClientResult<Answer>>): Promise<Answer> {
  return (await call).data as Answer;
}

export interface Page<Item> {
  items: Item[];
  /** The address of the next page (`Link: <...>; rel="next"`, RFC 8288); null on the last page. */
  next: string | null;
  /** The size of the whole list (`X-Total-Count`); null if the gateway counts none. */
  total: number | null;
  /** A service did not respond (`X-Degraded`): missing items may exist. */
  degraded: boolean;
}

/** Returns a list with the address of its next page. */
export async function readPage<Item>(call: Promise<ClientResult<Item[]>>): Promise<Page<Item>> {
  const { data, response } = await call;
  return pageOf(data ?? [], response);
}

/** Fetches the page that a `Link` header names. */
export async function followPage<Item>(next: string): Promise<Page<Item>> {
  const response = await follow(next);
  return pageOf((await response.json()) as Item[], response);
}

/** Fetches an address from a `Link` header; accepts only a path of this origin. */
export async function follow(next: string): Promise<Response> {
  const address = new URL(next, window.location.origin);
  const response = await readResponse(address.href, () =>
    sendNow(`${address.pathname}${address.search}`, { credentials: 'include' }),
  );
  if (!response.ok) throw await apiErrorFrom(response);
  return response;
}

/** The address of the next page from the `Link` header; null on the last page. */
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
