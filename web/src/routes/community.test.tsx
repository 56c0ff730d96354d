// /communities/{id}: header, posts for members, members and roles, rules.
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import type { CommunityDetails, CommunityMember, Post } from '@/api/schema.gen';
import { communityOf, memberOf } from '@/testing/communities';
import { postOf, priya } from '@/testing/posts';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, server, signedInAs } from '@/testing/server';

const review = communityOf();
const address = `/communities/${review.id}`;

const serve = (community: CommunityDetails) =>
  server.use(http.get('/api/communities/:id', () => HttpResponse.json(community)));
const serveMembers = (...members: CommunityMember[]) =>
  server.use(http.get('/api/communities/:id/members', () => HttpResponse.json(members)));

test('a visitor sees description, members and rules, and how to see its posts', async () => {
  serve(review);
  serveMembers(memberOf({ role: 'owner' }));
  const { user, path } = await renderApp(address);
  expect(await screen.findByRole('heading', { level: 1, name: 'Eastbay Law Review' })).toBeVisible();
  expect(document.title).toBe('Eastbay Law Review | Portia');
  expect(screen.getByText('12 members')).toBeVisible();
  expect(screen.getByText('Notes, comments and the people who cut them.')).toBeVisible();
  expect(screen.getByText('Join this community to see its posts.')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Start a post...' })).not.toBeInTheDocument();

  await user.click(screen.getByRole('tab', { name: 'Members 12' }));
  const members = within(await screen.findByRole('region', { name: 'Members' }));
  expect(await members.findByRole('link', { name: 'Priya Raghavan' })).toHaveAttribute(
    'href',
    `/profile/${priya.id}`,
  );
  expect(members.getByText('Owner')).toBeVisible();
  expect(members.queryByRole('button')).not.toBeInTheDocument();
  expect(path()).toBe(`${address}?tab=members`);

  await user.click(screen.getByRole('tab', { name: 'About' }));
  expect(
    within(await screen.findByRole('region', { name: 'Rules' })).getByText(/Cite what you claim/),
  ).toHaveClass('whitespace-pre-line');
  expect(screen.getByText('Since January 5, 2026')).toBeVisible();

  await user.click(screen.getByRole('button', { name: 'Join Eastbay Law Review' }));
  expect(await screen.findByText('Please sign in to join communities')).toBeVisible();
});

test('missing texts have placeholders', async () => {
  serve({ ...review, description: null, rules: null });
  await renderApp(`${address}?tab=about`);
  expect(await screen.findByText('This community has no description yet.')).toBeVisible();
  expect(screen.getByText('This community has no rules yet.')).toBeVisible();
});

test('a member sees its posts and creates one', async () => {
  signedInAs(isabel);
  serve({ ...review, role: 'member' });
  const community = { id: review.id, name: review.name };
  const posts: Post[] = [postOf({ content: 'Draft two is due.', community })];
  const asked: string[] = [];
  const sent: unknown[] = [];
  server.use(
    http.get('/api/posts', ({ request }) => {
      asked.push(new URL(request.url).search);
      return HttpResponse.json(posts);
    }),
    http.post('/api/posts', async ({ request }) => {
      sent.push(await request.json());
      posts.unshift(postOf({ id: 'p2', content: 'We are hiring editors.', user: isabel, community }));
      return HttpResponse.json(posts[0], { status: 201 });
    }),
  );
  const { user } = await renderApp(address);
  const article = within(await screen.findByRole('article'));
  expect(article.getByText('Draft two is due.')).toBeVisible();
  expect(article.getByRole('link', { name: 'Eastbay Law Review' })).toHaveAttribute('href', address);
  expect(asked).toEqual([`?communityId=${review.id}`]);

  await user.click(screen.getByRole('button', { name: 'Start a post...' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Create a post' }));
  expect(dialog.getByText('Posting in Eastbay Law Review')).toBeVisible();
  expect(dialog.queryByRole('combobox')).not.toBeInTheDocument();
  await user.type(dialog.getByRole('textbox', { name: 'Post' }), 'We are hiring editors.');
  await user.click(dialog.getByRole('button', { name: 'Post' }));
  expect(await screen.findByText('We are hiring editors.')).toBeVisible();
  expect(sent).toEqual([{ userId: isabel.id, content: 'We are hiring editors.', communityId: review.id }]);
});

test('a community without posts asks its member for the first one', async () => {
  signedInAs(isabel);
  serve({ ...review, role: 'member' });
  await renderApp(address);
  expect(await screen.findByText('No posts to display.')).toBeVisible();
  expect(screen.getByText('Why not create the first post?')).toBeVisible();
});

test('after joining, its posts load, also if feed learns of it a moment later', async () => {
  signedInAs(isabel);
  serve(review);
  let refused = 0;
  server.use(
    http.put('/api/communities/:id/membership', () =>
      HttpResponse.json({ ...review, role: 'member', memberCount: 13 }),
    ),
    http.get('/api/posts', () => {
      if (refused === 2) return HttpResponse.json([postOf({ content: 'Draft two is due.' })]);
      refused += 1;
      return problem(403, { error: 'Join this community to see its posts.' });
    }),
  );
  const { user } = await renderApp(address);
  await user.click(await screen.findByRole('button', { name: 'Join Eastbay Law Review' }));
  expect(await screen.findByText('Draft two is due.')).toBeVisible();
  expect(refused).toBe(2);
  expect(screen.getByText('13 members')).toBeVisible();
  expect(screen.getByText('Member')).toBeVisible();
});

test('a former member sees the refusal of feed', async () => {
  signedInAs(isabel);
  serve({ ...review, role: 'member' });
  server.use(http.get('/api/posts', () => problem(403, { error: 'Join this community to see its posts.' })));
  await renderApp(address);
  expect(await screen.findByText('Join this community to see its posts.')).toBeVisible();
});

test('a member does not see the join prompt while the session resolves', async () => {
  let answer = (_: Response) => {};
  server.use(
    http.get('/api/auth/me', () => new Promise<Response>((resolve) => (answer = resolve)) as never),
    http.get('/api/posts', () => HttpResponse.json([postOf()])),
  );
  serve({ ...review, role: 'member' });
  await renderApp(address);
  expect(await screen.findByRole('heading', { level: 1, name: 'Eastbay Law Review' })).toBeVisible();
  expect(screen.queryByText('Join this community to see its posts.')).not.toBeInTheDocument();
  answer(HttpResponse.json(isabel));
  expect(await screen.findByRole('article')).toBeVisible();
});

test('leaving removes the posts', async () => {
  signedInAs(isabel);
  serve({ ...review, role: 'member' });
  server.use(
    http.get('/api/posts', () => HttpResponse.json([postOf()])),
    http.delete('/api/communities/:id/membership', () => HttpResponse.json({ ...review, memberCount: 11 })),
  );
  const { user } = await renderApp(address);
  expect(await screen.findByRole('article')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Leave Eastbay Law Review' }));
  expect(await screen.findByText('Join this community to see its posts.')).toBeVisible();
  expect(screen.queryByRole('article')).not.toBeInTheDocument();
  expect(await screen.findByText('11 members')).toBeVisible();
});

test('an unknown community is not found and links to the others', async () => {
  server.use(http.get('/api/communities/:id', () => problem(404, { error: 'Community not found' })));
  await renderApp('/communities/nothing');
  expect(await screen.findByText('Community not found')).toBeVisible();
  expect(screen.getByRole('link', { name: 'All communities' })).toHaveAttribute('href', '/communities');
});

test('a community that fails to load can be retried', async () => {
  serve(review);
  server.use(
    http.get('/api/communities/:id', () => problem(503, { error: 'Please try again soon' }), { once: true }),
  );
  const { user } = await renderApp(address);
  expect(
    await screen.findByText('This community could not be loaded. Please try again later.'),
  ).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Try Again' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Eastbay Law Review' })).toBeVisible();
});

test('an owner updates the texts, and only changed fields are sent', async () => {
  signedInAs(isabel);
  serve({ ...review, role: 'owner' });
  const sent: unknown[] = [];
  server.use(
    http.patch('/api/communities/:id', async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json({ ...review, role: 'owner', name: 'Eastbay Review', rules: null });
    }),
  );
  const { user } = await renderApp(address);
  await user.click(await screen.findByRole('button', { name: 'Edit' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit community' }));
  expect(dialog.getByLabelText('Description')).toHaveValue('Notes, comments and the people who cut them.');
  await user.clear(dialog.getByLabelText('Name'));
  await user.type(dialog.getByLabelText('Name'), 'Eastbay Review');
  await user.clear(dialog.getByLabelText('Rules'));
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Community saved')).toBeVisible();
  expect(screen.getByText('The changes to Eastbay Review have been saved.')).toBeVisible();
  expect(screen.getByRole('heading', { level: 1, name: 'Eastbay Review' })).toBeVisible();
  expect(sent).toEqual([{ name: 'Eastbay Review', rules: '' }]);
});

test('a refused update keeps the input', async () => {
  signedInAs(isabel);
  serve({ ...review, role: 'owner' });
  server.use(http.patch('/api/communities/:id', () => problem(403, { error: 'Only its owners may.' })));
  const { user } = await renderApp(address);
  await user.click(await screen.findByRole('button', { name: 'Edit' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.type(dialog.getByLabelText('Name'), 's');
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Failed to save the community: 403: Only its owners may.')).toBeVisible();
  expect(dialog.getByLabelText('Name')).toHaveValue('Eastbay Law Reviews');
});

test('an owner makes a member an owner', async () => {
  signedInAs(isabel);
  serve({ ...review, role: 'owner' });
  serveMembers(memberOf({ user: isabel, role: 'owner' }), memberOf());
  const sent: unknown[] = [];
  server.use(
    http.patch('/api/communities/:id/members/:memberId', async ({ request, params }) => {
      sent.push([params.memberId, await request.json()]);
      return HttpResponse.json(memberOf({ role: 'owner' }));
    }),
  );
  const { user } = await renderApp(`${address}?tab=members`);
  await user.click(await screen.findByRole('button', { name: 'Options for Priya Raghavan' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Make owner' }));
  const members = within(screen.getByRole('region', { name: 'Members' }));
  await waitFor(() => expect(members.getAllByText('Owner')).toHaveLength(2));
  expect(sent).toEqual([[priya.id, { role: 'owner' }]]);
});

test('an owner who steps down loses the controls, and the last owner cannot', async () => {
  signedInAs(isabel);
  serve({ ...review, role: 'owner' });
  serveMembers(memberOf({ user: isabel, role: 'owner' }), memberOf({ role: 'owner' }));
  const sentence = 'A community needs an owner: make another member one first.';
  server.use(
    http.patch('/api/communities/:id/members/:memberId', () => problem(409, { error: sentence }), {
      once: true,
    }),
    http.patch('/api/communities/:id/members/:memberId', () => HttpResponse.json(memberOf({ user: isabel }))),
  );
  const { user } = await renderApp(`${address}?tab=members`);
  const stepDown = async () => {
    await user.click(await screen.findByRole('button', { name: 'Options for Isabel Reyes' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Make member' }));
  };
  await stepDown();
  expect(await screen.findByText(`Failed to change the role: 409: ${sentence}`)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Edit' })).toBeVisible();

  await stepDown();
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Edit' })).not.toBeInTheDocument());
  expect(screen.queryByRole('button', { name: /Options/ })).not.toBeInTheDocument();
});

test('members load page by page, and a failed list shows an error', async () => {
  serve(review);
  const page = ({ request }: { request: Request }) =>
    new URL(request.url).searchParams.has('cursor')
      ? HttpResponse.json([memberOf({ user: isabel })])
      : HttpResponse.json([memberOf()], {
          headers: { Link: '</api/communities/x/members?cursor=2>; rel="next"' },
        });
  server.use(http.get('/api/communities/:id/members', page));
  const { user, unmount } = await renderApp(`${address}?tab=members`);
  await user.click(await screen.findByRole('button', { name: 'Show more members' }));
  expect(await screen.findByRole('link', { name: 'Isabel Reyes' })).toBeVisible();
  unmount();

  server.use(http.get('/api/communities/:id/members', () => problem(503, { error: 'Busy' })));
  const failed = await renderApp(`${address}?tab=members`);
  expect(await screen.findByText('Members could not be loaded. Please try again later.')).toBeVisible();
  failed.unmount();

  // A hidden member is not listed.
  serveMembers();
  await renderApp(`${address}?tab=members`);
  expect(await screen.findByText('No members to show.')).toBeVisible();
});

test('is translated to Filipino', async () => {
  signedInAs(isabel);
  serve({ ...review, role: 'owner' });
  serveMembers(memberOf());
  await renderApp(`${address}?tab=members`, { language: 'fil' });
  expect(await screen.findByRole('tab', { name: 'Mga Kasapi 12' })).toBeVisible();
  expect(screen.getByText('May-ari')).toBeVisible();
  expect(screen.getByRole('button', { name: 'I-edit' })).toBeVisible();
  expect(await screen.findByRole('button', { name: 'Mga opsyon para kay Priya Raghavan' })).toBeVisible();
});
