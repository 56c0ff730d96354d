// The requests of preload.js, and that the client uses their responses.
import { readFileSync } from 'node:fs';
import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clearPreloads, takePreload } from '@/api/preload-cache';
import { jobOf } from '@/testing/jobs';
import { articleOf } from '@/testing/news';
import { postOf } from '@/testing/posts';
import { renderApp } from '@/testing/render-app';
import { isabel, profileOf, server, signedInAs } from '@/testing/server';
import { preloadScript, screensIn } from '../../vite-preload';

const files = [
  'landing.js',
  'feed.js',
  'texts-en-home.js',
  'member.js',
  'screens.js',
  'jobs.js',
  'profile.js',
  'search.js',
  'display.woff2',
];
const build = {
  files,
  landing: [0, 8],
  feed: [1, 2],
  member: [3],
  screens: [
    ['jobs', [4, 5]],
    ['profile/[^/]+', [4, 6]],
    ['search', [4, 7]],
  ],
};

const source = readFileSync('src/app/preload.js', 'utf8');

let asked: string[] = [];
const recordRequest = ({ request }: { request: Request }) => {
  const { pathname, search } = new URL(request.url);
  if (pathname.startsWith('/api/')) asked.push(pathname + search);
};

beforeEach(() => {
  asked = [];
  server.events.on('request:start', recordRequest);
});

afterEach(() => {
  server.events.removeListener('request:start', recordRequest);
  clearPreloads();
  for (const link of document.head.querySelectorAll('link[rel$="preload"]')) link.remove();
  delete document.documentElement.dataset.session;
  window.history.replaceState(null, '', '/');
});

/** Runs the script like the page at this address, without waiting. */
function run(address: string, session?: 'yes' | 'no') {
  window.history.replaceState(null, '', address);
  if (session) document.documentElement.dataset.session = session;
  new Function(preloadScript(source, build))();
}

/** Runs the script like the page at this address. */
async function start(address: string, session?: 'yes' | 'no') {
  run(address, session);
  await window.portiaPreloaded?.get('/api/auth/me')?.catch(() => undefined);
}

const preloadHints = () =>
  [...document.head.querySelectorAll<HTMLLinkElement>('link[rel="modulepreload"]')].map((link) =>
    link.getAttribute('href')?.replace('/assets/', ''),
  );

test('at home a visitor gets the landing page without requests for a member', async () => {
  await start('/');
  await waitFor(() => expect(preloadHints()).toEqual(['landing.js']));
  expect(asked).toEqual(['/api/auth/me']);
});

test('the font of the landing page is a font', async () => {
  await start('/', 'no');
  expect(document.head.querySelector('link[rel="preload"]')).toMatchObject({ as: 'font', crossOrigin: '' });
});

test('with a session cookie the feed is requested before the session is known', () => {
  server.use(http.get('/api/auth/me', () => HttpResponse.error()));
  run('/', 'yes');
  expect(preloadHints()).toEqual(['feed.js', 'texts-en-home.js', 'member.js']);
  expect([...(window.portiaPreloaded?.keys() ?? [])]).toEqual([
    '/api/auth/me',
    '/api/posts?sort=relevant',
    '/api/saved-items/ids',
    '/api/unread',
  ]);
});

test('with the cookie of an ended session a visitor gets the landing page', async () => {
  await start('/', 'yes');
  await waitFor(() => expect(preloadHints()).toContain('landing.js'));
  await renderApp('/');
  expect(await screen.findByRole('heading', { level: 1 })).toBeVisible();
  expect(screen.queryByRole('combobox', { name: 'Sort by:' })).not.toBeInTheDocument();
});

test('without a session cookie the landing page is requested before the session is known, once', async () => {
  run('/', 'no');
  expect(preloadHints()).toEqual(['landing.js']);
  await window.portiaPreloaded?.get('/api/auth/me');
  await renderApp('/');
  expect(preloadHints()).toEqual(['landing.js']);
  expect(asked).toEqual(['/api/auth/me']);
});

test('a page stored without a session shows a member the feed', async () => {
  signedInAs(isabel);
  await start('/', 'no');
  await waitFor(() => expect(preloadHints()).toContain('feed.js'));
  await waitFor(() => expect(asked).toContain('/api/posts?sort=relevant'));
});

