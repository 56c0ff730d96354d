// The Activity tab: sentences, links, pages, failure and empty state.
import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import type { Activity, Author, ReactionType } from '@/api/schema.gen';
import { commentOf, postOf, priya } from '@/testing/posts';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, server, signedInAs } from '@/testing/server';

const address = `/profile/${isabel.id}`;
const at = new Date(Date.now() - 2 * 3_600_000).toISOString();
const post: Activity['post'] = { id: 'p1', author: priya, excerpt: 'Note submissions close on Friday.' };
const own: Activity['post'] = { ...post, id: 'p2', author: isabel satisfies Author };

function answer(...activities: Activity[]) {
  server.use(http.get('/api/users/:id/activity', () => HttpResponse.json(activities)));
}

async function open(language: 'en' | 'fil' = 'en') {
  const opened = await renderApp(address, { language });
  await opened.user.click(await screen.findByRole('tab', { name: /^(Activity|Aktibidad)$/ }));
  return opened;
}

const reacted = (reaction: ReactionType, under = post): Activity => ({
  type: 'reaction',
  at,
  post: under,
  reaction,
});

test.each<[Activity, string, string]>([
  [{ type: 'post', at, post: own }, 'Wrote a post', '/posts/p2'],
  [
    { type: 'comment', at, post, comment: commentOf('Good to know.') },
    "Commented on Priya Raghavan's post",
    '/posts/p1',
  ],
  [
    { type: 'comment', at, post: own, comment: commentOf('And on Monday again.') },
    'Commented on their own post',
    '/posts/p2',
  ],
  [reacted('like'), "Liked Priya Raghavan's post", '/posts/p1'],
  [reacted('celebrate'), "Celebrated Priya Raghavan's post", '/posts/p1'],
  [reacted('support'), "Supported Priya Raghavan's post", '/posts/p1'],
  [reacted('insightful'), "Found Priya Raghavan's post insightful", '/posts/p1'],
  [reacted('thanks'), "Said thanks for Priya Raghavan's post", '/posts/p1'],
  [reacted('like', own), 'Liked their own post', '/posts/p2'],
])('%#: an activity and its post', async (activity, sentence, href) => {
  answer(activity);
  await open();
  const list = within(await screen.findByRole('region', { name: 'Activity' }));
  expect(list.getByRole('link', { name: sentence })).toHaveAttribute('href', href);
  expect(list.getByText('Note submissions close on Friday.')).toBeVisible();
  expect(list.getByText('2 hours ago')).toBeVisible();
  if (activity.comment) expect(list.getByText(activity.comment.content)).toBeVisible();
});

test('pages are appended, and a failed page keeps the loaded ones', async () => {
  server.use(
    http.get('/api/users/:id/activity', ({ request, params }) => {
      expect(params.id).toBe(isabel.id);
      const cursor = new URL(request.url).searchParams.get('cursor');
      if (cursor === 'c2') return problem(503, { error: 'Please try again soon' });
      const item = cursor ? reacted('like') : { type: 'post', at, post: own };
      const next = cursor ? 'c2' : 'c1';
      return HttpResponse.json([item], {
        headers: { Link: `</api/users/${isabel.id}/activity?cursor=${next}>; rel="next"` },
      });
    }),
  );
  const { user } = await open();
  await user.click(await screen.findByRole('button', { name: 'Show more activity' }));
  expect(await screen.findByRole('link', { name: "Liked Priya Raghavan's post" })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Show more activity' }));
  expect(await screen.findByText('Activity could not be loaded. Please try again later.')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Wrote a post' })).toBeVisible();
});

test('a failing server, and no activity', async () => {
  server.use(http.get('/api/users/:id/activity', () => problem(503, { error: 'Away' })));
  const { unmount } = await open();
  expect(await screen.findByText('Activity could not be loaded. Please try again later.')).toBeVisible();
  unmount();
  answer();
  await open();
  expect(await screen.findByText('Recent activity will appear here.')).toBeVisible();
});

test('the member’s own like appears without a reload', async () => {
  signedInAs(isabel);
  let liked = false;
  server.use(
    http.get('/api/posts', () => HttpResponse.json([postOf()])),
    http.post('/api/posts/:id/likes', () => {
      liked = true;
      return HttpResponse.json({});
    }),
    http.get('/api/users/:id/activity', () => HttpResponse.json(liked ? [reacted('like')] : [])),
  );
  const { user } = await open();
  expect(await screen.findByText('Recent activity will appear here.')).toBeVisible();
  await user.click(screen.getByRole('tab', { name: 'Posts' }));
  await user.click(await screen.findByRole('button', { name: 'Like' }));
  await user.click(screen.getByRole('tab', { name: 'Activity' }));
  expect(await screen.findByRole('link', { name: "Liked Priya Raghavan's post" })).toBeVisible();
});

test('is translated to Filipino', async () => {
  answer({ type: 'comment', at, post, comment: commentOf('Salamat!') });
  await open('fil');
  expect(await screen.findByRole('link', { name: 'Nagkomento sa post ni Priya Raghavan' })).toBeVisible();
});
