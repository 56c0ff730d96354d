// The search screen: query and tab in the address, the disabled button, and the results of each kind.
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, test } from 'vitest';
import { communityOf } from '@/testing/communities';
import { jobOf } from '@/testing/jobs';
import { articleOf, resourceOf } from '@/testing/news';
import { postOf, priya } from '@/testing/posts';
import { renderApp } from '@/testing/render-app';
import { answerOf, mockSearch, personOf } from '@/testing/search';
import { isabel, problem, server, signedInAs } from '@/testing/server';

const marks = () => [...document.querySelectorAll('main mark')].map(({ textContent }) => textContent);

test('the button is disabled while the query is blank', async () => {
  const { user, path } = await renderApp('/search');
  expect(await screen.findByRole('heading', { level: 1, name: 'Search' })).toBeVisible();
  const field = screen.getByRole('searchbox', { name: 'Search Portia' });
  const button = screen.getByRole('button', { name: 'Search' });
  expect(button).toBeDisabled();
  await user.type(field, '   {Enter}');
  expect(button).toBeDisabled();
  expect(path()).toBe('/search');
  await user.type(field, 'ana');
  expect(button).toBeEnabled();
});

test('a trimmed query and the tab are part of the address', async () => {
  const asked = mockSearch({ people: [], jobs: [] });
  const { user, path } = await renderApp('/search');
  await user.type(await screen.findByRole('searchbox', { name: 'Search Portia' }), ' ana & co ');
  await user.click(screen.getByRole('button', { name: 'Search' }));
  await waitFor(() => expect(path()).toBe('/search?q=ana+%26+co'));
  expect(screen.getByRole('searchbox', { name: 'Search Portia' })).toHaveValue('ana & co');
  expect(await screen.findByText('No people found matching "ana & co"')).toBeVisible();
  await user.click(screen.getByRole('tab', { name: 'Jobs' }));
  await waitFor(() => expect(path()).toBe('/search?q=ana+%26+co&type=jobs'));
  expect(await screen.findByText('No jobs found matching "ana & co"')).toBeVisible();
  expect(asked.filter(({ type }) => type)).toEqual([
    { q: 'ana & co', type: 'people' },
    { q: 'ana & co', type: 'jobs' },
  ]);
});

test('the address selects query and kind; an unknown kind is people', async () => {
  mockSearch({ people: [] });
  await renderApp('/search?q=moot&type=lawsuits');
  expect(await screen.findByRole('searchbox', { name: 'Search Portia' })).toHaveValue('moot');
  expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual([
    'People',
    'Posts',
    'Communities',
    'Resources',
    'Jobs',
    'News',
  ]);
  expect(screen.getByRole('tab', { name: 'People' })).toHaveAttribute('aria-selected', 'true');
});

test.each([
  ['posts', 'No posts found matching "zyx"'],
  ['communities', 'No communities found matching "zyx"'],
  ['resources', 'No resources found matching "zyx"'],
  ['news', 'No news found matching "zyx"'],
] as const)('an empty result of %s', async (kind, text) => {
  mockSearch({ [kind]: [] });
  await renderApp(`/search?q=zyx&type=${kind}`);
  expect(await screen.findByText(text)).toBeVisible();
});

test('an empty tab leads to those that have results', async () => {
  server.use(
    http.get('/api/search', ({ request }) => {
      const type = new URL(request.url).searchParams.get('type');
      const found = { people: [], posts: [], communities: [], resources: [], jobs: [jobOf()], news: [] };
      return HttpResponse.json(answerOf(type ? { [type]: found[type as keyof typeof found] } : found));
    }),
  );
  const { user, path } = await renderApp('/search?q=casebriefs%20%26');
  const elsewhere = within(await screen.findByRole('navigation', { name: 'Found in:' }));
  expect(elsewhere.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['Resources', 'Jobs']);
  await user.click(elsewhere.getByRole('link', { name: 'Jobs' }));
  expect(path()).toBe('/search?q=casebriefs%20%26&type=jobs');
  expect(await screen.findByText(jobOf().title)).toBeVisible();
  await waitFor(() => expect(screen.getByRole('tab', { name: 'Jobs' })).toHaveFocus());
});

test('submitting the same query refetches', async () => {
  const asked = mockSearch({ people: [] });
  const { user } = await renderApp('/search?q=moot');
  await screen.findByText('No people found matching "moot"');
  await user.click(screen.getByRole('button', { name: 'Search' }));
  await waitFor(() => expect(asked.filter(({ type }) => type)).toHaveLength(2));
});

