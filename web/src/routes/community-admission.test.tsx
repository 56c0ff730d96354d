// Joining on request and by invitation, and private communities: the member's side and the tab Manage.
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import type { CommunityDetails } from '@/api/schema.gen';
import { communityOf, serveAdmission, serveManaged } from '@/testing/communities';
import { priya } from '@/testing/posts';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, server, signedInAs } from '@/testing/server';

const review = communityOf();
const address = `/communities/${review.id}`;
const since = '2026-11-20T08:00:00Z';

/** Before the route of one community, which matches its address too. */
const noInvitations = http.get('/api/communities/invitations', () => HttpResponse.json([]));

/** Serves the community of the page; `answers` are the responses to joining and leaving. */
function serve(
  community: Partial<CommunityDetails>,
  answers: { put?: Partial<CommunityDetails>; delete?: Partial<CommunityDetails> | null } = {},
) {
  signedInAs(isabel);
  let current = communityOf(community);
  const calls: string[] = [];
  const answer = (method: 'put' | 'delete') => () => {
    calls.push(method);
    const changes = answers[method];
    if (changes === null) return new HttpResponse(null, { status: 204 });
    current = { ...current, ...changes };
    return HttpResponse.json(current);
  };
  server.use(
    noInvitations,
    http.get('/api/communities/:id', () => HttpResponse.json(current)),
    http.put('/api/communities/:id/membership', answer('put')),
    http.delete('/api/communities/:id/membership', answer('delete')),
  );
  return calls;
}

