// Drafts: kept per member and place over navigation and reload, until they are sent or discarded.
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { applicationOf, fakeApplications, jobOf } from '@/testing/jobs';
import {
  conversationId,
  conversationOf,
  installElementHeights,
  messageOf,
  threadOf,
} from '@/testing/messages';
import { postOf } from '@/testing/posts';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, server, signedInAs } from '@/testing/server';

installElementHeights();
const post = postOf();
const thread = `/messages/${conversationId}`;
const review = { id: 'd1', name: 'Eastbay Law Review', role: 'member' };

let posted: Record<string, unknown>[];
beforeEach(() => {
  posted = [];
  signedInAs(isabel);
  server.use(
    http.get('/api/posts', () => HttpResponse.json([post])),
    http.get('/api/posts/:id', () => HttpResponse.json(post)),
    http.post('/api/posts', async ({ request }) => {
      posted.push((await request.json()) as Record<string, unknown>);
      return HttpResponse.json(postOf({ id: 'new' }), { status: 201 });
    }),
    http.post('/api/posts/:id/comments', async ({ request }) => {
      posted.push((await request.json()) as Record<string, unknown>);
      return HttpResponse.json({}, { status: 201 });
    }),
    http.get('/api/communities/:id', ({ params }) => HttpResponse.json({ ...review, id: params.id })),
    http.get('/api/conversations', () => HttpResponse.json([conversationOf()])),
    http.get('/api/conversations/:id', () => HttpResponse.json(threadOf([messageOf(1)]))),
    http.post('/api/conversations/:id/typing', () => new HttpResponse(null, { status: 204 })),
    http.get('/api/jobs', () => HttpResponse.json([jobOf()])),
  );
  fakeApplications(applicationOf());
});

type User = Awaited<ReturnType<typeof renderApp>>['user'];

const field = (name: string) => screen.findByRole('textbox', { name });
const press = async (user: User, name: string | RegExp) =>
  user.click(await screen.findByRole('button', { name }));
const pressed = (name: string | RegExp) => (user: User) => press(user, name);

/** The places of drafts: the screen, the way to the field, and its label. */
const places: [place: string, at: string, open: (user: User) => Promise<void>, label: string][] = [
  ['the home composer', '/', pressed(/^Start a post/), 'Post'],
  ['the composer of a community', '/communities/d1', pressed(/^Start a post/), 'Post'],
  ['a comment in the feed', '/', pressed('Comment'), 'Comment'],
  ['a comment on the page of the post', `/posts/${post.id}`, pressed('Comment'), 'Comment'],
  ['a message', thread, async () => undefined, 'Message'],
  ['the notes of an application to be sent', '/jobs', pressed('Apply Now'), 'Notes'],
  ['the notes of a sent application', '/jobs?tab=applications', pressed('Summer Associate'), 'Notes'],
];

describe.each(places)('%s', (_, at, open, label) => {
  test('is restored after the client was loaded again', async () => {
    const first = await renderApp(at);
    await open(first.user);
    await first.user.type(await field(label), 'Half a thought');
    first.unmount();

    const { user } = await renderApp(at);
    await open(user);
    expect(await field(label)).toHaveValue('Half a thought');
  });

  test('is not shown to another member of this browser', async () => {
    const first = await renderApp(at);
    await open(first.user);
    await first.user.type(await field(label), 'Half a thought');
    first.unmount();

    signedInAs({ ...isabel, id: 'other' });
    const { user } = await renderApp(at);
    await open(user);
    expect(await field(label)).toHaveValue('');
  });
});

test('places have separate drafts', async () => {
  const { user, unmount } = await renderApp('/');
  await press(user, 'Start a post...');
  await user.type(await field('Post'), 'For everyone');
  unmount();
  const other = await renderApp('/communities/d1');
  await press(other.user, 'Start a post...');
  expect(await field('Post')).toHaveValue('');
});

test('a closed composer shows the draft mark; a created post removes the draft', async () => {
  const { user, unmount } = await renderApp('/');
  await press(user, 'Start a post...');
  await user.type(await field('Post'), 'Soon');
  await user.keyboard('{Escape}');
  await press(user, 'Start a post... Draft');
  await press(user, 'Post');
  await waitFor(() => expect(posted).toHaveLength(1));
  expect(posted[0]).toMatchObject({ content: 'Soon' });
  expect(await screen.findByRole('button', { name: 'Start a post...' })).toBeVisible();
  unmount();
  const next = await renderApp('/');
  await press(next.user, 'Start a post...');
  expect(await field('Post')).toHaveValue('');
});

test('the title and the kind of an article are kept, a failed post too', async () => {
  server.use(http.post('/api/posts', () => problem(503, { error: 'Away' })));
  const { user, unmount } = await renderApp('/');
  await press(user, 'Article');
  await user.type(await field('Title'), 'Hearsay');
  await user.type(await field('Article'), 'Read Rule 803.');
  await press(user, 'Post');
  expect(await screen.findByText('Failed to create post: 503: Away')).toBeVisible();
  unmount();
  const next = await renderApp('/');
  await press(next.user, /^Start a post/);
  expect(await field('Title')).toHaveValue('Hearsay');
  expect(await field('Article')).toHaveValue('Read Rule 803.');
});

