// The screens that others link to: communities, events, one post, and those still being built.
import { screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { postOf } from '@/testing/posts';
import { renderApp } from '@/testing/render-app';
import { problem, server } from '@/testing/server';

const failing = () => problem(503, { error: 'Please try again soon' });

test('communities: name, members, and the way to each', async () => {
  server.use(
    http.get('/api/communities', () =>
      HttpResponse.json([
        { id: 'c1', name: 'Eastbay Law Review', memberCount: 1, description: null },
        { id: 'c2', name: 'Moot Court', memberCount: 2310, description: null },
      ]),
    ),
  );
  await renderApp('/communities');
  expect(await screen.findByRole('heading', { level: 1, name: 'Communities' })).toBeVisible();
  expect(await screen.findByText('1 member')).toBeVisible();
  expect(screen.getByRole('link', { name: /Moot Court/ })).toHaveAttribute('href', '/communities/c2');
  expect(screen.getByText('2,310 members')).toBeVisible();
});

test('events: title, when and where, attendees, and the way to each', async () => {
  const event = { attendees: [], location: 'Boalt Hall', startDate: '2026-12-01T18:30:00' };
  server.use(
    http.get('/api/events', () =>
      HttpResponse.json([
        { ...event, id: 'e1', title: 'Clerkship panel', attendeeCount: 1 },
        { ...event, id: 'e2', title: 'Moot finals', attendeeCount: 26, location: null },
      ]),
    ),
  );
  await renderApp('/events');
  expect(await screen.findByRole('heading', { level: 1, name: 'Events' })).toBeVisible();
  const first = await screen.findByRole('link', { name: /Clerkship panel/ });
  expect(first).toHaveAttribute('href', '/events/e1');
  expect(first.textContent?.replace('\u202f', ' ')).toBe(
    'Clerkship panelDec 1, 2026, 6:30 PM · Boalt Hall1 attendee',
  );
  expect(screen.getByText('26 attendees')).toBeVisible();
});

test.each([
  ['/communities', 'No communities yet.'],
  ['/events', 'No upcoming events'],
])('%s without any', async (address, sentence) => {
  await renderApp(address);
  expect(await screen.findByText(sentence)).toBeVisible();
});

test.each([
  ['/communities', 'Communities could not be loaded. Please try again later.'],
  ['/events', 'Events could not be loaded. Please try again later.'],
])('%s that failed', async (address, sentence) => {
  server.use(http.get(`/api${address}`, failing));
  await renderApp(address);
  expect(await screen.findByText(sentence)).toBeVisible();
});

test('one post, and one that is gone', async () => {
  server.use(http.get('/api/posts/:id', () => HttpResponse.json(postOf({ content: 'Only me.' }))));
  const { unmount } = await renderApp('/posts/p1');
  expect(await screen.findByText('Only me.')).toBeVisible();
  expect(screen.getByRole('heading', { level: 1, name: 'Post' })).toBeInTheDocument();
  unmount();

  server.use(http.get('/api/posts/:id', () => problem(404, { error: 'Post not found' })));
  await renderApp('/posts/p1');
  expect(await screen.findByText('This post could not be loaded. It may have been removed.')).toBeVisible();
});

test.each([
  '/communities/c1',
  '/events/e1',
  '/jobs/j1',
  '/legal-news/n1',
  '/resources/r1',
  '/saved-items',
  '/about',
  '/privacy',
  '/terms',
  '/cookies',
  '/copyright',
  '/brand',
])('%s says that it is still being built, and leads home', async (address) => {
  await renderApp(address);
  expect(await screen.findByRole('heading', { level: 1, name: 'Still being built' })).toBeVisible();
  expect(
    screen.getAllByRole('link', { name: 'Home' }).every((link) => link.getAttribute('href') === '/'),
  ).toBe(true);
});

test.each([
  ['/communities', 'Mga Komunidad', 'Wala pang komunidad.'],
  ['/events', 'Mga Kaganapan', 'Walang paparating na kaganapan'],
])('%s in Filipino', async (address, title, none) => {
  await renderApp(address, { language: 'fil' });
  expect(await screen.findByRole('heading', { level: 1, name: title })).toBeVisible();
  expect(await screen.findByText(none)).toBeVisible();
});
