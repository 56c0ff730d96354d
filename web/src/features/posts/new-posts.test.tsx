// 'N new posts': new posts wait behind a button, and the list moves only when it is pressed.
import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Post } from '@/api/schema.gen';
import { shownTopics } from '@/live/interests';
import { communityOf } from '@/testing/communities';
import { gate } from '@/testing/jobs';
import { postOf, priya } from '@/testing/posts';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, profileOf, server, signedInAs } from '@/testing/server';
import { installStreamFakes, removeStreamFakes } from '@/testing/stream';

let gateway: ReturnType<typeof installStreamFakes>;
let posts: Post[];
let asked: URLSearchParams[];

const at = (minute: number) => `2026-11-20T10:${String(minute).padStart(2, '0')}:00Z`;
const nth = (n: number, changes: Partial<Post> = {}) =>
  postOf({ id: `p${n}`, content: `Post ${n}.`, createdAt: at(n), ...changes });
const shown = () =>
  screen.getAllByRole('article').map((card) => /Post \d+/.exec(card.textContent ?? '')?.[0]);

beforeEach(() => {
  signedInAs(isabel);
  gateway = installStreamFakes();
  posts = [nth(2), nth(1)];
  asked = [];
  server.use(
    http.get('/api/posts', ({ request }) => {
      asked.push(new URL(request.url).searchParams);
      const next = posts.length >= 20 ? { Link: '</api/posts?cursor=more>; rel="next"' } : undefined;
      return HttpResponse.json(posts, { headers: next });
    }),
    http.get('/api/communities/:id', () => HttpResponse.json(communityOf({ role: 'member' }))),
  );
});
afterEach(removeStreamFakes);

async function open(path: string) {
  const app = await renderApp(path);
  await waitFor(() => expect(shown()).toEqual(['Post 2', 'Post 1']));
  await waitFor(() => expect(gateway.streams()).toHaveLength(1));
  return app;
}

const publish = (list: string, ...fresh: Post[]) => {
  posts = [...fresh, ...posts];
  return gateway.send('post', { postId: null, list, since: fresh.at(-1)?.createdAt ?? at(0) });
};

test('new posts wait in the feed until the button is pressed', async () => {
  const { user } = await open('/');
  await publish('feed', nth(4), nth(3));
  const button = await screen.findByRole('button', { name: '2 new posts' });
  expect(asked.at(-1)?.get('sort')).toBe('recent');
  expect(shown()).toEqual(['Post 2', 'Post 1']);
  await user.click(button);
  await waitFor(() => expect(shown()).toEqual(['Post 4', 'Post 3', 'Post 2', 'Post 1']));
  expect(screen.queryByRole('button', { name: /new post/ })).not.toBeInTheDocument();
  expect(document.activeElement).toContainElement(screen.getAllByRole('article')[0] as HTMLElement);
});

test.each([
  ['following', 'feed'],
  ['school', 'feed'],
  ['following', 'community:c1'],
  ['community', 'community:c1'],
])('a new post waits in the feed %s when it is in the list %s', async (feed, list) => {
  localStorage.setItem(`portia-feed:${isabel.id}`, feed);
  server.use(
    http.get('/api/communities', () => HttpResponse.json([communityOf({ id: 'c1', role: 'member' })])),
  );
  const { user } = await open('/');
  await publish(list, nth(3));
  await user.click(await screen.findByRole('button', { name: '1 new post' }));
  expect(asked.at(-1)?.toString()).toBe(`feed=${feed}`);
  await waitFor(() => expect(shown()).toEqual(['Post 3', 'Post 2', 'Post 1']));
  if (feed !== 'school') await waitFor(() => expect(shownTopics()).toContain('community c1'));
});

test('one new post in a community', async () => {
  const community = communityOf();
  const { user } = await open(`/communities/${community.id}`);
  await publish(`community:${community.id}`, nth(3));
  await user.click(await screen.findByRole('button', { name: '1 new post' }));
  expect(asked.at(-1)?.get('communityId')).toBe(community.id);
  await waitFor(() => expect(shown()).toEqual(['Post 3', 'Post 2', 'Post 1']));
});

test('one new post of a member whose profile is shown', async () => {
  server.use(http.get('/api/users/:id/profile', () => HttpResponse.json(profileOf({ ...isabel, ...priya }))));
  const { user } = await open(`/profile/${priya.id}`);
  await publish(`member:${priya.id}`, nth(3));
  await user.click(await screen.findByRole('button', { name: '1 new post' }));
  expect(asked.at(-1)?.toString()).toBe(`userId=${priya.id}`);
  await waitFor(() => expect(shown()).toEqual(['Post 3', 'Post 2', 'Post 1']));
  expect(shownTopics()).toContain(`member ${priya.id}`);
});

