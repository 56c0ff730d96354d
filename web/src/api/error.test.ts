// Responses that are not OK as errors.
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { problem, server } from '@/testing/server';
import { api, read, readPage } from './client';
import { ApiError } from './error';
import { createQueryClient } from './query-client';
import { sessionQuery } from './session';

const profile = () => read(api.GET('/api/users/{id}/profile', { params: { path: { id: 'a/b' } } }));

async function failure(answer: () => Response): Promise<ApiError> {
  server.use(http.get('/api/users/:id/profile', answer));
  const error = await profile().catch((caught: unknown) => caught);
  if (!(error instanceof ApiError)) throw new Error(`no ApiError but ${String(error)}`);
  return error;
}

test.each([
  ['the error sentence of JSON', () => problem(404, { error: 'User not found' }), '404: User not found'],
  ['the body text', () => problem(500, 'out of paper'), '500: out of paper'],
  ['the reason phrase of an empty body', () => problem(503, ''), '503: Service Unavailable'],
  ['the reason phrase of an unknown status', () => problem(418, ''), /^418: \S/],
])('message: status and %s', async (_, answer, message) => {
  const { message: actual } = await failure(answer);
  if (typeof message === 'string') expect(actual).toBe(message);
  else expect(actual).toMatch(message);
});

test('the error has code, fields and request id', async () => {
  const error = await failure(() =>
    problem(400, { error: 'No', code: 'INVALID', fields: { username: 'Too short' }, requestId: 'r1' }),
  );
  expect(error).toMatchObject({
    status: 400,
    sentence: 'No',
    readable: true,
    code: 'INVALID',
    requestId: 'r1',
  });
  expect(error.fields).toEqual({ username: 'Too short' });
});

test('a 401 is an error by default, and null for the session check', async () => {
  await expect(failure(() => problem(401, { error: 'Please sign in' }))).resolves.toHaveProperty(
    'status',
    401,
  );
  await expect(createQueryClient().fetchQuery(sessionQuery)).resolves.toBeNull();
});

test('a list has the address of its next page', async () => {
  server.use(
    http.get('/api/posts', () =>
      HttpResponse.json([], { headers: { Link: '</api/posts?pageToken=x>; rel="next"' } }),
    ),
  );
  await expect(readPage(api.GET('/api/posts'))).resolves.toEqual({
    items: [],
    next: '/api/posts?pageToken=x',
    degraded: false,
    total: null,
  });
});

test('a read has no body and no Content-Type, a write is JSON, and both send cookies', async () => {
  const seen: (string | null)[] = [];
  server.use(
    http.get('/api/jobs', ({ request }) => {
      seen.push(request.headers.get('Content-Type'), request.credentials);
      return HttpResponse.json([]);
    }),
    http.post('/api/auth/logout', ({ request }) => {
      seen.push(request.headers.get('Content-Type'));
      return new HttpResponse(null, { status: 204 });
    }),
  );
  await read(api.GET('/api/jobs'));
  await read(api.POST('/api/auth/logout', { body: {} }));
  expect(seen).toEqual([null, 'include', 'application/json']);
});
