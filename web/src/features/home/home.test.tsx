// The side cards of the home screen: content, empty state, and failure.
import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Community, Event, Suggestion } from '@/api/schema.gen';
import { postOf, priya } from '@/testing/posts';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, profileOf, server, signedInAs } from '@/testing/server';

beforeEach(() => {
  signedInAs(isabel);
  server.use(http.get('/api/users/:id/profile', () => HttpResponse.json(profileOf(isabel))));
});

const card = async (name: string) => within(await screen.findByRole('region', { name }));

test('the summary card shows the member, and the default counters without stats', async () => {
  await renderApp('/');
  const summary = await card('Isabel Reyes');
  expect(summary.getByText('3L at Manila College of Law')).toBeVisible();
  for (const number of ['247', '1,892', '418']) expect(await summary.findByText(number)).toBeVisible();
  expect(summary.getByRole('link', { name: 'My saved items' })).toHaveAttribute('href', '/saved-items');
  expect(summary.getByRole('link', { name: 'Settings' })).toHaveAttribute('href', '/settings');
});

test('stats replace the default counters', async () => {
  const stats = { profileViews: 3, postImpressions: 12_345, connections: 0 };
  server.use(http.get('/api/users/:id/profile', () => HttpResponse.json({ ...profileOf(isabel), stats })));
  await renderApp('/');
  expect(await screen.findByText('12,345')).toBeVisible();
  expect(screen.queryByText('247')).not.toBeInTheDocument();
});

test.each([
  ['a failed profile', () => problem(503, { error: 'Please try again soon' })],
  [
    'a profile whose stats failed',
    () => HttpResponse.json(profileOf(isabel), { headers: { 'X-Degraded': 'feed' } }),
  ],
])('%s shows dashes, not the default counters', async (_, answer) => {
  server.use(http.get('/api/users/:id/profile', answer));
  await renderApp('/');
  const summary = await card('Isabel Reyes');
  await waitFor(() => expect(summary.getAllByText('–')).toHaveLength(3));
  for (const number of ['247', '1,892', '418']) expect(summary.queryByText(number)).not.toBeInTheDocument();
});

const community = (name: string, at: number): Community => ({
  id: `${at}`,
  name,
  description: null,
  memberCount: at === 0 ? 1 : 1204,
  role: at === 0 ? 'owner' : 'member',
  createdAt: '2026-01-05T08:00:00Z',
  visibility: 'public',
  joining: 'open',
  standing: null,
});
const serveCommunities = (names: string[], total = names.length) =>
  server.use(
    http.get('/api/communities', () =>
      HttpResponse.json(names.map(community), { headers: { 'X-Total-Count': `${total}` } }),
    ),
  );

test('communities: the first three, with Show all and the total if there are more', async () => {
  serveCommunities(['Eastbay Law Review', 'Constitutional Law Circle', 'Study Hall', 'Moot'], 1200);
  await renderApp('/');
  const cards = await card('Your Legal Communities');
  expect(await cards.findByText('1 member')).toBeVisible();
  expect(cards.getAllByText('1,204 members')).toHaveLength(2);
  expect(cards.queryByText('Moot')).not.toBeInTheDocument();
  expect(cards.getByRole('link', { name: /Study Hall/ })).toHaveAttribute('href', '/communities/2');
  expect(cards.getByRole('link', { name: 'Show all (1,200)' })).toHaveAttribute('href', '/communities');
});

test('communities: only those that the member has joined; without any, the way to all of them', async () => {
  const [own, other] = [community('Eastbay Law Review', 0), { ...community('Study Hall', 1), role: null }];
  server.use(http.get('/api/communities', () => HttpResponse.json([own, other])));
  const { unmount } = await renderApp('/');
  const cards = await card('Your Legal Communities');
  expect(await cards.findByText('Eastbay Law Review')).toBeVisible();
  expect(cards.queryByText('Study Hall')).not.toBeInTheDocument();
  unmount();

  server.use(http.get('/api/communities', () => HttpResponse.json([other])));
  await renderApp('/');
  const none = await card('Your Legal Communities');
  expect(await none.findByText('No communities yet')).toBeVisible();
  expect(none.getByRole('link', { name: 'Find communities' })).toHaveAttribute('href', '/communities');
});