test('posts that were in the list are not new; the member’s own from another device are', async () => {
  await open('/');
  await publish('feed', nth(2));
  await waitFor(() => expect(asked.at(-1)?.get('sort')).toBe('recent'));
  await publish('feed', nth(5, { user: isabel }));
  expect(await screen.findByRole('button', { name: '1 new post' }, { timeout: 10_000 })).toBeVisible();
});

test('a post that this tab publishes does not wait', async () => {
  const { user } = await open('/');
  const published = gate();
  server.use(
    http.post('/api/posts', async () => {
      await published.opened;
      return HttpResponse.json(nth(3, { user: isabel }), { status: 201 });
    }),
  );
  await user.click(screen.getByRole('button', { name: 'Start a post...' }));
  await user.type(await screen.findByRole('textbox', { name: 'Post' }), 'Post 3.');
  await user.click(screen.getByRole('button', { name: 'Post' }));
  // The event is faster than the response.
  await publish('feed', nth(3, { user: isabel }));
  await waitFor(() => expect(asked.at(-1)?.get('sort')).toBe('recent'));
  expect(screen.queryByRole('button', { name: /new post/ })).not.toBeInTheDocument();
  published.open();
  await waitFor(() => expect(shown()).toEqual(['Post 3', 'Post 2', 'Post 1']));
  expect(screen.queryByRole('button', { name: /new post/ })).not.toBeInTheDocument();
});

test('new posts wait on the page of a topic', async () => {
  let withTopic = posts;
  server.use(http.get('/api/topics/:topic/posts', () => HttpResponse.json(withTopic)));
  const { user } = await open('/topics/moot');
  withTopic = [nth(3), ...withTopic];
  await gateway.send('post', { postId: null, list: 'feed', since: at(3) });
  await user.click(await screen.findByRole('button', { name: '1 new post' }));
  await waitFor(() => expect(shown()).toEqual(['Post 3', 'Post 2', 'Post 1']));
});

test('a waiting post that is edited appears as it is now', async () => {
  server.use(http.get('/api/posts/:id', () => HttpResponse.json(nth(3, { content: 'Post 33.' }))));
  const { user } = await open('/');
  await publish('feed', nth(3));
  const button = await screen.findByRole('button', { name: '1 new post' });
  const read = new Promise((done) => server.events.on('response:mocked', done));
  await gateway.send('post', { postId: 'p3', list: null, since: null });
  await read;
  await user.click(button);
  await waitFor(() => expect(shown()).toEqual(['Post 33', 'Post 2', 'Post 1']));
});

test('a waiting post that is deleted does not appear', async () => {
  server.use(http.get('/api/posts/:id', () => problem(404, { error: 'Post not found' })));
  const { user } = await open('/');
  await publish('feed', nth(4), nth(3));
  const button = await screen.findByRole('button', { name: '2 new posts' });
  expect(shownTopics()).toContain('post p4');
  await gateway.send('post', { postId: 'p4', list: null, since: null });
  await waitFor(() => expect(button).toHaveTextContent('1 new post'));
  await user.click(button);
  await waitFor(() => expect(shown()).toEqual(['Post 3', 'Post 2', 'Post 1']));
});

test('more than a page of new posts replaces the list', async () => {
  const { user } = await open('/');
  await user.click(screen.getByRole('combobox', { name: 'Sort by:' }));
  await user.click(await screen.findByRole('option', { name: 'Recent' }));
  await waitFor(() => expect(asked.at(-1)?.get('sort')).toBe('recent'));
  posts = [];
  await publish('feed', ...Array.from({ length: 20 }, (_, n) => nth(59 - n)));
  await user.click(await screen.findByRole('button', { name: '20+ new posts' }));
  await waitFor(() => expect(shown()).toHaveLength(20));
  expect(shown()[0]).toBe('Post 59');
});

test('the list of the most liked posts has no new posts, and keeps its order when likes arrive', async () => {
  posts = [nth(2, { likeCount: 5 }), nth(1, { likeCount: 4 })];
  server.use(http.get('/api/posts/:id', () => HttpResponse.json(nth(1, { likeCount: 9 }))));
  const { user } = await open('/');
  await user.click(screen.getByRole('combobox', { name: 'Sort by:' }));
  await user.click(await screen.findByRole('option', { name: 'Top' }));
  await waitFor(() => expect(asked.at(-1)?.get('sort')).toBe('top'));
  await waitFor(() => expect(shown()).toEqual(['Post 2', 'Post 1']));
  await gateway.send('reaction', { postId: 'p1' });
  expect(await screen.findByText('9 likes')).toBeVisible();
  expect(shown()).toEqual(['Post 2', 'Post 1']);
});

test('is translated to Filipino', async () => {
  const app = await renderApp('/', { language: 'fil' });
  await waitFor(() => expect(shown()).toEqual(['Post 2', 'Post 1']));
  await waitFor(() => expect(gateway.streams()).toHaveLength(1));
  await publish('feed', nth(4), nth(3));
  expect(await screen.findByRole('button', { name: '2 bagong post' })).toBeVisible();
  app.unmount();
});
