// Message, wherever a person is shown: it opens the conversation and goes there.
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

test('on a profile', async () => {
  const { user, path } = await renderApp(`/profile/${priya.id}`);
  await user.click(await screen.findByRole('button', { name: 'Message' }));
  await waitFor(() => expect(path()).toBe(`/messages/${conversationId}`));
  expect(opened).toEqual([{ userId: priya.id }]);
  expect(await screen.findByText('No messages yet. Start the conversation!')).toBeVisible();
});

test('beside a connection', async () => {
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

test('from a post, in the menu of its author', async () => {
  server.use(http.get('/api/posts', () => HttpResponse.json([postOf()])));
  const { user, path } = await renderApp('/');
  await user.click(await screen.findByRole('button', { name: 'Options for Priya Raghavan' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Message Priya Raghavan' }));
  await waitFor(() => expect(path()).toBe(`/messages/${conversationId}`));
  expect(opened).toEqual([{ userId: priya.id }]);
});

test('one who asked and was not answered is found among the requests', async () => {
  server.use(
    http.post('/api/conversations', () => HttpResponse.json(conversationOf({ folder: 'requests' }))),
    http.get('/api/conversations/:id', () => HttpResponse.json(threadOf([], { folder: 'requests' }))),
  );
  const { user, path } = await renderApp(`/profile/${priya.id}`);
  await user.click(await screen.findByRole('button', { name: 'Message' }));
  await waitFor(() => expect(path()).toBe(`/messages/${conversationId}?folder=requests`));
});

test('what fails says why', async () => {
  server.use(http.post('/api/conversations', () => problem(404, { error: 'User not found' })));
  const { user, path } = await renderApp(`/profile/${priya.id}`);
  await user.click(await screen.findByRole('button', { name: 'Message' }));
  expect(await screen.findByText('Failed to open the conversation: 404: User not found')).toBeVisible();
  expect(path()).toBe(`/profile/${priya.id}`);
});

test('a visitor is led to sign in', async () => {
  server.use(http.get('/api/auth/me', () => problem(401, { error: 'Not signed in' })));
  const { user, path } = await renderApp(`/profile/${priya.id}`);
  await user.click(await screen.findByRole('link', { name: 'Message' }));
  await waitFor(() => expect(path()).toBe('/auth'));
});
