// The feeds of the home screen, and the menu of a post: follow, hide, not interested, mute, and the reasons.
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import type { Post } from '@/api/schema.gen';
import { postOf, priya } from '@/testing/posts';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, profileOf, server, signedInAs } from '@/testing/server';

let sent: unknown[];
let asked: string[];
let posts: Post[];

beforeEach(() => {
  sent = [];
  asked = [];
  posts = [postOf()];
  signedInAs(isabel);
  const record = async ({ request }: { request: Request }) => {
    const text = await request.text();
    sent.push([request.method, new URL(request.url).pathname, text && JSON.parse(text)]);
    return new HttpResponse(null, { status: 204 });
  };
  server.use(
    http.get('/api/posts', ({ request }) => {
      asked.push(new URL(request.url).search);
      return HttpResponse.json(posts);
    }),
    http.put('/api/hidden-posts/:id', record),
    http.delete('/api/hidden-posts/:id', record),
    http.put('/api/follows/:id', record),
    http.delete('/api/follows/:id', record),
  );
});

const choose = async (user: Awaited<ReturnType<typeof renderApp>>['user'], name: string, option: string) => {
  await user.click(await screen.findByRole('combobox', { name }));
  await user.click(await screen.findByRole('option', { name: option }));
};

const openMenu = async (user: Awaited<ReturnType<typeof renderApp>>['user']) => {
  await user.click(await screen.findByRole('button', { name: `Options for ${priya.fullName}` }));
  return within(await screen.findByRole('menu'));
};

test('the chosen feed is asked, remembered per member, and left by another order', async () => {
  const { user, unmount } = await renderApp('/');
  await screen.findByText(postOf().content);
  await choose(user, 'Feed:', 'Following');
  await waitFor(() => expect(asked).toContain('?feed=following'));
  expect(screen.getByRole('combobox', { name: 'Sort by:' })).toHaveTextContent('Recent');
  expect(localStorage.getItem(`portia-feed:${isabel.id}`)).toBe('following');
  unmount();
  asked = [];
  const again = await renderApp('/');
  await waitFor(() => expect(asked).toEqual(['?feed=following']));
  await choose(again.user, 'Sort by:', 'Top');
  await waitFor(() => expect(asked).toContain('?sort=top'));
  expect(screen.getByRole('combobox', { name: 'Feed:' })).toHaveTextContent('All posts');
  expect(localStorage.getItem(`portia-feed:${isabel.id}`)).toBeNull();
});

test.each([
  ['following', 'No posts from people and topics you follow yet.', 'Find people', '/network'],
  ['community', 'No posts in your communities yet.', 'Find communities', '/communities'],
])('an empty feed %s has a way on', async (feed, text, way, address) => {
  posts = [];
  localStorage.setItem(`portia-feed:${isabel.id}`, feed);
  const { user } = await renderApp('/');
  expect(await screen.findByText(text)).toBeVisible();
  expect(within(screen.getByRole('main')).getByRole('link', { name: way })).toHaveAttribute('href', address);
  await user.click(screen.getByRole('button', { name: 'Show all posts' }));
  expect(await screen.findByText('No posts to display.')).toBeVisible();
});

test('the school feed of a member without a school leads to the profile', async () => {
  posts = [];
  signedInAs({ ...isabel, school: null });
  localStorage.setItem(`portia-feed:${isabel.id}`, 'school');
  await renderApp('/');
  expect(await screen.findByText('Your profile has no school yet.')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Open my profile' })).toHaveAttribute(
    'href',
    `/profile/${isabel.id}`,
  );
});

test('a page whose posts are all muted leads to the next one', async () => {
  server.use(
    http.get('/api/posts', ({ request }) =>
      new URL(request.url).searchParams.has('cursor')
        ? HttpResponse.json(posts)
        : HttpResponse.json([], { headers: { Link: '</api/posts?cursor=next>; rel="next"' } }),
    ),
  );
  const { user } = await renderApp('/');
  await user.click(await screen.findByRole('button', { name: 'Show more posts' }));
  expect(await screen.findByText(postOf().content)).toBeVisible();
});

test('a post is hidden in its place and comes back by Undo', async () => {
  posts = [postOf(), postOf({ id: '019a0000-0000-7000-8000-0000000000a2', content: 'The second post.' })];
  const { user } = await renderApp('/');
  await screen.findByText(postOf().content);
  await user.click(
    screen.getAllByRole('button', { name: `Options for ${priya.fullName}` })[0] as HTMLElement,
  );
  await user.click(await screen.findByRole('menuitem', { name: 'Not interested' }));
  expect(await screen.findByText('Post hidden. For 30 days you will see less like it.')).toBeVisible();
  expect(screen.queryByText(postOf().content)).not.toBeInTheDocument();
  expect(screen.getByText('The second post.')).toBeVisible();
  await waitFor(() => expect(screen.getByRole('button', { name: 'Undo' })).toHaveFocus());
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await screen.findByText(postOf().content)).toBeVisible();
  const address = `/api/hidden-posts/${postOf().id}`;
  await waitFor(() =>
    expect(sent).toEqual([
      ['PUT', address, { notInterested: true }],
      ['DELETE', address, ''],
    ]),
  );
});