test('communities: three without Show all, and an empty list', async () => {
  serveCommunities(['Eastbay Law Review', 'Constitutional Law Circle', 'Study Hall']);
  const { unmount } = await renderApp('/');
  const cards = await card('Your Legal Communities');
  expect(await cards.findByText('Study Hall')).toBeVisible();
  expect(cards.queryByRole('link', { name: /Show all/ })).not.toBeInTheDocument();
  unmount();

  serveCommunities([]);
  await renderApp('/');
  expect(await (await card('Your Legal Communities')).findByText('No communities yet')).toBeVisible();
});

test.each([
  ['Harvard Law REVIEW', 'lucide-users'],
  ['Constitutional Review', 'lucide-users'],
  ['The constitutional circle', 'lucide-scale'],
  ['Study Hall', 'lucide-landmark'],
])('the icon of %s depends on its name', async (name, icon) => {
  serveCommunities([name]);
  await renderApp('/');
  const link = await (await card('Your Legal Communities')).findByRole('link', { name: new RegExp(name) });
  expect(link.querySelector('svg')).toHaveClass(icon);
});

const event: Event = {
  id: 'e1',
  title: 'Moot court finals',
  location: null,
  startDate: '2026-11-28T14:00:00Z',
  endDate: '2026-11-28T16:00:00Z',
  timeZone: 'UTC',
  attendeeCount: 26,
  attendees: [],
  attending: false,
  organiser: null,
};

test('events show month, day, time and attendees in their own time zone', async () => {
  server.use(
    http.get('/api/events', () =>
      HttpResponse.json([
        event,
        // Midnight in Manila is the day before in most of the world.
        {
          ...event,
          id: 'e2',
          title: 'Night of the bar',
          startDate: '2026-11-30T16:05:00Z',
          timeZone: 'Asia/Manila',
          attendeeCount: 1,
        },
        { ...event, id: 'e3', title: 'Clinic', timeZone: 'America/New_York', attendeeCount: 0 },
        { ...event, id: 'e4', title: 'The fourth' },
      ]),
    ),
  );
  await renderApp('/');
  const events = await card('Upcoming events');
  const link = await events.findByRole('link', { name: /Moot court finals/ });
  expect(link).toHaveTextContent('Nov28Moot court finals2:00 PM · 26 attendees');
  expect(link).toHaveAttribute('href', '/events/e1');
  expect(events.getByRole('link', { name: /Night of the bar/ })).toHaveTextContent(
    'Dec1Night of the bar12:05 AM · 1 attendee',
  );
  expect(events.getByRole('link', { name: /Clinic/ })).toHaveTextContent('Nov28Clinic9:00 AM · 0 attendees');
  expect(events.queryByText('The fourth')).not.toBeInTheDocument();
  expect(events.getByRole('link', { name: 'View all events' })).toHaveAttribute('href', '/events');
});

test('an unknown time zone does not break the card', async () => {
  server.use(http.get('/api/events', () => HttpResponse.json([{ ...event, timeZone: 'Moon/Tycho' }])));
  await renderApp('/');
  expect(await (await card('Upcoming events')).findByText('2:00 PM · 26 attendees')).toBeVisible();
});

const suggestion = (name: string, changes: Partial<Suggestion> = {}): Suggestion => ({
  id: `019a0000-0000-7000-8000-0000000000${name.length.toString(16).padStart(2, '0')}`,
  fullName: name,
  headline: null,
  avatarUrl: null,
  mutualConnections: 0,
  reason: 'active',
  ...changes,
});

/** Serves these suggestions, except members that were ignored or requested. */
function suggest(...people: Suggestion[]) {
  const gone = new Set<unknown>();
  server.use(
    http.get('/api/users/:id/suggestions', () => HttpResponse.json(people.filter(({ id }) => !gone.has(id)))),
  );
  return gone;
}

test('a suggestion shows the mutual connections or the reason', async () => {
  suggest(
    suggestion('Priya', { mutualConnections: 2, reason: 'mutual_connections' }),
    suggestion('Thea L', { reason: 'school' }),
    suggestion('Carlo Di', { reason: 'location' }),
    suggestion('The fourth one'),
  );
  await renderApp('/');
  const people = await card('People you may know');
  expect(await people.findByText('2 mutual connections')).toBeVisible();
  expect(people.getByText('Same school')).toBeVisible();
  expect(people.getByText('Same location')).toBeVisible();
  expect(people.queryByText('The fourth one')).not.toBeInTheDocument();
  expect(people.getByRole('link', { name: 'Thea L' })).toHaveAttribute(
    'href',
    `/profile/${suggestion('Thea L').id}`,
  );
  expect(people.getByRole('link', { name: 'Show more' })).toHaveAttribute('href', '/network');
});

