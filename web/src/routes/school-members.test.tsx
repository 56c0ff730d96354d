// /school/members: for stewards only; list, filters, verification, withdrawal and log.
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import type { SchoolMember, VerificationDecision } from '@/api/schema.gen';
import type { Me } from '@/api/session';
import { marco } from '@/testing/notifications';
import { priya } from '@/testing/posts';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, server, signedInAs } from '@/testing/server';

const school = 'Manila College of Law';
const steward: Me = { ...isabel, stewardOf: school };
const unverified: SchoolMember = {
  user: priya,
  username: 'priya',
  graduationYear: '2027',
  verifiedAt: null,
  decidable: true,
};
const verified: SchoolMember = {
  user: { ...marco, verified: true, verifiedSchool: school },
  username: 'marco',
  graduationYear: null,
  verifiedAt: '2026-11-20T08:00:00Z',
  decidable: true,
};
const own: SchoolMember = {
  ...unverified,
  user: { ...priya, id: isabel.id, fullName: 'Isabel Reyes' },
  decidable: false,
};

/** Serves the list, and returns the queries that it received. */
function serve(members: SchoolMember[] = [unverified, verified, own]) {
  signedInAs(steward);
  const queries: string[] = [];
  server.use(
    http.get('/api/school/members', ({ request }) => {
      queries.push(new URL(request.url).search);
      return HttpResponse.json(members);
    }),
  );
  return queries;
}

test('a member without the role sees the 404 screen, and no link', async () => {
  signedInAs(isabel);
  await renderApp('/school/members');
  await waitFor(() => expect(document.title).toBe('404 Page Not Found | Portia'));
  expect(screen.getByRole('heading', { level: 1, name: '404 Page Not Found' })).toBeVisible();
  expect(screen.queryByRole('link', { name: 'School members' })).not.toBeInTheDocument();
});

test('the screen says what a verification means, and lists the members with their state', async () => {
  serve();
  await renderApp('/school/members');
  expect(await screen.findByText(`You are the steward of ${school}.`)).toBeVisible();
  expect(screen.getByText(/only if you know the person, or have seen a document/)).toBeVisible();
  expect(await screen.findByRole('link', { name: 'School members' })).toHaveAttribute(
    'href',
    '/school/members',
  );
  const [first, second, third] = await screen.findAllByRole('listitem');
  expect(within(first as HTMLElement).getByText('@priya · Class of 2027')).toBeVisible();
  expect(within(first as HTMLElement).getByRole('button', { name: 'Verify Priya Raghavan' })).toBeVisible();
  expect(
    await within(second as HTMLElement).findByRole('img', { name: `Verified by ${school}` }),
  ).toBeVisible();
  expect(within(third as HTMLElement).queryByRole('button')).not.toBeInTheDocument();
});

test('the search and the filter are part of the request and of the address', async () => {
  const queries = serve([]);
  const { user } = await renderApp('/school/members');
  expect(await screen.findByText('No members have listed this school yet')).toBeVisible();
  await user.click(screen.getByRole('radio', { name: 'Not verified' }));
  await user.type(screen.getByRole('searchbox', { name: 'Search by name' }), 'pri{Enter}');
  await waitFor(() => expect(queries.at(-1)).toBe('?search=pri&state=unverified'));
  expect(await screen.findByText('No members found')).toBeVisible();
});

test('a verification needs a reason, and sends the name on the screen', async () => {
  serve();
  const sent: unknown[] = [];
  server.use(
    http.post('/api/school/members/:id/verify', async ({ request, params }) => {
      sent.push([params.id, await request.json()]);
      return HttpResponse.json({ ...unverified, user: { ...priya, verified: true } });
    }),
  );
  const { user } = await renderApp('/school/members');
  await user.click(await screen.findByRole('button', { name: 'Verify Priya Raghavan' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Verify Priya Raghavan' }));
  await user.click(dialog.getByRole('button', { name: 'Verify' }));
  expect(dialog.getByText('Please state the reason.')).toBeVisible();
  await user.type(dialog.getByRole('textbox', { name: 'Reason' }), 'Met in class.');
  await user.click(dialog.getByRole('button', { name: 'Verify' }));
  expect(await screen.findByText('Priya Raghavan is verified')).toBeVisible();
  expect(sent).toEqual([[priya.id, { fullName: 'Priya Raghavan', reason: 'Met in class.' }]]);
});

test('a refused decision is told, and the list is read again', async () => {
  const queries = serve();
  server.use(
    http.post('/api/school/members/:id/withdraw', () =>
      problem(409, { error: 'Your school has not verified this member.' }),
    ),
  );
  const { user } = await renderApp('/school/members');
  await user.click(await screen.findByRole('button', { name: /^Withdraw the verification of Marco/ }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.type(dialog.getByRole('textbox', { name: 'Reason' }), 'Left.');
  await user.click(dialog.getByRole('button', { name: 'Withdraw' }));
  expect(await screen.findByText(/Your school has not verified this member/)).toBeVisible();
  await waitFor(() => expect(queries).toHaveLength(2));
});

test('the log names who or what caused each decision', async () => {
  serve();
  const decision = (changes: Partial<VerificationDecision>): VerificationDecision => ({
    id: `019a0000-0000-7000-8000-0000000000${changes.cause === 'steward' ? 'e1' : 'e2'}`,
    user: priya,
    verified: false,
    cause: 'name-changed',
    steward: null,
    reason: null,
    at: '2026-11-20T08:00:00Z',
    ...changes,
  });
  server.use(
    http.get('/api/school/decisions', () =>
      HttpResponse.json([
        decision({}),
        decision({ verified: true, cause: 'steward', steward: marco, reason: 'Met in class.' }),
      ]),
    ),
  );
  await renderApp('/school/members?tab=log');
  const [ended, verifiedThen] = await screen.findAllByRole('listitem');
  expect(ended).toHaveTextContent('Verification ended · Priya Raghavan');
  expect(ended).toHaveTextContent('The member changed their name');
  expect(verifiedThen).toHaveTextContent(`Verified · Priya Raghavan${marco.fullName}`);
  expect(verifiedThen).toHaveTextContent('Met in class.');
});