test('a member asks to join, sees it, and cancels the request', async () => {
  const calls = serve({ joining: 'request' }, { put: { standing: 'requested' }, delete: { standing: null } });
  const { user } = await renderApp(address);
  expect(await screen.findByText('Join on request')).toBeVisible();
  expect(screen.getByText('Only members see the posts of this community. Ask to join it.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: `Request to join ${review.name}` }));
  expect(await screen.findByText(`You asked to join ${review.name}`)).toBeVisible();
  expect(screen.getByText('Requested')).toBeVisible();
  await user.click(screen.getByRole('button', { name: `Cancel request to join ${review.name}` }));
  expect(await screen.findByText(`You cancelled your request to join ${review.name}`)).toBeVisible();
  expect(screen.queryByText('Requested')).not.toBeInTheDocument();
  expect(calls).toEqual(['put', 'delete']);
});

test('a refused request is taken back with the sentence of the server', async () => {
  serve({ joining: 'request' });
  const error = 'You cannot join this community, because its moderators have banned you.';
  server.use(http.put('/api/communities/:id/membership', () => problem(403, { error })));
  const { user } = await renderApp(address);
  await user.click(await screen.findByRole('button', { name: `Request to join ${review.name}` }));
  expect(await screen.findByText(`Failed to join the community: 403: ${error}`)).toBeVisible();
  expect(screen.queryByText('Requested')).not.toBeInTheDocument();
});

test('without an invitation there is no button', async () => {
  serve({ joining: 'invitation' });
  await renderApp(address);
  expect(await screen.findByText('Join by invitation')).toBeVisible();
  expect(screen.queryByRole('button', { name: /Join|Request/ })).not.toBeInTheDocument();
  expect(
    screen.getByText('Only members see the posts of this community. You can join it by invitation only.'),
  ).toBeVisible();
});

const invited = { visibility: 'private', joining: 'invitation', standing: 'invited' } as const;

test('an invited member sees no members of a private community and accepts', async () => {
  const calls = serve(invited, { put: { role: 'member', standing: null } });
  const { user } = await renderApp(address);
  expect(await screen.findByText('Private')).toBeVisible();
  expect(screen.getByText('Invited')).toBeVisible();
  expect(screen.queryByRole('tab', { name: /Members/ })).not.toBeInTheDocument();
  expect(screen.getByText('Accept the invitation to see the posts of this community.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: `Accept the invitation to ${review.name}` }));
  expect(await screen.findByText(`You joined ${review.name}`)).toBeVisible();
  expect(screen.getByRole('tab', { name: /Members/ })).toBeVisible();
  expect(calls).toEqual(['put']);
});

test('a declined private community disappears', async () => {
  serve(invited, { delete: null });
  const { user } = await renderApp(address);
  await user.click(await screen.findByRole('button', { name: `Decline the invitation to ${review.name}` }));
  expect(await screen.findByText(`You declined the invitation to ${review.name}`)).toBeVisible();
  expect(await screen.findByRole('heading', { level: 1, name: 'Communities' })).toBeVisible();
});

test('a member is asked before leaving a private community', async () => {
  const calls = serve({ ...invited, standing: null, role: 'member' }, { delete: null });
  const { user } = await renderApp(address);
  await user.click(await screen.findByRole('button', { name: `Leave ${review.name}` }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Leave this community?' }));
  expect(dialog.getAllByText(/You can join again only by invitation\.$/)[0]).toBeVisible();
  expect(calls).toEqual([]);
  await user.click(dialog.getByRole('button', { name: 'Leave' }));
  expect(await screen.findByText(`You left ${review.name}`)).toBeVisible();
  expect(await screen.findByRole('heading', { level: 1, name: 'Communities' })).toBeVisible();
});

test('the list of communities begins with the invitations of the member', async () => {
  const calls = serve(invited, { put: { role: 'member', standing: null } });
  const invitation = { community: communityOf(invited), invitedBy: priya, invitedAt: since };
  server.use(
    http.get('/api/communities', () => HttpResponse.json([])),
    http.get('/api/communities/invitations', () => HttpResponse.json(calls.length > 0 ? [] : [invitation])),
  );
  const { user } = await renderApp('/communities');
  const card = within(await screen.findByRole('region', { name: 'Invitations' }));
  expect(card.getByText(/Invited by Priya Raghavan/)).toBeVisible();
  await user.click(card.getByRole('button', { name: `Accept the invitation to ${review.name}` }));
  expect(await screen.findByText(`You joined ${review.name}`)).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Invitations' })).not.toBeInTheDocument());
});

test('a moderator approves one request and declines another', async () => {
  serve({ role: 'moderator', joining: 'request' });
  serveManaged([], []);
  const other = { ...priya, id: 'u9', fullName: 'Owen Park' };
  const waiting = [priya, other];
  serveAdmission([], []);
  const sent: string[] = [];
  const answer = (method: string) =>
    http[method === 'PUT' ? 'put' : 'delete']('/api/communities/:id/requests/:memberId', ({ params }) => {
      sent.push(`${method} ${params.memberId}`);
      waiting.splice(
        waiting.findIndex(({ id }) => id === params.memberId),
        1,
      );
      return new HttpResponse(null, { status: 204 });
    });
  server.use(
    http.get('/api/communities/:id/requests', () =>
      HttpResponse.json(waiting.map((user) => ({ user, requestedAt: since }))),
    ),
    answer('PUT'),
    answer('DELETE'),
  );
  const { user } = await renderApp(`${address}?tab=manage`);
  await user.click(await screen.findByRole('button', { name: 'Approve Priya Raghavan’s request' }));
  expect(await screen.findByText('Priya Raghavan is a member now')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Decline Owen Park’s request' }));
  expect(await screen.findByText('Owen Park’s request was declined')).toBeVisible();
  expect(await screen.findByText('No requests.')).toBeVisible();
  expect(sent).toEqual([`PUT ${priya.id}`, 'DELETE u9']);
});

test('a moderator withdraws an invitation', async () => {
  serve({ role: 'owner', joining: 'invitation' });
  serveManaged([], []);
  let invitations = [{ user: priya, invitedBy: isabel, invitedAt: since }];
  server.use(
    http.get('/api/communities/:id/invitations', () => HttpResponse.json(invitations)),
    http.delete('/api/communities/:id/invitations/:memberId', () => {
      invitations = [];
      return new HttpResponse(null, { status: 204 });
    }),
  );
  const { user } = await renderApp(`${address}?tab=manage`);
  await user.click(await screen.findByRole('button', { name: 'Withdraw Priya Raghavan’s invitation' }));
  expect(await screen.findByText('Priya Raghavan’s invitation was withdrawn')).toBeVisible();
  expect(await screen.findByText('No invitations are waiting for an answer.')).toBeVisible();
  expect(screen.queryByRole('heading', { name: 'Requests to join' })).not.toBeInTheDocument();
});

test('a moderator invites members', async () => {
  serve({ role: 'owner', joining: 'invitation' });
  serveManaged([], []);
  const sent: string[] = [];
  server.use(
    http.get('/api/search', () => HttpResponse.json({ people: [priya] })),
    http.put('/api/communities/:id/invitations/:memberId', ({ params }) => {
      sent.push(String(params.memberId));
      return new HttpResponse(null, { status: 204 });
    }),
  );
  const { user } = await renderApp(`${address}?tab=manage`);
  await user.click(await screen.findByRole('button', { name: 'Invite members' }));
  const dialog = within(await screen.findByRole('dialog', { name: `Invite members to ${review.name}` }));
  await user.click(dialog.getByRole('button', { name: 'Invite members' }));
  expect(await dialog.findByText('Choose at least one member.')).toBeVisible();
  expect(dialog.getByRole('searchbox')).toHaveAccessibleDescription('Choose at least one member.');
  expect(dialog.getByRole('searchbox')).toHaveFocus();
  await user.type(dialog.getByRole('searchbox'), 'priya');
  await user.click(await dialog.findByRole('checkbox', { name: /Priya Raghavan/ }));
  await user.click(dialog.getByRole('button', { name: 'Invite members' }));
  expect(await screen.findByText(`1 member was invited to ${review.name}`)).toBeVisible();
  expect(sent).toEqual([priya.id]);
});

test('the dialog creates a private community', async () => {
  signedInAs(isabel);
  const sent: unknown[] = [];
  server.use(
    noInvitations,
    http.get('/api/communities', () => HttpResponse.json([])),
    http.get('/api/communities/:id', () =>
      HttpResponse.json(communityOf({ ...invited, standing: null, role: 'owner' })),
    ),
    http.post('/api/communities', async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json(communityOf({ ...invited, standing: null, role: 'owner' }), { status: 201 });
    }),
  );
  const { user } = await renderApp('/communities');
  await user.click(await screen.findByRole('button', { name: 'Create a community' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Create a community' }));
  await user.type(dialog.getByLabelText('Name'), 'Moot');
  await user.selectOptions(dialog.getByLabelText('Who can see and join it?'), 'Private, by invitation');
  expect(dialog.getByText('Only members and invited members know that the community exists.')).toBeVisible();
  await user.click(dialog.getByRole('button', { name: 'Create' }));
  expect(await screen.findByText('Community created')).toBeVisible();
  expect(sent).toEqual([{ name: 'Moot', visibility: 'private', joining: 'invitation' }]);
});
