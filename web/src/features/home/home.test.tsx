// The side cards of the signed-in home: what they show, when they are empty, and when their list fails.
import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { priya } from '@/testing/posts';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, profileOf, server, signedInAs } from '@/testing/server';

beforeEach(() => {
  signedInAs(isabel);
  server.use(http.get('/api/users/:id/profile', () => HttpResponse.json(profileOf(isabel))));
});

const card = async (name: string) => within(await screen.findByRole('region', { name }));

test('the summary card shows the member, and the default counters when no stats are supplied', async () => {
  await renderApp('/');
  const summary = await card('Isabel Reyes');
  expect(summary.getByText('3L at Manila College of Law')).toBeVisible();
  for (const number of ['247', '1,892', '418']) expect(await summary.findByText(number)).toBeVisible();
  expect(summary.getByRole('link', { name: 'My saved items' })).toHaveAttribute('href', '/saved-items');
  expect(summary.getByRole('link', { name: 'Settings' })).toHaveAttribute('href', '/settings');
});

test('stats that are supplied take the place of the defaults', async () => {
  const stats = { profileViews: 3, postImpressions: 12_345, connections: 0 };
  server.use(http.get('/api/users/:id/profile', () => HttpResponse.json({ ...profileOf(isabel), stats })));
  await renderApp('/');
  expect(await screen.findByText('12,345')).toBeVisible();
  expect(screen.queryByText('247')).not.toBeInTheDocument();
});

test('communities: the first three, with Show all when there are more', async () => {
  const communities = ['Eastbay Law Review', 'Constitutional Law Circle', 'Study Hall', 'Moot'].map(
    (name, at) => ({ id: `${at}`, name, memberCount: at === 0 ? 1 : 1204 }),
  );
  server.use(http.get('/api/communities', () => HttpResponse.json(communities)));
  await renderApp('/');
  const cards = await card('Your Legal Communities');
  expect(await cards.findByText('1 member')).toBeVisible();
  expect(cards.getAllByText('1,204 members')).toHaveLength(2);
  expect(cards.queryByText('Moot')).not.toBeInTheDocument();
  expect(cards.getByRole('link', { name: 'Show all (4)' })).toHaveAttribute('href', '/communities');
});

test('events show month, day, time and attendees', async () => {
  const event = { id: 'e1', title: 'Moot court finals', location: null, attendees: [] };
  server.use(
    http.get('/api/events', () =>
      HttpResponse.json([{ ...event, startDate: '2026-11-28T14:00:00', attendeeCount: 26 }]),
    ),
  );
  await renderApp('/');
  const events = await card('Upcoming events');
  const link = await events.findByRole('link', { name: /Moot court finals/ });
  expect(link).toHaveTextContent('Nov28Moot court finals2:00 PM · 26 attendees');
  expect(link).toHaveAttribute('href', '/events/e1');
});

test('a suggestion can be connected with, after which the suggestions are fetched anew', async () => {
  const sent: unknown[] = [];
  let people = [{ ...priya, mutualConnections: 2 }];
  server.use(
    http.get('/api/users/:id/suggestions', () => HttpResponse.json(people)),
    http.post('/api/connections', async ({ request }) => {
      sent.push(await request.json());
      people = [];
      return HttpResponse.json({
        id: 'c1',
        requesterId: isabel.id,
        recipientId: priya.id,
        status: 'pending',
      });
    }),
  );
  const { user } = await renderApp('/');
  const cards = await card('People you may know');
  await user.click(await cards.findByRole('button', { name: 'Connect' }));
  expect(await screen.findByText('Connection request sent')).toBeVisible();
  expect(screen.getByText('Your connection request has been sent')).toBeVisible();
  expect(await cards.findByText('No connection suggestions right now')).toBeVisible();
  expect(sent).toEqual([{ requesterId: isabel.id, recipientId: priya.id, status: 'pending' }]);
});

test('a request that fails tells why', async () => {
  server.use(
    http.get('/api/users/:id/suggestions', () => HttpResponse.json([{ ...priya, mutualConnections: 0 }])),
    http.post('/api/connections', () => problem(429, { error: 'Too many requests' })),
  );
  const { user } = await renderApp('/');
  await user.click(await screen.findByRole('button', { name: 'Connect' }));
  expect(await screen.findByText('Failed to send connection request: 429: Too many requests')).toBeVisible();
});

test('every side card may be empty or fail, and the page stands', async () => {
  server.use(
    http.get('/api/communities', () => problem(503, { error: 'Away' })),
    http.get('/api/events', () => HttpResponse.json([])),
    http.get('/api/resources', () => problem(503, { error: 'Away' })),
  );
  await renderApp('/');
  expect(await (await card('Your Legal Communities')).findByText('This could not be loaded.')).toBeVisible();
  expect(await screen.findByText('No upcoming events')).toBeVisible();
  const resources = await card('Law school resources');
  expect(await resources.findByRole('link', { name: 'Casebriefs' })).toBeVisible();
  expect(await screen.findByText('No posts to display.')).toBeVisible();
});