test('connecting with a suggestion refetches the suggestions', async () => {
  const sent: unknown[] = [];
  const gone = suggest({ ...priya, mutualConnections: 2, reason: 'mutual_connections' });
  server.use(
    http.post('/api/connections', async ({ request }) => {
      sent.push(await request.json());
      gone.add(priya.id);
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

test('a failed request shows the reason', async () => {
  suggest({ ...priya, mutualConnections: 0, reason: 'active' });
  server.use(http.post('/api/connections', () => problem(429, { error: 'Too many requests' })));
  const { user } = await renderApp('/');
  await user.click(await screen.findByRole('button', { name: 'Connect' }));
  expect(await screen.findByText('Failed to send connection request: 429: Too many requests')).toBeVisible();
});

test('an ignored suggestion disappears at once and is replaced by the next one', async () => {
  const names = ['One', 'Four', 'Seven..', 'Nineteen'];
  const gone = suggest(...names.map((name) => suggestion(name)));
  let answer = () => {};
  server.use(
    http.delete('/api/users/:id/suggestions/:memberId', async ({ params }) => {
      expect(params.id).toBe(isabel.id);
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      gone.add(params.memberId);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  const { user } = await renderApp('/');
  const people = await card('People you may know');
  await user.click(await people.findByRole('button', { name: 'Ignore Four' }));
  expect(people.queryByText('Four')).not.toBeInTheDocument();
  expect(people.getByText('Nineteen')).toBeVisible();
  // The focus stays.
  expect(screen.getByRole('region', { name: 'People you may know' })).toHaveFocus();
  answer();
  await waitFor(() => expect(gone.size).toBe(1));
  expect(people.queryByText('Four')).not.toBeInTheDocument();
});

test('a suggestion that could not be ignored returns with the reason', async () => {
  suggest(suggestion('One'), suggestion('Four'));
  let fail = () => {};
  server.use(
    http.delete('/api/users/:id/suggestions/:memberId', async () => {
      await new Promise<void>((resolve) => {
        fail = resolve;
      });
      return problem(503, { error: 'Please try again soon' });
    }),
  );
  const { user } = await renderApp('/');
  const people = await card('People you may know');
  await user.click(await people.findByRole('button', { name: 'Ignore One' }));
  expect(people.queryByText('One')).not.toBeInTheDocument();
  fail();
  expect(await people.findByText('One')).toBeVisible();
  expect(await screen.findByText('Error')).toBeVisible();
  expect(screen.getByText('Failed to ignore suggestion: 503: Please try again soon')).toBeVisible();
  expect(people.getAllByRole('listitem').map((row) => within(row).getByRole('link').textContent)).toEqual([
    'One',
    'Four',
  ]);
});

describe('each list may fail without affecting the others', () => {
  const stats = { profileViews: 3, postImpressions: 12_345, connections: 9 };
  const lists = {
    '/api/posts': {
      fails: () => screen.findByText('Error loading posts. Please try again later.'),
      works: () => screen.findByText('Note submissions close on Friday.'),
    },
    '/api/communities': {
      fails: async () => (await card('Your Legal Communities')).findByText('This could not be loaded.'),
      works: () => screen.findByText('Eastbay Law Review'),
    },
    '/api/events': {
      fails: async () => (await card('Upcoming events')).findByText('This could not be loaded.'),
      works: () => screen.findByText('2:00 PM · 26 attendees'),
    },
    '/api/users/:id/suggestions': {
      fails: async () => (await card('People you may know')).findByText('This could not be loaded.'),
      works: () => screen.findByText('Same school'),
    },
    '/api/resources': {
      // The built-in resources need no server.
      fails: async () => (await card('Law school resources')).findByRole('link', { name: 'Casebriefs' }),
      works: () => screen.findByRole('link', { name: 'Evidence: the hearsay map' }),
    },
    '/api/users/:id/profile': {
      fails: async () => (await (await card('Isabel Reyes')).findAllByText('–'))[0],
      works: () => screen.findByText('12,345'),
    },
  };
  type ListName = keyof typeof lists;
  const names = Object.keys(lists) as ListName[];

  beforeEach(() => {
    serveCommunities(['Eastbay Law Review']);
    suggest(suggestion('Thea', { reason: 'school' }));
    const map = { id: 'r1', title: 'Evidence: the hearsay map', description: '', url: null, type: 'guide' };
    server.use(
      http.get('/api/posts', () => HttpResponse.json([postOf()])),
      http.get('/api/events', () => HttpResponse.json([event])),
      http.get('/api/resources', () => HttpResponse.json([map])),
      http.get('/api/users/:id/profile', () => HttpResponse.json({ ...profileOf(isabel), stats })),
    );
  });

  test.each(names)('%s', async (failing) => {
    server.use(http.get(failing, () => problem(503, { error: 'Away' })));
    await renderApp('/');
    expect(await lists[failing].fails()).toBeVisible();
    for (const name of names) if (name !== failing) expect(await lists[name].works(), name).toBeVisible();
  });

  test('a list that never responds does not delay the others', async () => {
    server.use(http.get('/api/users/:id/suggestions', () => new Promise<never>(() => {})));
    await renderApp('/');
    for (const name of names)
      if (name !== '/api/users/:id/suggestions') expect(await lists[name].works(), name).toBeVisible();
  });

  test.each(['/api/communities', '/api/events', '/api/users/:id/suggestions'] as const)(
    '%s: empty only because its service did not respond',
    async (degraded) => {
      const headers = { 'X-Degraded': 'social-graph' };
      server.use(http.get(degraded, () => HttpResponse.json([], { headers })));
      await renderApp('/');
      expect(await lists[degraded].fails()).toBeVisible();
    },
  );

  test('a list whose service returns appears without a reload', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const headers = { 'X-Degraded': 'social-graph' };
    server.use(http.get('/api/communities', () => HttpResponse.json([], { headers })));
    await renderApp('/');
    expect(await lists['/api/communities'].fails()).toBeVisible();
    serveCommunities(['Study Hall']);
    act(() => void vi.advanceTimersByTime(4_000));
    expect(await (await card('Your Legal Communities')).findByText('Study Hall')).toBeVisible();
  });

  test('all lists', async () => {
    server.use(...names.map((name) => http.get(name, () => problem(503, { error: 'Away' }))));
    await renderApp('/');
    for (const name of names) expect(await lists[name].fails(), name).toBeVisible();
  });
});

test('empty side cards show a line', async () => {
  await renderApp('/');
  expect(await screen.findByText('No upcoming events')).toBeVisible();
  expect(screen.getByText('No connection suggestions right now')).toBeVisible();
  const resources = await card('Law school resources');
  for (const name of ['Casebriefs', 'BARBRI Bar Review', 'Themis Bar Review'])
    expect(resources.getByRole('link', { name })).toBeVisible();
  expect(resources.getByRole('link', { name: 'Explore all resources' })).toHaveAttribute(
    'href',
    '/resources',
  );
  const footer = within(screen.getByRole('navigation', { name: 'Footer' }));
  for (const [name, href] of [
    ['About', '/about'],
    ['Privacy', '/privacy'],
    ['Terms', '/terms'],
    ['Cookies', '/cookies'],
    ['Copyright', '/copyright'],
    ['Brand', '/brand'],
    ['Status', '/status'],
  ] as const)
    expect(footer.getByRole('link', { name })).toHaveAttribute('href', href);
});

test('is translated to Filipino', async () => {
  suggest(suggestion('Thea', { reason: 'school' }));
  await renderApp('/', { language: 'fil' });
  expect(await screen.findByText('Parehong paaralan')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Huwag pansinin si Thea' })).toBeVisible();
});

test('the summary card links to the member’s own profile, with picture or initials, name and place', async () => {
  await renderApp('/');
  const summary = await card('Isabel Reyes');
  const way = summary.getByText('3L at Manila College of Law').closest('a');
  expect(way).toHaveAttribute('href', `/profile/${isabel.id}`);
  for (const text of ['IR', 'Isabel Reyes', 'Manila, Philippines']) expect(way).toHaveTextContent(text);
});

test('on a phone the columns are requested after the posts', async () => {
  const asked: string[] = [];
  const record = ({ request }: { request: Request }) => asked.push(new URL(request.url).pathname);
  server.events.on('request:start', record);
  onTestFinished(() => server.events.removeListener('request:start', record));
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (media) => Object.assign(new EventTarget(), { media, matches: false }) as unknown as MediaQueryList,
  );
  let answer = () => {};
  const posted = new Promise<void>((resolve) => {
    answer = resolve;
  });
  server.use(
    http.get('/api/posts', async () => {
      await posted;
      return HttpResponse.json([postOf()]);
    }),
  );
  await renderApp('/');
  await waitFor(() => expect(asked).toContain('/api/posts'));
  expect(asked).not.toContain('/api/events');
  answer();
  await screen.findByText(postOf().content);
  await waitFor(() => expect(asked).toContain('/api/events'));
  expect(await screen.findByRole('link', { name: 'My saved items' })).toBeInTheDocument();
});
