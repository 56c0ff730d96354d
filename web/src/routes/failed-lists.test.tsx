// A list or screen that failed to load offers to try again, and shows its content after a successful response.
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { postOf } from '@/testing/posts';
import { renderApp } from '@/testing/render-app';
import { mockSearch, personOf } from '@/testing/search';
import { isabel, problem, profileOf, server, signedInAs } from '@/testing/server';

beforeEach(() => signedInAs(isabel));

/** Address, request, the specification's sentence, and what the first successful response shows. */
const screens: [string, string, string, string][] = [
  ['/', '/api/posts', 'Error loading posts. Please try again later.', 'No posts to display.'],
  [
    '/network',
    '/api/users/:id/connections',
    'Error loading connections. Please try again later.',
    "You don't have any connections yet.",
  ],
  [
    '/network?tab=requests',
    '/api/connections',
    'Error loading pending invitations. Please try again later.',
    "You don't have any pending invitations.",
  ],
  [
    '/network?tab=suggestions',
    '/api/users/:id/suggestions',
    'Error loading suggestions. Please try again later.',
    'No connection suggestions right now.',
  ],
  ['/jobs', '/api/jobs', 'Error loading jobs. Please try again.', 'No jobs found'],
  [
    '/messages',
    '/api/conversations',
    'Error loading conversations',
    'No conversations yet. Connect with other members to start messaging.',
  ],
];

test.each(screens)('%s: a failed request to %s is tried again', async (path, request, failed, content) => {
  server.use(http.get(request, () => problem(503, { error: 'Please try again soon' })));
  const { user } = await renderApp(path);
  expect(await screen.findByText(failed)).toBeVisible();
  server.use(http.get(request, () => HttpResponse.json([])));
  await user.click(screen.getByRole('button', { name: 'Try Again' }));
  expect(await screen.findByText(content)).toBeVisible();
  expect(screen.queryByText(failed)).not.toBeInTheDocument();
});

test('resources: a failed list is tried again', async () => {
  server.use(http.get('/api/resources', () => problem(503, { error: 'Please try again soon' })));
  const { user } = await renderApp('/resources');
  const failed = 'Error loading resources. Please try again later.';
  expect(await screen.findByText(failed)).toBeVisible();
  server.use(http.get('/api/resources', () => HttpResponse.json([])));
  await user.click(screen.getByRole('button', { name: 'Try Again' }));
  await expect.poll(() => screen.queryByText(failed)).toBeNull();
});

test('a failed profile is tried again', async () => {
  const address = '/api/users/:id/profile';
  server.use(http.get(address, () => problem(503, { error: 'Please try again soon' })));
  const { user } = await renderApp('/profile/u2');
  expect(await screen.findByText('Error loading profile')).toBeVisible();
  const priya = { ...isabel, id: 'u2', fullName: 'Priya Sharma' };
  server.use(http.get(address, () => HttpResponse.json(profileOf(priya))));
  await user.click(screen.getByRole('button', { name: 'Try Again' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Priya Sharma' })).toBeVisible();
});

test('the activity of a profile is tried again', async () => {
  const address = '/api/users/:id/activity';
  server.use(http.get(address, () => problem(503, { error: 'Please try again soon' })));
  const { user } = await renderApp(`/profile/${isabel.id}`);
  await user.click(await screen.findByRole('tab', { name: 'Activity' }));
  const again = await screen.findByRole('button', { name: 'Try Again' });
  server.use(http.get(address, () => HttpResponse.json([])));
  await user.click(again);
  expect(await screen.findByText('Recent activity will appear here.')).toBeVisible();
});

test('a failed further page of the feed is tried again, and the loaded posts stay', async () => {
  let broken = true;
  server.use(
    http.get('/api/posts', ({ request }) => {
      if (!new URL(request.url).searchParams.has('cursor'))
        return HttpResponse.json([postOf({ id: 'p1', content: 'The first page' })], {
          headers: { Link: '</api/posts?cursor=2>; rel="next"' },
        });
      if (broken) return problem(503, { error: 'Please try again soon' });
      return HttpResponse.json([postOf({ id: 'p2', content: 'The second page' })]);
    }),
  );
  const { user } = await renderApp('/');
  await user.click(await screen.findByRole('button', { name: 'Show more posts' }));
  const again = await screen.findByRole('button', { name: 'Try Again' });
  expect(screen.getByText('The first page')).toBeVisible();
  broken = false;
  await user.click(again);
  expect(await screen.findByText('The second page')).toBeVisible();
  expect(screen.getByText('The first page')).toBeVisible();
});

test.each([
  ['/api/communities', 'Your Legal Communities', 'No communities yet'],
  ['/api/events', 'Upcoming events', 'No upcoming events'],
])('a card of home is tried again: %s', async (address, name, empty) => {
  server.use(http.get(address, () => problem(503, { error: 'Please try again soon' })));
  const { user } = await renderApp('/');
  const card = within(await screen.findByRole('region', { name }));
  expect(await card.findByText('This could not be loaded.')).toBeVisible();
  server.use(http.get(address, () => HttpResponse.json([])));
  await user.click(card.getByRole('button', { name: 'Try Again' }));
  expect(await card.findByText(empty)).toBeVisible();
});

test.each(['New group', 'New message'])('the members of the dialog %s are tried again', async (name) => {
  const { user } = await renderApp('/messages');
  await screen.findByText('No conversations yet. Connect with other members to start messaging.');
  server.use(http.get('/api/search', () => problem(503, { error: 'Please try again soon' })));
  await user.click(screen.getByRole('button', { name }));
  const dialog = within(await screen.findByRole('dialog', { name }));
  await user.type(dialog.getByRole('searchbox'), 'Priya');
  expect(await dialog.findByText('Error loading members')).toBeVisible();
  mockSearch({ people: [personOf()] });
  await user.click(dialog.getByRole('button', { name: 'Try Again' }));
  expect(await dialog.findByText('Priya Raghavan')).toBeVisible();
});

test('the conversations that a post can be sent to are tried again', async () => {
  server.use(
    http.get('/api/posts', () => HttpResponse.json([postOf()])),
    http.get('/api/conversations', () => problem(503, { error: 'Please try again soon' })),
  );
  const { user } = await renderApp('/');
  await user.click(await screen.findByRole('button', { name: 'Send' }));
  const dialog = within(await screen.findByRole('dialog'));
  const failed = 'Your conversations could not be loaded. Please try again later.';
  expect(await dialog.findByText(failed)).toBeVisible();
  server.use(http.get('/api/conversations', () => HttpResponse.json([])));
  await user.click(dialog.getByRole('button', { name: 'Try Again' }));
  await waitFor(() => expect(dialog.queryByText(failed)).not.toBeInTheDocument());
});