test('a draft is discarded by its button, and brought back by Undo', async () => {
  const { user, unmount } = await renderApp('/');
  await press(user, 'Start a post...');
  await user.type(await field('Post'), 'Never mind');
  await press(user, 'Discard draft');
  expect(await field('Post')).toHaveValue('');
  await press(user, 'Undo');
  expect(await field('Post')).toHaveValue('Never mind');
  await press(user, 'Discard draft');
  unmount();
  await renderApp('/');
  expect(await screen.findByRole('button', { name: 'Start a post...' })).toBeVisible();
});

test('a comment draft is shown below its post, and a sent comment removes it', async () => {
  const first = await renderApp('/');
  await press(first.user, 'Comment');
  await first.user.type(await field('Comment'), 'Count me in.');
  await press(first.user, 'Cancel');
  await press(first.user, /^Draft Count me in\.$/);
  expect(await field('Comment')).toHaveValue('Count me in.');
  await first.user.click(
    within((await field('Comment')).closest('form') as HTMLElement).getByRole('button', { name: 'Post' }),
  );
  await waitFor(() => expect(posted).toHaveLength(1));
  await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Comment' })).not.toBeInTheDocument());
  expect(screen.queryByText('Draft')).not.toBeInTheDocument();
});

test('signing out removes the drafts of the member from this browser', async () => {
  const { user } = await renderApp('/');
  await press(user, 'Comment');
  await user.type(await field('Comment'), 'Between us');
  expect(JSON.stringify({ ...localStorage })).toContain('Between us');
  await press(user, 'Log out');
  expect(await screen.findByText('Your Legal Career Starts Here')).toBeVisible();
  expect(JSON.stringify({ ...localStorage })).not.toContain('Between us');
});

test('without storage a draft lasts as long as the page', async () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  const first = await renderApp('/');
  await press(first.user, 'Start a post...');
  await first.user.type(await field('Post'), 'In memory');
  first.unmount();
  const { user } = await renderApp('/');
  await press(user, /^Start a post/);
  expect(await field('Post')).toHaveValue('In memory');
  await user.clear(await field('Post'));
});

const days = 24 * 3_600_000;

test('drafts are at most fifty, the oldest go first', async () => {
  const now = Date.now();
  const keyOf = (member: string, nth: number) => `portia-device:${member}:draft:comment ${nth}`;
  const store = (key: string, at: number) =>
    localStorage.setItem(key, JSON.stringify({ at, value: 'words' }));
  for (let nth = 0; nth < 50; nth += 1) store(keyOf(isabel.id, nth), now - 1_000 * nth);
  const { user } = await renderApp('/');
  await press(user, 'Start a post...');
  await user.type(await field('Post'), 'x');
  expect(localStorage.getItem(keyOf(isabel.id, 48))).not.toBeNull();
  expect(localStorage.getItem(keyOf(isabel.id, 49))).toBeNull();
});

test('no draft is older than fourteen days', async () => {
  const now = Date.now();
  const keyOf = (place: string) => `portia-device:${isabel.id}:draft:${place}`;
  const store = (place: string, at: number) =>
    localStorage.setItem(keyOf(place), JSON.stringify({ at, value: `of ${place}` }));
  store('comment 13', now - 13 * days);
  store('comment 15', now - 15 * days);
  store(`conversation ${conversationId}`, now - 15 * days);
  await renderApp(thread);
  const message = await field('Message');
  expect(message).toHaveValue('');
  await userEvent.type(message, 'x');
  expect(localStorage.getItem(keyOf('comment 13'))).not.toBeNull();
  expect(localStorage.getItem(keyOf('comment 15'))).toBeNull();
});

test('a draft of another tab is left alone; one that a tab has left goes on here', async () => {
  const base = `portia-device:${isabel.id}:draft:conversation ${conversationId}`;
  const store = (key: string, value: string, at: number) =>
    localStorage.setItem(key, JSON.stringify({ at, value }));
  await renderApp('/');
  await screen.findByText(post.content);
  store(`${base}@living`, 'In the other tab', Date.now());
  store(`${base}@-older`, 'Older', Date.now() - 2_000);
  store(`${base}@-newer`, 'Newer', Date.now() - 1_000);
  cleanup();
  const { user } = await renderApp(thread);
  const message = await field('Message');
  expect(message).toHaveValue('Newer');
  await user.type(message, '!');
  const texts = () =>
    Object.keys(localStorage)
      .filter((key) => key.startsWith(base))
      .map((key) => (JSON.parse(localStorage.getItem(key) ?? '') as { value: string }).value);
  expect(texts().toSorted()).toEqual(['In the other tab', 'Newer!', 'Older']);
  // When this one is gone, the older one is offered.
  await user.clear(message);
  cleanup();
  await renderApp(thread);
  expect(await field('Message')).toHaveValue('Older');
});

test('a page that goes leaves its drafts to the next one', async () => {
  const { user } = await renderApp('/');
  await press(user, 'Start a post...');
  await user.type(await field('Post'), 'Going');
  const left = () => Object.keys(localStorage).filter((key) => /:draft:.*@-/.test(key));
  await waitFor(() => {
    window.dispatchEvent(new Event('pagehide'));
    expect(left()).toHaveLength(1);
  });
});