test('the feed chosen by the only member of this browser is requested before the session is known', () => {
  localStorage.setItem(`portia-feed:${isabel.id}`, 'following');
  run('/', 'yes');
  expect(window.portiaPreloaded?.has('/api/posts?feed=following')).toBe(true);
});

test.each([
  [{}, 'top'],
  [{ [`portia-feed:${isabel.id}`]: 'school' }, null],
])('so is the order that this member chose: %#', (also, sort) => {
  for (const [key, value] of Object.entries({ [`portia-feed-sort:${isabel.id}`]: 'top', ...also }))
    localStorage.setItem(key, value);
  run('/', 'yes');
  expect(window.portiaPreloaded?.has('/api/posts?sort=top')).toBe(sort !== null);
  expect(window.portiaPreloaded?.has('/api/posts?feed=school')).toBe(sort === null);
});

test('with the choices of several members the feed waits for the session', async () => {
  signedInAs(isabel);
  localStorage.setItem(`portia-feed:${isabel.id}`, 'school');
  localStorage.setItem('portia-feed-sort:2', 'top');
  run('/', 'yes');
  expect([...(window.portiaPreloaded?.keys() ?? [])].filter((path) => path.includes('posts'))).toEqual([]);
  await waitFor(() => expect(window.portiaPreloaded?.has('/api/posts?feed=school')).toBe(true));
});

test.each([
  ['(min-width: 48rem)', true],
  ['a phone', false],
])('with %s the columns of home are requested: %s', async (_, matches) => {
  signedInAs(isabel);
  vi.spyOn(window, 'matchMedia').mockReturnValue({ matches } as MediaQueryList);
  await start('/', 'yes');
  await waitFor(() => expect(window.portiaPreloaded?.has(`/api/users/${isabel.id}/profile`)).toBe(true));
  expect(window.portiaPreloaded?.has('/api/events')).toBe(matches);
  vi.restoreAllMocks();
});

test('at home a member gets the feed', async () => {
  signedInAs(isabel);
  await start('/');
  await waitFor(() => expect(preloadHints()).toEqual(['feed.js', 'texts-en-home.js', 'member.js']));
  expect(asked).toContain('/api/posts?sort=relevant');
});

test.each([
  ['fil', ['en-US'], 'texts-fil-home.js'],
  [null, ['de', 'tl-PH', 'en'], 'texts-fil-home.js'],
  [null, ['en_PH', 'fil'], 'texts-en-home.js'],
  [null, ['de'], 'texts-en-home.js'],
])('a browser with the choice %s and the languages %s gets %s', async (stored, browser, texts) => {
  signedInAs(isabel);
  if (stored) localStorage.setItem('i18nextLng', stored);
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(browser);
  await start('/');
  await waitFor(() => expect(preloadHints()).toContain('member.js'));
  expect(preloadHints()).toContain(texts);
  vi.restoreAllMocks();
});

test('at home a member gets the feed in the order last chosen', async () => {
  signedInAs(isabel);
  localStorage.setItem(`portia-feed-sort:${isabel.id}`, 'top');
  server.use(http.get('/api/posts', () => HttpResponse.json([postOf()])));
  await start('/');
  await waitFor(() => expect(window.portiaPreloaded?.has('/api/posts?sort=top')).toBe(true));
  await renderApp('/');
  expect(await screen.findByRole('combobox', { name: 'Sort by:' })).toHaveTextContent('Top');
  await screen.findByText(postOf().content);
  expect(asked.filter((path) => path.startsWith('/api/posts'))).toEqual(['/api/posts?sort=top']);
});

test('at home a member gets the feed last chosen', async () => {
  signedInAs(isabel);
  localStorage.setItem(`portia-feed:${isabel.id}`, 'following');
  server.use(http.get('/api/posts', () => HttpResponse.json([postOf()])));
  await start('/');
  await waitFor(() => expect(window.portiaPreloaded?.has('/api/posts?feed=following')).toBe(true));
  await renderApp('/');
  await screen.findByText(postOf().content);
  expect(asked.filter((path) => path.startsWith('/api/posts'))).toEqual(['/api/posts?feed=following']);
});

test('another screen is requested before the session is known', async () => {
  server.use(http.get('/api/auth/me', () => HttpResponse.error()));
  run('/jobs/');
  expect(preloadHints()).toEqual(['screens.js', 'jobs.js']);
  await waitFor(() => expect(asked).toContain('/api/jobs'));
});

