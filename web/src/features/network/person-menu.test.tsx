// The menu of a post: connecting with its author, accepting, blocking, and the menu of a visitor.
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import type { Connection, Post } from '@/api/schema.gen';
import { commentOf, postOf, priya } from '@/testing/posts';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, profileOf, server, signedInAs } from '@/testing/server';

const asked: Connection = {
  id: 'c1',
  requesterId: isabel.id,
  recipientId: priya.id,
  status: 'pending',
  createdAt: '2026-10-01T00:00:00Z',
};
const marco = { ...priya, id: '019a0000-0000-7000-8000-000000000009', fullName: 'Marco Villanueva' };
let lookups = 0;

function between(...connections: Connection[]) {
  server.use(
    http.get('/api/connections', () => {
      lookups += 1;
      return HttpResponse.json(connections);
    }),
  );
}

const serve = (...posts: Post[]) => server.use(http.get('/api/posts', () => HttpResponse.json(posts)));

beforeEach(() => {
  lookups = 0;
  signedInAs(isabel);
  serve(postOf());
  server.use(http.get('/api/users/:id/profile', () => HttpResponse.json(profileOf(isabel))));
});

async function open(name = 'Priya Raghavan') {
  const app = await renderApp('/');
  const button = await screen.findByRole('button', { name: `Options for ${name}` });
  expect(lookups).toBe(0);
  await app.user.click(button);
  await screen.findByRole('menu');
  return { ...app, button };
}

test('the connection is fetched when the menu opens, and not before', async () => {
  between();
  await open();
  expect(await screen.findByRole('menuitem', { name: 'Connect with Priya Raghavan' })).toBeVisible();
  expect(screen.getByRole('menuitem', { name: 'Block Priya Raghavan' })).toBeVisible();
  expect(lookups).toBe(1);
});

test('Connect sends a pending request, shows a toast, and offers to withdraw it', async () => {
  between();
  const sent: unknown[] = [];
  server.use(
    http.post('/api/connections', async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json(asked, { status: 201 });
    }),
  );
  const { user, button } = await open();
  await user.click(await screen.findByRole('menuitem', { name: 'Connect with Priya Raghavan' }));
  expect(await screen.findByText('Connection request sent')).toBeVisible();
  expect(screen.getByText('Your connection request has been sent')).toBeVisible();
  expect(sent).toEqual([{ requesterId: isabel.id, recipientId: priya.id, status: 'pending' }]);
  await waitFor(() => expect(screen.queryByRole('menu')).not.toBeInTheDocument());
  await user.click(screen.getByRole('button', { name: button.getAttribute('aria-label') ?? '' }));
  expect(await screen.findByRole('menuitem', { name: 'Withdraw request' })).toBeVisible();
});

test('a failed request shows the reason', async () => {
  between();
  server.use(http.post('/api/connections', () => problem(404, { error: 'User not found' })));
  const { user } = await open();
  await user.click(await screen.findByRole('menuitem', { name: 'Connect with Priya Raghavan' }));
  expect(await screen.findByText('Failed to send connection request: 404: User not found')).toBeVisible();
});

test('a request of the author is accepted in the menu', async () => {
  between({ ...asked, requesterId: priya.id, recipientId: isabel.id });
  const sent: unknown[] = [];
  server.use(
    http.patch('/api/connections/:id', async ({ request, params }) => {
      sent.push([params.id, await request.json()]);
      return HttpResponse.json({
        ...asked,
        requesterId: priya.id,
        recipientId: isabel.id,
        status: 'accepted',
      });
    }),
  );
  const { user } = await open();
  await user.click(await screen.findByRole('menuitem', { name: 'Accept Connection' }));
  await waitFor(() => expect(sent).toEqual([['c1', { status: 'accepted' }]]));
});

test('a failed lookup counts as no connection', async () => {
  server.use(http.get('/api/connections', () => problem(503, { error: 'Away' })));
  await open();
  expect(await screen.findByRole('menuitem', { name: 'Connect with Priya Raghavan' })).toBeVisible();
});

test('a block removes posts and comments of the member at once and refetches the feed later', async () => {
  between();
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
  const { user } = await open();
  expect(screen.getByText('Her comment.')).toBeVisible();
  await user.click(screen.getByRole('menuitem', { name: 'Block Priya Raghavan' }));
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
  between();
  const { user } = await renderApp('/', { language: 'fil' });
  await user.click(await screen.findByRole('button', { name: 'Mga opsyon para kay Priya Raghavan' }));
  expect(await screen.findByRole('menuitem', { name: 'Kumonekta kay Priya Raghavan' })).toBeVisible();
  await user.click(screen.getByRole('menuitem', { name: 'I-block si Priya Raghavan' }));
  expect(await screen.findByRole('dialog', { name: 'I-block si Priya Raghavan' })).toBeVisible();
});
