// The page of a post.
import { screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { postOf } from '@/testing/posts';
import { renderApp } from '@/testing/render-app';
import { problem, server } from '@/testing/server';

test('a post, and a deleted post', async () => {
  server.use(http.get('/api/posts/:id', () => HttpResponse.json(postOf({ content: 'Only me.' }))));
  const { unmount } = await renderApp('/posts/p1');
  expect(await screen.findByText('Only me.')).toBeVisible();
  expect(screen.getByRole('heading', { level: 1, name: 'Post' })).toBeInTheDocument();
  unmount();

  server.use(http.get('/api/posts/:id', () => problem(404, { error: 'Post not found' })));
  await renderApp('/posts/p1');
  expect(await screen.findByText('Post not found')).toBeVisible();
});

test('a post that fails to load shows an error', async () => {
  server.use(http.get('/api/posts/:id', () => problem(503, { error: 'Away' })));
  await renderApp('/posts/p1');
  expect(await screen.findByText('This post could not be loaded. It may have been removed.')).toBeVisible();
});