test.each([
  ['/search?q=law', '/api/search?q=law&type=people'],
  ['/search/?q=%20Ni%C3%B1a+o%27Hara%26%20&type=jobs', '/api/search?q=Ni%C3%B1a%20o%27Hara%26&type=jobs'],
  ['/search?q=law&type=unknown', '/api/search?q=law&type=people'],
  ['/search?q=+', undefined],
  ['/search', undefined],
])('%s requests %s', async (address, expected) => {
  signedInAs(isabel);
  server.use(
    http.get('/api/search', ({ request }) => {
      const type = new URL(request.url).searchParams.get('type') ?? '';
      return HttpResponse.json({ [type]: [], terms: [] });
    }),
  );
  await start(address, 'yes');
  expect(preloadHints()).toContain('search.js');
  expect([...(window.portiaPreloaded?.keys() ?? [])].find((path) => path.includes('search'))).toBe(expected);
  await renderApp(address);
  await screen.findByRole('heading', { level: 1, name: 'Search' });
  await waitFor(() =>
    expect([...(window.portiaPreloaded?.keys() ?? [])].filter((path) => path.includes('search'))).toEqual([]),
  );
  // An empty tab also asks which others have results.
  const searches = asked.filter((path) => path.startsWith('/api/search') && path.includes('type='));
  expect(searches).toEqual(expected ? [expected] : []);
});

test('a filtered list is not preloaded', async () => {
  await start('/jobs?type=internship');
  expect(asked).toEqual(['/api/auth/me']);
});

test.each([
  ['/', isabel.fullName, undefined],
  ['/', isabel.fullName, 'yes' as const],
  ['/jobs', 'Legal Jobs & Internships', undefined],
  ['/jobs', 'Legal Jobs & Internships', 'yes' as const],
  ['/legal-news', 'Legal News', undefined],
  [`/profile/${isabel.id}`, isabel.fullName, undefined],
])('%s requests nothing twice', async (address, shown, session) => {
  signedInAs(isabel);
  server.use(
    http.get('/api/users/:id/profile', () => HttpResponse.json(profileOf(isabel))),
    http.get('/api/posts', () => HttpResponse.json([postOf()])),
    http.get('/api/jobs', () => HttpResponse.json([jobOf()])),
    http.get('/api/news', () =>
      HttpResponse.json({ articles: [articleOf('Court reverses')], pagination: { page: 1, hasMore: false } }),
    ),
  );
  await start(address, session);
  await waitFor(() => expect(window.portiaPreloaded?.has('/api/unread')).toBe(true));
  await waitFor(() => expect(asked).toContain('/api/unread'));
  await renderApp(address);
  expect((await screen.findAllByText(shown)).length).toBeGreaterThan(0);
  // The client has consumed every preloaded response.
  await waitFor(() => expect([...(window.portiaPreloaded?.keys() ?? [])]).toEqual([]));
  expect(asked.filter((path, at) => asked.indexOf(path) !== at)).toEqual([]);
});

test('a response is used once, not after a session change, and not when it is old', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const put = () => window.portiaPreloaded?.set('/api/posts', Promise.resolve(Response.json([])));
  await start('/jobs?type=internship');
  put();
  expect(await (await takePreload('/api/posts'))?.json()).toEqual([]);
  expect(takePreload('/api/posts')).toBeUndefined();
  put();
  clearPreloads();
  expect(takePreload('/api/posts')).toBeUndefined();
  put();
  vi.advanceTimersByTime(10_000);
  expect(takePreload('/api/posts')).toBeUndefined();
  vi.useRealTimers();
});

test('the list of screens is read from screens.tsx', () => {
  const screens = screensIn(readFileSync('src/app/screens.tsx', 'utf8'));
  const of = (path: string) => screens.find(({ pattern }) => new RegExp(`^/${pattern}/?$`).test(path));
  expect(of('/jobs')).toMatchObject({
    modules: ['src/app/screens.tsx', 'src/routes/jobs.tsx'],
    texts: ['meta', 'jobs', 'saved'],
  });
  expect(of('/messages')?.modules).toContain('src/routes/messages.tsx');
  expect(of('/messages/1')?.modules).toContain('src/routes/messages.tsx');
  expect(of('/settings/')?.texts).toContain('notifications');
  expect(of('/search')?.modules).toContain('src/features/search/results.tsx');
  expect(of('/nowhere')).toBeUndefined();
});
