// Saving items, and the screen of saved items.
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import type { SavedId, SavedItem } from '@/api/schema.gen';
import { eventOf } from '@/testing/events';
import { jobOf } from '@/testing/jobs';
import { articleOf, resourceOf } from '@/testing/news';
import { postOf } from '@/testing/posts';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, server, signedInAs } from '@/testing/server';

beforeEach(() => signedInAs(isabel));

const itemOf = (changes: Partial<SavedItem> & SavedId): SavedItem => ({
  savedAt: '2026-11-20T08:00:00Z',
  post: null,
  job: null,
  article: null,
  resource: null,
  event: null,
  ...changes,
});

const post = itemOf({ kind: 'post', id: postOf().id, post: postOf() });
const job = itemOf({ kind: 'job', id: jobOf().id, job: jobOf() });

/** Fake storage of saved items. */
function fakeSavedItems(...items: SavedItem[]) {
  const fake = { holds: items, calls: [] as string[] };
  server.use(
    http.get('/api/saved-items', ({ request }) => {
      const kind = new URL(request.url).searchParams.get('kind');
      return HttpResponse.json(fake.holds.filter((item) => !kind || item.kind === kind));
    }),
    http.get('/api/saved-items/ids', () =>
      HttpResponse.json(fake.holds.map(({ kind, id }) => ({ kind, id }))),
    ),
    http.put<{ kind: SavedItem['kind']; id: string }>('/api/saved-items/:kind/:id', ({ params }) => {
      fake.calls.push(`PUT ${params.kind} ${params.id}`);
      fake.holds = [itemOf(params), ...fake.holds];
      return new HttpResponse(null, { status: 204 });
    }),
    http.delete('/api/saved-items/:kind/:id', ({ params }) => {
      fake.calls.push(`DELETE ${params.kind} ${params.id}`);
      fake.holds = fake.holds.filter(({ kind, id }) => kind !== params.kind || id !== params.id);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  return fake;
}

test('a visitor is redirected to sign in', async () => {
  server.use(http.get('/api/auth/me', () => problem(401, { error: 'Not signed in' })));
  const { path } = await renderApp('/saved-items');
  await waitFor(() => expect(path()).toBe('/auth'));
});

test('an empty list, and a failed list', async () => {
  const { user } = await renderApp('/saved-items');
  expect(await screen.findByText('Nothing saved yet')).toBeVisible();
  server.use(http.get('/api/saved-items', () => problem(503, { error: 'Away' })));
  await user.click(screen.getByRole('tab', { name: 'Jobs' }));
  expect(await screen.findByText('Error loading saved items. Please try again later.')).toBeVisible();
});

test('every kind is shown with the card of its list, and each has a tab', async () => {
  fakeSavedItems(
    post,
    job,
    itemOf({ kind: 'article', id: 'a', article: articleOf('Court reverses itself') }),
    itemOf({ kind: 'resource', id: 'r', resource: resourceOf('Outline') }),
    itemOf({ kind: 'resource', id: 'builtin-barbri' }),
    itemOf({ kind: 'event', id: eventOf().id, event: eventOf() }),
  );
  const { user, path } = await renderApp('/saved-items');
  expect(await screen.findByText(postOf().content)).toBeVisible();
  expect(screen.getByRole('article', { name: 'Summer Associate' })).toBeVisible();
  expect(screen.getByRole('heading', { name: 'Court reverses itself' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Outline' })).toBeVisible();
  // The fifth and sixth item are drawn a moment after the first four.
  expect(await screen.findByRole('link', { name: 'BARBRI Bar Review' })).toBeVisible();
  expect(await screen.findByRole('link', { name: 'Moot court finals' })).toBeVisible();
  expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual([
    'All',
    'Posts',
    'Jobs',
    'News',
    'Resources',
    'Events',
  ]);
  await user.click(screen.getByRole('tab', { name: 'Jobs' }));
  await waitFor(() => expect(path()).toBe('/saved-items?kind=job'));
  expect(await screen.findByRole('article', { name: 'Summer Associate' })).toBeVisible();
  expect(screen.queryByText(postOf().content)).not.toBeInTheDocument();
});

test('a deleted item shows a placeholder and can be removed', async () => {
  const fake = fakeSavedItems(itemOf({ kind: 'job', id: 'old' }), post);
  const { user } = await renderApp('/saved-items');
  expect(await screen.findByText('This job is no longer available.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Remove' }));
  await waitFor(() => expect(screen.queryByText('This job is no longer available.')).not.toBeInTheDocument());
  expect(screen.getByText(postOf().content)).toBeVisible();
  expect(fake.calls).toEqual(['DELETE job old']);
});

test('a posting is saved from its list, marked, and removed again', async () => {
  const fake = fakeSavedItems();
  server.use(http.get('/api/jobs', () => HttpResponse.json([jobOf()])));
  const { user } = await renderApp('/jobs');
  await user.click(await screen.findByRole('button', { name: 'Save Summer Associate', pressed: false }));
  expect(await screen.findByText('You can find it under My saved items.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Save Summer Associate', pressed: true }));
  expect(await screen.findByText('Removed from saved items')).toBeVisible();
  expect(fake.calls).toEqual([`PUT job ${jobOf().id}`, `DELETE job ${jobOf().id}`]);
});

test('a post is saved from its menu', async () => {
  const fake = fakeSavedItems();
  server.use(http.get('/api/posts', () => HttpResponse.json([postOf()])));
  const { user } = await renderApp('/');
  await user.click(await screen.findByRole('button', { name: 'Options for Priya Raghavan' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Save' }));
  expect(await screen.findByText('You can find it under My saved items.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Options for Priya Raghavan' }));
  expect(await screen.findByRole('menuitem', { name: 'Remove from saved items' })).toBeVisible();
  expect(fake.calls).toEqual([`PUT post ${postOf().id}`]);
});

test('the built-in resources are saved with a prefixed id', async () => {
  const fake = fakeSavedItems();
  const { user } = await renderApp('/resources/casebriefs');
  await user.click(await screen.findByRole('button', { name: 'Save Casebriefs' }));
  await screen.findByText('You can find it under My saved items.');
  expect(fake.calls).toEqual(['PUT resource builtin-casebriefs']);
});

test('a refused item is not marked and shows the reason', async () => {
  fakeSavedItems();
  server.use(
    http.get('/api/news/:id', () => HttpResponse.json(articleOf('Court reverses itself'))),
    http.put('/api/saved-items/:kind/:id', () => problem(409, { error: 'You can save up to 1,000 items' })),
  );
  const { user } = await renderApp('/legal-news/a');
  await user.click(await screen.findByRole('button', { name: 'Save Court reverses itself' }));
  expect(await screen.findByText('Failed to save: 409: You can save up to 1,000 items')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Save Court reverses itself' })).toHaveAttribute(
    'aria-pressed',
    'false',
  );
});

test('a visitor is asked to sign in', async () => {
  server.use(
    http.get('/api/auth/me', () => problem(401, { error: 'Not signed in' })),
    http.get('/api/events/:id', () => HttpResponse.json(eventOf())),
  );
  const { user } = await renderApp('/events/e1');
  await user.click(await screen.findByRole('button', { name: 'Save Moot court finals' }));
  expect(await screen.findByText('Please sign in to save items')).toBeVisible();
});

test('is translated to Filipino', async () => {
  fakeSavedItems(itemOf({ kind: 'event', id: 'gone' }));
  await renderApp('/saved-items', { language: 'fil' });
  expect(await screen.findByRole('heading', { level: 1, name: 'Mga na-save ko' })).toBeVisible();
  const panel = within(screen.getByRole('tabpanel'));
  expect(await panel.findByText('Wala na ang kaganapang ito.')).toBeVisible();
});
