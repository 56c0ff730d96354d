// /topics and /topics/{topic}: lists, posts, follow, and paths that are no topic.
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { gate } from '@/testing/jobs';
import { postOf } from '@/testing/posts';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, server, signedInAs } from '@/testing/server';

const serveTopics = (followed: string[]) =>
  server.use(
    http.get('/api/topics', () =>
      HttpResponse.json({ followed, trending: [{ topic: 'moot', memberCount: 2 }] }),
    ),
  );

test('a member sees the followed topics and those of the week', async () => {
  signedInAs(isabel);
  serveTopics(['civpro']);
  await renderApp('/topics');
  const followed = within(await screen.findByRole('region', { name: 'Topics you follow' }));
  expect(followed.getByRole('link', { name: '#civpro' })).toHaveAttribute('href', '/topics/civpro');
  const week = within(screen.getByRole('region', { name: 'Used this week' }));
  expect(week.getByRole('link', { name: '#moot 2 members' })).toHaveAttribute('href', '/topics/moot');
  expect(document.title).toBe('Topics | Portia');
});

test('a visitor sees the topics of the week, and an outage with a way on', async () => {
  server.use(http.get('/api/topics', () => problem(503, { error: 'Away' })));
  const { user } = await renderApp('/topics');
  expect(await screen.findByText('Topics could not be loaded. Please try again later.')).toBeVisible();
  serveTopics([]);
  await user.click(screen.getByRole('button', { name: 'Try Again' }));
  expect(await screen.findByRole('link', { name: '#moot 2 members' })).toBeVisible();
  expect(screen.queryByRole('region', { name: 'Topics you follow' })).not.toBeInTheDocument();
});

test('a press before the list of followed topics is loaded follows the topic', async () => {
  signedInAs(isabel);
  const loaded = gate();
  const followed: string[] = [];
  server.use(
    http.get('/api/topics', async () => {
      const answer = [...followed];
      await loaded.opened;
      return HttpResponse.json({ followed: answer, trending: [] });
    }),
    http.get('/api/topics/:topic/posts', () => HttpResponse.json([])),
    http.put('/api/topics/:topic/follow', ({ params }) => {
      followed.push(String(params.topic));
      return new HttpResponse(null, { status: 204 });
    }),
  );
  const { user } = await renderApp('/topics/moot');
  await user.click(await screen.findByRole('button', { name: 'Follow #moot' }));
  await waitFor(() => expect(followed).toEqual(['moot']));
  loaded.open();
  expect(await screen.findByRole('button', { name: 'Following #moot' })).toBeVisible();
});

test('the page of a topic lists its posts and follows it', async () => {
  signedInAs(isabel);
  serveTopics([]);
  const asked: string[] = [];
  const answer = ({ request }: { request: Request }) => {
    asked.push(`${request.method} ${new URL(request.url).pathname}`);
    return new HttpResponse(null, { status: 204 });
  };
  server.use(
    http.get('/api/topics/:topic/posts', ({ params }) =>
      HttpResponse.json([postOf({ content: `On #${String(params.topic)}` })]),
    ),
    http.put('/api/topics/:topic/follow', answer),
    http.delete('/api/topics/:topic/follow', answer),
  );
  const { user } = await renderApp('/topics/Moot');
  expect(await screen.findByRole('heading', { level: 1, name: '#moot' })).toBeVisible();
  expect(document.title).toBe('#moot | Portia');
  expect(await screen.findByRole('link', { name: '#moot' })).toHaveAttribute('href', '/topics/moot');
  await user.click(await screen.findByRole('button', { name: 'Follow #moot' }));
  await user.click(await screen.findByRole('button', { name: 'Following #moot' }));
  expect(await screen.findByRole('button', { name: 'Follow #moot' })).toBeVisible();
  await waitFor(() =>
    expect(asked).toEqual(['PUT /api/topics/moot/follow', 'DELETE /api/topics/moot/follow']),
  );
});

test('a refused follow is reverted, and a visitor is asked to sign in', async () => {
  signedInAs(isabel);
  server.use(
    http.put('/api/topics/:topic/follow', () => problem(409, { error: 'You can follow up to 100 topics' })),
  );
  const { user } = await renderApp('/topics/moot');
  expect(await screen.findByText('No posts with this topic.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Follow #moot' }));
  expect(
    await screen.findByText('Failed to follow topic: 409: You can follow up to 100 topics'),
  ).toBeVisible();
  expect(screen.getByRole('button', { name: 'Follow #moot' })).toHaveAttribute('aria-pressed', 'false');
});

test('a visitor is asked to sign in', async () => {
  const { user } = await renderApp('/topics/moot');
  await user.click(await screen.findByRole('button', { name: 'Follow #moot' }));
  expect(await screen.findByText('Please sign in to follow topics')).toBeVisible();
});

test.each(['/topics/a', '/topics/a%20b', '/topics/moot!', '/Topics'])(
  '%s is the 404 screen',
  async (path) => {
    await renderApp(path);
    await waitFor(() => expect(document.title).toMatch(/not found/i));
  },
);