test('a failed search and an unavailable service show an error', async () => {
  server.use(http.get('/api/search', () => problem(503, { error: 'Search is away' })));
  const { user } = await renderApp('/search?q=moot');
  expect(await screen.findByText('Error searching. Please try again later.')).toBeVisible();
  mockSearch({ posts: null }, { 'X-Degraded': 'feed' });
  await user.click(screen.getByRole('tab', { name: 'Posts' }));
  expect(await screen.findByText('Error searching. Please try again later.')).toBeVisible();
  expect(screen.queryByText(/found matching/)).not.toBeInTheDocument();
});

describe('people', () => {
  test('link to their profiles, with the matching words marked', async () => {
    mockSearch({ people: [personOf()], terms: ['priya', 'eastbay'] });
    await renderApp('/search?q=prya+eastbay');
    expect(await screen.findByRole('link', { name: 'Priya Raghavan' })).toHaveAttribute(
      'href',
      `/profile/${priya.id}`,
    );
    expect(marks()).toEqual(['Priya', 'Eastbay', 'Eastbay']);
  });

  test('a visitor who connects is asked to sign in', async () => {
    mockSearch({ people: [personOf()] });
    const { user } = await renderApp('/search?q=priya');
    await user.click(await screen.findByRole('button', { name: 'Connect' }));
    expect(await screen.findByText('Authentication required')).toBeVisible();
    expect(screen.getByText('Please sign in to connect with other users')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Message' })).toHaveAttribute('href', '/messages');
  });

  test('a member connects and opens a conversation', async () => {
    signedInAs(isabel);
    mockSearch({ people: [personOf(), personOf({ id: isabel.id, fullName: isabel.fullName })] });
    server.use(
      http.post('/api/connections', () =>
        HttpResponse.json(
          {
            id: 'c1',
            requesterId: isabel.id,
            recipientId: priya.id,
            status: 'pending',
            createdAt: '2026-11-20T08:00:00Z',
          },
          { status: 201 },
        ),
      ),
      http.post('/api/conversations', () => HttpResponse.json({ id: 'talk', folder: 'inbox' })),
      http.get('/api/conversations/:id', () => problem(503, { error: 'Later' })),
    );
    const { user, path } = await renderApp('/search?q=a');
    // There is no Connect for the member's own row.
    await user.click(await screen.findByRole('button', { name: 'Connect' }));
    expect(await screen.findByText('Connection request sent')).toBeVisible();
    expect(screen.getByText('Your connection request has been sent')).toBeVisible();
    expect(await screen.findByRole('button', { name: 'Connection Pending' })).toBeDisabled();
    await user.click(screen.getByRole('button', { name: 'Message' }));
    await waitFor(() => expect(path()).toBe('/messages/talk'));
  });

  test('the results contain the connections, which are not fetched again', async () => {
    signedInAs(isabel);
    const connection = (status: 'pending' | 'accepted') => ({
      id: `c-${status}`,
      requesterId: isabel.id,
      recipientId: priya.id,
      status,
      createdAt: '2026-11-20T08:00:00Z',
    });
    mockSearch({
      people: [
        personOf({ id: 'p1', connection: null }),
        personOf({ id: 'p2', connection: connection('pending') }),
        personOf({ id: 'p3', connection: connection('accepted') }),
        personOf({ id: 'p4' }),
      ],
    });
    const lookedUp: (string | null)[] = [];
    server.use(
      http.get('/api/connections', ({ request }) => {
        lookedUp.push(new URL(request.url).searchParams.get('recipientId'));
        return HttpResponse.json([]);
      }),
    );
    await renderApp('/search?q=priya');
    expect(await screen.findByRole('button', { name: 'Connection Pending' })).toBeDisabled();
    expect(screen.getByRole('button', { name: 'Connected' })).toBeDisabled();
    await waitFor(() => expect(screen.getAllByRole('button', { name: 'Connect' })).toHaveLength(2));
    expect(lookedUp.filter((id) => id !== isabel.id)).toEqual(['p4']);
  });

  test('a failed request shows the reason', async () => {
    signedInAs(isabel);
    mockSearch({ people: [personOf()] });
    server.use(http.post('/api/connections', () => problem(429, { error: 'Too many requests' })));
    const { user } = await renderApp('/search?q=priya');
    await user.click(await screen.findByRole('button', { name: 'Connect' }));
    expect(
      await screen.findByText('Failed to send connection request: 429: Too many requests'),
    ).toBeVisible();
  });

  test('a blocked member disappears from the results', async () => {
    signedInAs(isabel);
    mockSearch({ people: [personOf(), personOf({ id: 'p2', fullName: 'Priya Santos' })] });
    server.use(http.put('/api/blocks/:id', () => new HttpResponse(null, { status: 204 })));
    const { user } = await renderApp('/search?q=priya');
    await user.click(await screen.findByRole('button', { name: 'Options for Priya Raghavan' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Block Priya Raghavan' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Block' }));
    await waitFor(() =>
      expect(screen.queryByRole('link', { name: 'Priya Raghavan' })).not.toBeInTheDocument(),
    );
    expect(screen.getByRole('link', { name: 'Priya Santos' })).toBeVisible();
  });

  test('further pages are loaded from the Link header', async () => {
    server.use(
      http.get('/api/search', ({ request }) => {
        const second = new URL(request.url).searchParams.has('cursor');
        const people = [personOf(second ? { id: 'p2', fullName: 'Second Page' } : {})];
        const headers: Record<string, string> = second
          ? {}
          : { Link: '</api/search?q=p&type=people&cursor=2>; rel="next"' };
        return HttpResponse.json(answerOf({ people }), { headers });
      }),
    );
    const { user } = await renderApp('/search?q=p');
    await user.click(await screen.findByRole('button', { name: 'Load more' }));
    expect(await screen.findByRole('link', { name: 'Second Page' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Priya Raghavan' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Load more' })).not.toBeInTheDocument();
  });
});

test('communities, with the rows of their list; joining is shown', async () => {
  signedInAs(isabel);
  mockSearch({ communities: [communityOf()], terms: ['law'] });
  server.use(
    http.put('/api/communities/:id/membership', () =>
      HttpResponse.json(communityOf({ role: 'member', memberCount: 13 })),
    ),
  );
  const { user } = await renderApp('/search?q=law&type=communities');
  expect(await screen.findByRole('link', { name: 'Eastbay Law Review' })).toBeVisible();
  expect(marks()).toContain('Law');
  await user.click(screen.getByRole('button', { name: 'Join Eastbay Law Review' }));
  expect(await screen.findByText('13 members')).toBeVisible();
});

test('resources, followed by the matching built-in ones', async () => {
  mockSearch({ resources: [resourceOf('Bar outline')], terms: ['bar'] });
  await renderApp('/search?q=bár+review&type=resources');
  expect(await screen.findByRole('link', { name: 'Bar outline' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'BARBRI Bar Review' })).toHaveAttribute(
    'href',
    '/resources/barbri',
  );
  expect(screen.getByRole('link', { name: 'Themis Bar Review' })).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Casebriefs' })).not.toBeInTheDocument();
});

test('a built-in resource is found when the server has none', async () => {
  mockSearch({ resources: [] });
  await renderApp('/search?q=casebrief&type=resources');
  expect(await screen.findByRole('link', { name: 'Casebriefs' })).toBeVisible();
});

test('jobs, with Apply Now, and news, with Read More', async () => {
  mockSearch({ jobs: [jobOf()], news: [articleOf('Court reverses itself')], terms: ['associate', 'court'] });
  const { user } = await renderApp('/search?q=x&type=jobs');
  const job = await screen.findByRole('article', { name: 'Summer Associate' });
  expect(within(job).getByRole('button', { name: 'Apply Now' })).toBeInTheDocument();
  expect(marks()).toEqual(['Associate']);
  await user.click(screen.getByRole('tab', { name: 'News' }));
  expect(await screen.findByRole('heading', { name: 'Court reverses itself' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Read More Court reverses itself' })).toBeVisible();
  expect(marks()).toEqual(['Court']);
});

test('posts, and a like in the results is shown', async () => {
  signedInAs(isabel);
  const post = postOf({ content: 'Moot court on Friday' });
  server.use(
    http.get('/api/search', () => HttpResponse.json(answerOf({ posts: [post], terms: ['moot'] }))),
    http.post('/api/posts/:id/likes', () => {
      post.likes = [{ userId: isabel.id, type: 'like' }];
      post.likeCount = 1;
      return HttpResponse.json(post.likes[0]);
    }),
  );
  const { user } = await renderApp('/search?q=moot&type=posts');
  await user.click(await screen.findByRole('button', { name: 'Like' }));
  expect(await screen.findByText('1 like')).toBeVisible();
  expect(marks()).toEqual(['Moot']);
});

test('is translated to Filipino', async () => {
  mockSearch({ people: [] });
  await renderApp('/search?q=ana', { language: 'fil' });
  expect(await screen.findByRole('heading', { level: 1, name: 'Maghanap' })).toBeVisible();
  expect(screen.getByRole('tab', { name: 'Mga Tao' })).toBeVisible();
  expect(await screen.findByText('Walang nahanap na taong tugma sa "ana"')).toBeVisible();
});
