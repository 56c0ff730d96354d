// The tools of a community's owners and moderators: roles, removals, bans, transfer, dissolution, and removed content.
import { screen, waitFor, within } from '@testing-library/react';
import { delay, HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import type { CommunityBan } from '@/api/schema.gen';
import { communityOf, logEntryOf, memberOf, serveCommunity, serveManaged } from '@/testing/communities';
import { postOf, priya } from '@/testing/posts';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, server, signedInAs } from '@/testing/server';

const review = communityOf();
const address = `/communities/${review.id}`;

test('a moderator sees a menu only for plain members, and removes and bans one with a reason', async () => {
  const other = { ...priya, id: 'u9', fullName: 'Owen Park' };
  serveCommunity('moderator', memberOf({ user: other, role: 'moderator' }), memberOf());
  const sent: string[] = [];
  server.use(
    http.delete('/api/communities/:id/members/:memberId', ({ request, params }) => {
      sent.push(`${params.memberId}${new URL(request.url).search}`);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  const { user } = await renderApp(`${address}?tab=members`);
  const options = await screen.findByRole('button', { name: 'Options for Priya Raghavan' });
  expect(screen.queryByRole('button', { name: 'Options for Owen Park' })).not.toBeInTheDocument();
  const members = within(screen.getByRole('region', { name: 'Members' }));
  expect(members.getByText('Moderator')).toBeVisible();
  await user.click(options);
  expect(screen.getAllByRole('menuitem')).toHaveLength(1);
  await user.click(screen.getByRole('menuitem', { name: 'Remove from the community' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Remove Priya Raghavan?' }));
  await user.selectOptions(dialog.getByLabelText('Reason'), 'Spam');
  await user.click(dialog.getByRole('checkbox', { name: 'Also ban: Priya Raghavan cannot join again' }));
  await user.click(dialog.getByRole('button', { name: 'Remove and ban' }));
  expect(await screen.findByText('Priya Raghavan was removed and banned')).toBeVisible();
  expect(sent).toEqual([`${priya.id}?ban=true&reason=spam`]);
  await waitFor(() => expect(options).toHaveFocus());
});

test('a failed removal shows the sentence of the server', async () => {
  serveCommunity('owner', memberOf());
  const error = 'Owners cannot be removed, and moderators only by an owner.';
  server.use(http.delete('/api/communities/:id/members/:memberId', () => problem(403, { error })));
  const { user } = await renderApp(`${address}?tab=members`);
  await user.click(await screen.findByRole('button', { name: 'Options for Priya Raghavan' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Remove from the community' }));
  await user.click(await screen.findByRole('button', { name: 'Remove' }));
  expect(await screen.findByText(`Failed to remove the member: 403: ${error}`)).toBeVisible();
});

test('an owner names a moderator and transfers the community', async () => {
  serveCommunity('owner', memberOf({ user: isabel, role: 'owner' }), memberOf({ role: 'moderator' }));
  const sent: unknown[] = [];
  server.use(
    http.post('/api/communities/:id/transfer', async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json({ ...review, role: 'moderator' });
    }),
  );
  const { user } = await renderApp(`${address}?tab=members`);
  await user.click(await screen.findByRole('button', { name: 'Options for Isabel Reyes' }));
  const items = (await screen.findAllByRole('menuitem')).map((item) => item.textContent);
  expect(items).toEqual(['Make moderator', 'Make member']);
  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('button', { name: 'Options for Priya Raghavan' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Transfer the community' }));
  const title = 'Transfer Eastbay Law Review to Priya Raghavan?';
  const dialog = within(await screen.findByRole('dialog', { name: title }));
  await user.click(dialog.getByRole('button', { name: 'Transfer' }));
  expect(await screen.findByText('Priya Raghavan now owns Eastbay Law Review')).toBeVisible();
  expect(sent).toEqual([{ memberId: priya.id }]);
});

test('only owners and moderators have the tab Manage', async () => {
  serveCommunity('member');
  const { unmount } = await renderApp(`${address}?tab=manage`);
  expect(await screen.findByRole('tab', { name: 'Posts' })).toHaveAttribute('aria-selected', 'true');
  expect(screen.queryByRole('tab', { name: 'Manage' })).not.toBeInTheDocument();
  unmount();

  serveCommunity('moderator');
  serveManaged([], []);
  await renderApp(`${address}?tab=manage`);
  expect(await screen.findByText('No member is banned.')).toBeVisible();
  expect(screen.getByText('No actions yet.')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Dissolve' })).not.toBeInTheDocument();
});

test.for([
  [
    'owner',
    'If you are the only owner, make another member an owner first. If you join again, you will be a member and no longer an owner.',
  ],
  ['moderator', 'If you join again, you will be a member and no longer a moderator.'],
] as const)('the dialog of leaving says that the %s loses the role', async ([role, sentence]) => {
  serveCommunity(role);
  const { user } = await renderApp(`${address}?tab=about`);
  await user.click(await screen.findByRole('button', { name: 'Leave Eastbay Law Review' }));
  const dialog = await screen.findByRole('dialog', { name: 'Leave this community?' });
  expect(dialog).toHaveAccessibleDescription(expect.stringContaining(sentence));
});

test('a ban ends', async () => {
  serveCommunity('moderator');
  const bans: CommunityBan[] = [{ user: priya, reason: 'spam', bannedAt: '2026-11-20T08:00:00Z' }];
  serveManaged(bans, []);
  server.use(
    http.delete('/api/communities/:id/bans/:memberId', () => {
      bans.pop();
      return new HttpResponse(null, { status: 204 });
    }),
  );
  const { user } = await renderApp(`${address}?tab=manage`);
  await user.click(await screen.findByRole('button', { name: 'End ban: Priya Raghavan' }));
  expect(await screen.findByText('Priya Raghavan may join again')).toBeVisible();
  expect(await screen.findByText('No member is banned.')).toBeVisible();
});

test('an owner dissolves the community after typing its name', async () => {
  serveCommunity('owner');
  serveManaged([], []);
  let deleted = 0;
  server.use(
    http.delete('/api/communities/:id', () => {
      deleted += 1;
      return new HttpResponse(null, { status: 204 });
    }),
    http.get('/api/communities', () => HttpResponse.json([])),
  );
  const { user, path } = await renderApp(`${address}?tab=manage`);
  await user.click(await screen.findByRole('button', { name: 'Dissolve' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Dissolve Eastbay Law Review?' }));
  const name = dialog.getByRole('textbox', { name: 'Type the name of the community: Eastbay Law Review' });
  expect(name).toHaveFocus();
  await user.type(name, 'Eastbay{Enter}');
  expect(dialog.getByText('This is not the name of the community')).toBeVisible();
  expect(deleted).toBe(0);
  await user.type(name, ' Law Review{Enter}');
  expect(await screen.findByText('Eastbay Law Review was dissolved')).toBeVisible();
  await waitFor(() => expect(path()).toBe('/communities'));
  expect(deleted).toBe(1);
});

test('a moderator removes a post of another member with a reason', async () => {
  serveCommunity('moderator');
  const community = { id: review.id, name: review.name };
  const sent: string[] = [];
  server.use(
    http.get('/api/posts', () => HttpResponse.json([postOf({ content: 'Buy now.', community })])),
    http.delete('/api/posts/:id', ({ request }) => {
      sent.push(new URL(request.url).search);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  const { user } = await renderApp(address);
  await screen.findByText('Buy now.');
  await user.click(screen.getByRole('button', { name: 'Options for Priya Raghavan' }));
  const item = await screen.findByRole('menuitem', { name: 'Remove from Eastbay Law Review' });
  // It may appear after the other items, and below them it moves none.
  expect(screen.getAllByRole('menuitem').at(-1)).toBe(item);
  await user.click(item);
  const dialog = within(await screen.findByRole('dialog', { name: 'Remove this post?' }));
  expect(dialog.getByText('The author will see this reason.')).toBeVisible();
  await user.selectOptions(dialog.getByLabelText('Reason'), 'Off topic');
  await user.click(dialog.getByRole('button', { name: 'Remove' }));
  expect(await screen.findByText('Post removed')).toBeVisible();
  expect(sent).toEqual(['?reason=off_topic']);
});

test('the list of communities tells the role before the community is fetched', async () => {
  signedInAs(isabel);
  const community = { id: review.id, name: review.name };
  server.use(
    http.get('/api/communities', () => HttpResponse.json([{ ...review, role: 'moderator' }])),
    http.get('/api/communities/:id', () => delay('infinite')),
    http.get('/api/posts', () => HttpResponse.json([postOf({ content: 'Buy now.', community })])),
  );
  const { user } = await renderApp('/');
  await screen.findByText('Buy now.');
  await screen.findByText('12 members');
  await user.click(screen.getByRole('button', { name: 'Options for Priya Raghavan' }));
  expect(await screen.findByRole('menuitem', { name: 'Remove from Eastbay Law Review' })).toBeVisible();
});

test('a failed removal of a post names the post', async () => {
  serveCommunity('moderator');
  const community = { id: review.id, name: review.name };
  server.use(
    http.get('/api/posts', () => HttpResponse.json([postOf({ content: 'Buy now.', community })])),
    http.delete('/api/posts/:id', () =>
      problem(403, { error: 'Only owners and moderators of this community can do this.' }),
    ),
  );
  const { user } = await renderApp(address, { language: 'fil' });
  await screen.findByText('Buy now.');
  await user.click(screen.getByRole('button', { name: 'Mga opsyon para kay Priya Raghavan' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Alisin sa Eastbay Law Review' }));
  await user.click(await screen.findByRole('button', { name: 'Alisin' }));
  const sentence = 'Mga may-ari at moderator lang ng komunidad na ito ang makakagawa nito.';
  expect(await screen.findByText(`Hindi naalis ang post: 403: ${sentence}`)).toBeVisible();
});

test('a member cannot remove a post of another member', async () => {
  serveCommunity('member');
  const community = { id: review.id, name: review.name };
  server.use(http.get('/api/posts', () => HttpResponse.json([postOf({ content: 'Hello.', community })])));
  const { user } = await renderApp(address);
  await screen.findByText('Hello.');
  await user.click(screen.getByRole('button', { name: 'Options for Priya Raghavan' }));
  expect(await screen.findByRole('menuitem', { name: /Report/ })).toBeVisible();
  expect(screen.queryByRole('menuitem', { name: /Remove/ })).not.toBeInTheDocument();
});

test('the tab is translated to Filipino', async () => {
  serveCommunity('owner');
  serveManaged([], [logEntryOf({ action: 'member_banned', reason: 'harassment' })]);
  await renderApp(`${address}?tab=manage`, { language: 'fil' });
  expect(await screen.findByRole('heading', { name: 'Mga na-ban na kasapi' })).toBeVisible();
  expect(await screen.findByText('Na-ban ni Isabel Reyes si Priya Raghavan')).toBeVisible();
  expect(screen.getByText(/Panliligalig ·/)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Buwagin' })).toBeVisible();
});
