// The Message button beside a member opens the conversation.
import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { conversationId, conversationOf, threadOf } from '@/testing/messages';
import { postOf, priya } from '@/testing/posts';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, profileOf, server, signedInAs } from '@/testing/server';

let opened: unknown[];

beforeEach(() => {
  signedInAs(isabel);
  opened = [];
  server.use(
    http.get('/api/users/:id/profile', ({ params }) =>
      HttpResponse.json(profileOf(params.id === isabel.id ? isabel : { ...isabel, ...priya })),
    ),
    http.post('/api/conversations', async ({ request }) => {
      opened.push(await request.json());
      return HttpResponse.json(conversationOf(), { status: 201 });
    }),
    http.get('/api/conversations/:id', () => HttpResponse.json(threadOf([]))),
  );
});

test('opens the conversation from a profile', async () => {
  const { user, path } = await renderApp(`/profile/${priya.id}`);
  await user.click(await screen.findByRole('button', { name: 'Message' }));
  await waitFor(() => expect(path()).toBe(`/messages/${conversationId}`));
  expect(opened).toEqual([{ userId: priya.id }]);
  expect(await screen.findByText('No messages yet. Start the conversation!')).toBeVisible();
});

test('opens the conversation from a connection', async () => {
  server.use(
    http.get('/api/users/:id/connections', () =>
      HttpResponse.json([
        {
          id: 'c1',
          requesterId: isabel.id,
          recipientId: priya.id,
          status: 'accepted',
          createdAt: '2026-10-01T00:00:00Z',
          connectedUser: priya,
        },
      ]),
    ),
  );
  const { user, path } = await renderApp('/network');
  await user.click(await screen.findByRole('button', { name: 'Message' }));
  await waitFor(() => expect(path()).toBe(`/messages/${conversationId}`));
});

test('opens the conversation from the author menu of a post', async () => {
  server.use(http.get('/api/posts', () => HttpResponse.json([postOf()])));
  const { user, path } = await renderApp('/');
  await user.click(await screen.findByRole('button', { name: 'Options for Priya Raghavan' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Message Priya Raghavan' }));
  await waitFor(() => expect(path()).toBe(`/messages/${conversationId}`));
  expect(opened).toEqual([{ userId: priya.id }]);
});

test('opens a pending request in the requests folder', async () => {
  server.use(
    http.post('/api/conversations', () => HttpResponse.json(conversationOf({ folder: 'requests' }))),
    http.get('/api/conversations/:id', () => HttpResponse.json(threadOf([], { folder: 'requests' }))),
  );
  const { user, path } = await renderApp(`/profile/${priya.id}`);
  await user.click(await screen.findByRole('button', { name: 'Message' }));
  await waitFor(() => expect(path()).toBe(`/messages/${conversationId}?folder=requests`));
});

test('a failure shows the reason', async () => {
  server.use(http.post('/api/conversations', () => problem(404, { error: 'User not found' })));
  const { user, path } = await renderApp(`/profile/${priya.id}`);
  await user.click(await screen.findByRole('button', { name: 'Message' }));
  expect(await screen.findByText('Failed to open the conversation: 404: User not found')).toBeVisible();
  expect(path()).toBe(`/profile/${priya.id}`);
});

test('a visitor is redirected to sign in', async () => {
  server.use(http.get('/api/auth/me', () => problem(401, { error: 'Not signed in' })));
  const { user, path } = await renderApp(`/profile/${priya.id}`);
  await user.click(await screen.findByRole('link', { name: 'Message' }));
  await waitFor(() => expect(path()).toBe('/auth'));
});
