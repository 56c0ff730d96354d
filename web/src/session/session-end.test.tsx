// This browser stores nothing of a member on a shared computer or after a session that a person ended, and the unsent
// work of an expired session for a day.
import { cleanup, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { cacheOwner, changeCacheOwner } from '@/api/cache-owner';
import { deviceOwner } from '@/api/device-owner';
import { postOf } from '@/testing/posts';
import { renderApp } from '@/testing/render-app';
import { isabel, ownDevice, problem, server, signedInAs } from '@/testing/server';

const post = postOf();
const keyOf = (memberId: string, name: string) => `portia-device:${memberId}:${name}`;
const kept = `portia-kept:${isabel.id}`;
const draft = keyOf(isabel.id, 'draft:comment 1');
const unsent = keyOf(isabel.id, 'postings');
const feed = `portia-feed-sort:${isabel.id}`;

/** As a visit of Isabel leaves them. */
function store() {
  localStorage.setItem(kept, '');
  localStorage.setItem(draft, JSON.stringify({ at: Date.now(), value: 'Half a thought' }));
  localStorage.setItem(unsent, '[{"key":"1"}]');
  localStorage.setItem(feed, 'top');
}
const ofMembers = () => Object.keys(localStorage).filter((key) => /^portia-.+:/.test(key));
const answerMe = (answer: () => Response) => server.use(http.get('/api/auth/me', answer));
const refused = (code: string) => () => problem(401, { error: 'Sign in required', code });
const isVisitor = () => screen.findByText('Your Legal Career Starts Here');

let requests: string[];
const record = ({ request }: { request: Request }) => {
  const { pathname } = new URL(request.url);
  if (pathname.startsWith('/api/')) requests.push(`${request.method} ${pathname}`);
};

beforeEach(() => {
  requests = [];
  server.events.on('request:start', record);
  signedInAs(isabel);
  server.use(http.get('/api/posts', () => HttpResponse.json([post])));
});

afterEach(async () => {
  cleanup();
  server.events.removeListener('request:start', record);
  await changeCacheOwner(null);
});

test.each(['SIGN_IN_REQUIRED', 'SESSION_ENDED'])('after %s nothing of the member is left', async (code) => {
  store();
  answerMe(refused(code));
  await renderApp('/');
  await isVisitor();
  expect(ofMembers()).toEqual([]);
  expect(deviceOwner()).toBeUndefined();
});

test('an expired session leaves unsent work for the same member, and nothing else', async () => {
  store();
  answerMe(refused('SESSION_EXPIRED'));
  await renderApp('/');
  await isVisitor();
  expect(ofMembers().toSorted()).toEqual([draft, unsent, kept].toSorted());
  cleanup();
  localStorage.removeItem(unsent);
  signedInAs(isabel);
  await renderApp('/');
  await screen.findByText(post.content);
  expect(localStorage.getItem(draft)).toContain('Half a thought');
});

test('a day after the expiry it is gone', async () => {
  store();
  answerMe(refused('SESSION_EXPIRED'));
  await renderApp('/');
  await isVisitor();
  cleanup();
  const now = Date.now();
  const hours = (count: number) => now + count * 3_600_000;
  const clock = vi.spyOn(Date, 'now').mockReturnValue(hours(23));
  await renderApp('/');
  await isVisitor();
  expect(ofMembers()).toContain(draft);
  cleanup();
  clock.mockReturnValue(hours(25));
  await renderApp('/');
  await isVisitor();
  expect(ofMembers()).toEqual([]);
});

test.each([
  ['in a week, by its use', -7 * 24, true],
  ['23 hours ago', 23, true],
  ['25 hours ago', 25, false],
])(
  'unsent work is kept for a day after the end, however late this browser learns of it: %s',
  async (_, hours, isKept) => {
    store();
    localStorage.setItem(kept, String(Date.now() - hours * 3_600_000));
    answerMe(refused('SESSION_EXPIRED'));
    await renderApp('/');
    await isVisitor();
    expect(ofMembers().includes(draft)).toBe(isKept);
    expect(ofMembers()).not.toContain(feed);
  },
);

test('every answer moves the end of the session that is not used', async () => {
  await renderApp('/');
  await screen.findByText(post.content);
  const days = () => (Number(localStorage.getItem(kept)) - Date.now()) / 86_400_000;
  await waitFor(() => expect(days()).toBeCloseTo(14, 2));
});

test('without a network too, nothing is left after the browser of a shared computer was closed, nor a day after an expiry', async () => {
  answerMe(() => HttpResponse.error());
  store();
  await renderApp('/');
  await isVisitor();
  expect(ofMembers()).toContain(draft);
  cleanup();
  localStorage.setItem(kept, String(Date.now() - 25 * 3_600_000));
  await renderApp('/');
  await isVisitor();
  expect(ofMembers()).toEqual([]);
  cleanup();
  store();
  ownDevice(null);
  await renderApp('/');
  await isVisitor();
  expect(ofMembers()).toEqual([]);
});

test('nothing of a former member is left when another one is on screen', async () => {
  store();
  answerMe(refused('SESSION_EXPIRED'));
  await renderApp('/');
  await isVisitor();
  cleanup();
  signedInAs({ ...isabel, id: 'other' });
  await renderApp('/');
  await screen.findByText(post.content);
  expect(ofMembers().filter((key) => key.includes(isabel.id))).toEqual([]);
});

test('on a shared computer drafts and choices last as long as the page', async () => {
  ownDevice(null);
  store();
  const first = await renderApp('/');
  await screen.findByText(post.content);
  // Also what was stored before the member called it shared.
  expect(ofMembers()).toEqual([]);
  await first.user.click(screen.getByRole('button', { name: 'Comment' }));
  await first.user.type(await screen.findByRole('textbox', { name: 'Comment' }), 'In memory');
  expect(ofMembers()).toEqual([]);
  first.unmount();
  const { user } = await renderApp('/');
  await user.click(await screen.findByRole('button', { name: 'Comment' }));
  expect(await screen.findByRole('textbox', { name: 'Comment' })).toHaveValue('In memory');
  expect(JSON.stringify({ ...localStorage })).not.toContain(isabel.id);
});

test('a request that finds the session ended removes everything before the member signs in again', async () => {
  const { user } = await renderApp('/');
  await screen.findByText(post.content);
  store();
  answerMe(refused('SIGN_IN_REQUIRED'));
  server.use(http.post('/api/posts/:id/likes', refused('SIGN_IN_REQUIRED')));
  await user.click(screen.getByRole('button', { name: 'Like' }));
  await screen.findByRole('dialog', { name: 'Your session has ended' });
  expect(ofMembers()).toEqual([]);
  expect(deviceOwner()).toBeUndefined();
  expect(cacheOwner.memberId).toBeNull();
});

test('without a network the member is signed out at once, and the server learns of it before any other request', async () => {
  const { user } = await renderApp('/');
  await screen.findByText(post.content);
  localStorage.setItem(draft, JSON.stringify({ at: Date.now(), value: 'Half a thought' }));
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  server.use(http.post('/api/auth/logout', () => HttpResponse.error()));
  await user.click(screen.getByRole('button', { name: 'Log out' }));
  await isVisitor();
  await waitFor(() => expect(ofMembers()).toEqual([]));
  expect(deviceOwner()).toBeUndefined();
  cleanup();

  // The cookie of the session is still there, and the network is not.
  requests = [];
  const next = await renderApp('/jobs');
  expect(await screen.findByRole('heading', { level: 1 })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Log out' })).toBeNull();
  await waitFor(() => expect(requests).not.toEqual([]));
  expect(new Set(requests)).toEqual(new Set(['POST /api/auth/logout']));
  next.unmount();

  requests = [];
  let isOver = false;
  server.use(
    http.post('/api/auth/logout', () => {
      isOver = true;
      return new HttpResponse(null, { status: 204 });
    }),
  );
  answerMe(() => (isOver ? problem(401, { error: 'Sign in required' }) : HttpResponse.json(isabel)));
  await renderApp('/');
  await isVisitor();
  await waitFor(() => expect(requests).toContain('GET /api/auth/me'));
  expect(requests[0]).toBe('POST /api/auth/logout');
  expect(localStorage.getItem('portia-signed-out')).toBeNull();
});

test('the network returns: the sign-out is completed without another visit', async () => {
  const { user } = await renderApp('/');
  await screen.findByText(post.content);
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  server.use(http.post('/api/auth/logout', () => HttpResponse.error()));
  await user.click(screen.getByRole('button', { name: 'Log out' }));
  await isVisitor();
  server.use(http.post('/api/auth/logout', () => new HttpResponse(null, { status: 204 })));
  window.dispatchEvent(new Event('online'));
  await waitFor(() => expect(localStorage.getItem('portia-signed-out')).toBeNull());
});
