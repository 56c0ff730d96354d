// The menus beside what a member wrote: the items of a post, blocking, and the menu of a visitor.
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import type { Post } from '@/api/schema.gen';
import { commentOf, postOf, priya } from '@/testing/posts';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, profileOf, server, signedInAs } from '@/testing/server';

const marco = { ...priya, id: '019a0000-0000-7000-8000-000000000009', fullName: 'Marco Villanueva' };
const serve = (...posts: Post[]) => server.use(http.get('/api/posts', () => HttpResponse.json(posts)));

beforeEach(() => {
  signedInAs(isabel);
  serve(postOf());
  server.use(http.get('/api/users/:id/profile', () => HttpResponse.json(profileOf(isabel))));
});

async function openMenu() {
  const app = await renderApp('/');
  await app.user.click(await screen.findByRole('button', { name: 'Options for Priya Raghavan' }));
  await screen.findByRole('menu');
  return app;
}

const items = () => screen.getAllByRole('menuitem').map((item) => item.textContent);

test('the menu of a post has six items, and none about its author', async () => {
  const lookups: string[] = [];
  server.use(
    http.get('/api/connections', ({ request }) => {
      lookups.push(request.url);
      return HttpResponse.json([]);
    }),
  );
  await openMenu();
  expect(items()).toEqual([
    'Save',
    'Copy link',
    'Hide post',
    'Mute...',
    'Why am I seeing this?',
    'Report post',
  ]);
  expect(lookups).toEqual([]);
});

test('the menu of a post in a community leaves the sixth place to its moderators', async () => {
  const community = { id: 'c1', name: 'Study Hall' };
  serve(postOf({ community }));
  server.use(
    http.get('/api/communities/c1', () =>
      HttpResponse.json({ ...community, role: 'moderator', memberCount: 2 }),
    ),
  );
  await openMenu();
  await screen.findByRole('menuitem', { name: 'Remove from Study Hall' });
  expect(items()).toEqual([
    'Save',
    'Hide post',
    'Mute...',
    'Why am I seeing this?',
    'Report post',
    'Remove from Study Hall',
  ]);
});

test('the menu copies the address of the post', async () => {
  const { user } = await openMenu();
  await user.click(screen.getByRole('menuitem', { name: 'Copy link' }));
  expect(await screen.findByText('Link copied')).toBeVisible();
  expect(await navigator.clipboard.readText()).toBe(`${window.location.origin}/posts/${postOf().id}`);
});

test('a block removes posts and comments of the member at once and refetches the feed later', async () => {
  serve(
    postOf({ content: 'By her.' }),
    postOf({
      id: 'p2',
      content: 'By another.',
      user: marco,
      commentCount: 2,
      comments: [commentOf('Her comment.'), { ...commentOf('His own.'), user: marco }],
    }),
  );
  let reads = 0;
  server.events.on('request:start', ({ request }) => {
    if (new URL(request.url).pathname === '/api/posts') reads += 1;
  });
  server.use(http.put('/api/blocks/:memberId', () => new HttpResponse(null, { status: 204 })));
  const { user } = await renderApp('/');
  expect(await screen.findByText('Her comment.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Options for the comment by Priya Raghavan' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Block Priya Raghavan' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Block Priya Raghavan' }));
  await user.click(dialog.getByRole('button', { name: 'Block' }));
  expect(await screen.findByText('Member blocked')).toBeVisible();
  await waitFor(() => expect(screen.queryByText('By her.')).not.toBeInTheDocument());
  expect(screen.getByText('By another.')).toBeVisible();
  expect(screen.getByText('His own.')).toBeVisible();
  expect(screen.queryByText('Her comment.')).not.toBeInTheDocument();
  expect(reads).toBe(1);
  server.events.removeAllListeners();
});

test('the member’s own posts have no such menu', async () => {
  serve(postOf({ user: isabel }));
  await renderApp('/');
  await screen.findByRole('article');
  expect(screen.queryByRole('button', { name: /^Options for Isabel/ })).not.toBeInTheDocument();
});

test('a visitor is asked to sign in', async () => {
  server.use(
    http.get('/api/auth/me', () => problem(401, { error: 'Not signed in' })),
    http.get('/api/posts/:id', () => HttpResponse.json(postOf())),
  );
  const { user } = await renderApp('/posts/019a0000-0000-7000-8000-0000000000a1');
  await user.click(await screen.findByRole('button', { name: 'Options for Priya Raghavan' }));
  expect(screen.queryByRole('menuitem', { name: /^Block/ })).not.toBeInTheDocument();
  await user.click(await screen.findByRole('menuitem', { name: 'Connect with Priya Raghavan' }));
  expect(await screen.findByText('Sign in required')).toBeVisible();
  expect(screen.getByText('Please sign in to connect with other users')).toBeVisible();
});

test('is translated to Filipino', async () => {
  serve(postOf({ commentCount: 1, comments: [commentOf('Her comment.')] }));
  const { user } = await renderApp('/', { language: 'fil' });
  await user.click(await screen.findByRole('button', { name: 'Mga opsyon para kay Priya Raghavan' }));
  expect(await screen.findByRole('menuitem', { name: 'I-report ang post' })).toBeVisible();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('menu')).not.toBeInTheDocument());
  await user.click(screen.getByRole('button', { name: /^Mga opsyon para sa komento/ }));
  await user.click(await screen.findByRole('menuitem', { name: 'I-block si Priya Raghavan' }));
  expect(await screen.findByRole('dialog', { name: 'I-block si Priya Raghavan' })).toBeVisible();
});