test('a post that cannot be hidden comes back with the reason', async () => {
  server.use(http.put('/api/hidden-posts/:id', () => problem(503, { error: 'Please try again soon' })));
  const { user } = await renderApp('/');
  const menu = await openMenu(user);
  await user.click(await menu.findByRole('menuitem', { name: 'Hide post' }));
  expect(await screen.findByText('Failed to hide post: 503: Please try again soon')).toBeVisible();
  expect(await screen.findByText(postOf().content)).toBeVisible();
});

test('the author is followed from the menu, and a connection needs no following', async () => {
  const { user, unmount } = await renderApp('/');
  const menu = await openMenu(user);
  await user.click(await menu.findByRole('menuitem', { name: `Follow ${priya.fullName}` }));
  await waitFor(() => expect(sent).toEqual([['PUT', `/api/follows/${priya.id}`, '']]));
  unmount();
  server.use(
    http.get('/api/connections', () =>
      HttpResponse.json([
        {
          id: 'k',
          requesterId: isabel.id,
          recipientId: priya.id,
          status: 'accepted',
          createdAt: '2026-01-01',
        },
      ]),
    ),
  );
  const connected = await renderApp('/');
  const other = await openMenu(connected.user);
  expect(await other.findByRole('menuitem', { name: 'Remove connection' })).toBeVisible();
  await waitFor(() =>
    expect(other.queryByRole('menuitem', { name: `Follow ${priya.fullName}` })).not.toBeInTheDocument(),
  );
});

test('the reasons are those of the server', async () => {
  const of = (kind: string, topic: string | null = null, community: string | null = null) => ({
    kind,
    topic,
    community,
  });
  server.use(
    http.get('/api/posts/:id/reasons', () =>
      HttpResponse.json([of('followed-member'), of('community', null, 'Study Hall'), of('topic', 'moot')]),
    ),
  );
  const { user } = await renderApp('/');
  const menu = await openMenu(user);
  await user.click(await menu.findByRole('menuitem', { name: 'Why am I seeing this?' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Why am I seeing this?' }));
  expect(await dialog.findByText(`You follow ${priya.fullName}.`)).toBeVisible();
  expect(dialog.getByText('It is in Study Hall, which you belong to.')).toBeVisible();
  expect(dialog.getByText('You follow #moot.')).toBeVisible();
  expect(dialog.getByRole('link', { name: 'Feed settings' })).toHaveAttribute('href', '/settings/feed');
});

test('the author or the community of a post is muted for a day', async () => {
  posts = [postOf({ community: { id: 'c1', name: 'Study Hall' } })];
  const bodies: unknown[] = [];
  server.use(
    http.post('/api/mutes', async ({ request }) => {
      bodies.push(await request.json());
      return HttpResponse.json({ id: 'm1', kind: 'community' }, { status: 201 });
    }),
  );
  const { user } = await renderApp('/');
  const menu = await openMenu(user);
  await user.click(await menu.findByRole('menuitem', { name: 'Mute...' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Mute' }));
  await user.click(dialog.getByRole('radio', { name: 'Posts in Study Hall' }));
  await user.click(dialog.getByRole('radio', { name: '24 hours' }));
  await user.click(dialog.getByRole('button', { name: 'Mute' }));
  await waitFor(() => expect(bodies).toEqual([{ kind: 'community', targetId: 'c1', duration: 'day' }]));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
});

test('the menu of a profile offers to mute its member', async () => {
  server.use(http.get('/api/users/:id/profile', () => HttpResponse.json(profileOf({ ...isabel, ...priya }))));
  const bodies: unknown[] = [];
  server.use(
    http.post('/api/mutes', async ({ request }) => {
      bodies.push(await request.json());
      return HttpResponse.json({ id: 'm1', kind: 'member' }, { status: 201 });
    }),
  );
  const { user } = await renderApp(`/profile/${priya.id}`);
  await user.click(await screen.findByRole('button', { name: `Options for ${priya.fullName}` }));
  await user.click(await screen.findByRole('menuitem', { name: 'Mute...' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Mute' }));
  expect(dialog.getByRole('radio', { name: `Posts by ${priya.fullName}` })).toBeChecked();
  await user.click(dialog.getByRole('button', { name: 'Mute' }));
  expect(await screen.findByText('Muted')).toBeVisible();
  expect(bodies).toEqual([{ kind: 'member', targetId: priya.id, duration: 'forever' }]);
});

test('a profile offers to follow, and not the own or a restricted one', async () => {
  const other = { ...isabel, ...priya };
  server.use(http.get('/api/users/:id/profile', () => HttpResponse.json(profileOf(other))));
  const { user, unmount } = await renderApp(`/profile/${priya.id}`);
  const follow = await screen.findByRole('button', { name: `Follow ${priya.fullName}` });
  await user.click(follow);
  expect(await screen.findByRole('button', { name: `Following ${priya.fullName}` })).toBeVisible();
  expect(sent).toEqual([['PUT', `/api/follows/${priya.id}`, '']]);
  unmount();
  server.use(
    http.get('/api/users/:id/profile', () => HttpResponse.json({ ...profileOf(other), restricted: true })),
  );
  await renderApp(`/profile/${priya.id}`);
  await screen.findByText(/only/i);
  expect(screen.queryByRole('button', { name: /^Follow/ })).not.toBeInTheDocument();
});
