// Skills & Endorsements: counts, endorsing with one click, the endorsers, and hiding an endorsement.
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import type { Connection, Endorsement, SkillEndorsements, User } from '@/api/schema.gen';
import { priya } from '@/testing/posts';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, profileOf, server, signedInAs } from '@/testing/server';

const member: User = { ...isabel, ...priya, skills: ['Moot court', 'Legal research', 'Writing'] };
const address = `/profile/${member.id}`;
const connection: Connection = {
  id: 'c1',
  requesterId: isabel.id,
  recipientId: priya.id,
  status: 'accepted',
  createdAt: '2026-10-01T00:00:00Z',
};
const endorsement: Endorsement = {
  user: { id: 'e1', fullName: 'Marco Villanueva', headline: '2L', avatarUrl: null },
  createdAt: '2026-10-01T00:00:00Z',
  hidden: false,
};

function answer(changes: Partial<SkillEndorsements> = {}) {
  const view = profileOf(member);
  view.profile.skills = member.skills;
  view.endorsements = [
    { skill: 'Moot court', count: 5, endorsedByMe: false, ...changes },
    { skill: 'Legal research', count: 1, endorsedByMe: false },
    { skill: 'Writing', count: 0, endorsedByMe: false },
  ];
  server.use(http.get('/api/users/:id/profile', () => HttpResponse.json(view)));
}

function connected() {
  signedInAs(isabel);
  server.use(http.get('/api/connections', () => HttpResponse.json([connection])));
}

async function open(language: 'en' | 'fil' = 'en') {
  const opened = await renderApp(address, { language });
  await opened.user.click(await screen.findByRole('tab', { name: /Endorsement/ }));
  return opened;
}

test('a visitor sees the counts in singular and plural and cannot endorse', async () => {
  answer();
  await open();
  expect(screen.getByRole('button', { name: '5 endorsements: Moot court' })).toHaveTextContent(
    '5 endorsements',
  );
  expect(screen.getByRole('button', { name: '1 endorsement: Legal research' })).toBeVisible();
  expect(screen.getByText('0 endorsements')).toBeVisible();
  expect(screen.queryByRole('button', { name: /^0 endorsements/ })).not.toBeInTheDocument();
  expect(screen.queryByRole('button', { name: /^Endorse / })).not.toBeInTheDocument();
});

test('a member who is not connected cannot endorse either', async () => {
  answer();
  signedInAs(isabel);
  server.use(http.get('/api/connections', () => HttpResponse.json([{ ...connection, status: 'pending' }])));
  await open();
  await screen.findByRole('button', { name: 'Connection Pending' });
  expect(screen.queryByRole('button', { name: /^Endorse / })).not.toBeInTheDocument();
});

test('one click endorses, another removes the endorsement', async () => {
  answer();
  connected();
  const sent: unknown[] = [];
  server.use(
    http.post('/api/users/:id/endorsements', async ({ request, params }) => {
      sent.push(['POST', params.id, await request.json()]);
      return HttpResponse.json({ skill: 'Moot court', count: 6, endorsedByMe: true });
    }),
    http.delete('/api/users/:id/endorsements', ({ request, params }) => {
      sent.push(['DELETE', params.id, new URL(request.url).searchParams.get('skill')]);
      return HttpResponse.json({ skill: 'Moot court', count: 5, endorsedByMe: false });
    }),
  );
  const { user } = await open();
  const button = await screen.findByRole('button', { name: 'Endorse Moot court' });
  expect(button).toHaveAttribute('aria-pressed', 'false');
  await user.click(button);
  expect(await screen.findByRole('button', { name: '6 endorsements: Moot court' })).toBeVisible();
  expect(button).toHaveAttribute('aria-pressed', 'true');
  await user.click(button);
  expect(await screen.findByRole('button', { name: '5 endorsements: Moot court' })).toBeVisible();
  expect(button).toHaveAttribute('aria-pressed', 'false');
  expect(sent).toEqual([
    ['POST', priya.id, { skill: 'Moot court' }],
    ['DELETE', priya.id, 'Moot court'],
  ]);
});

test.each([
  [false, 'Failed to endorse: 403: You are not connected'],
  [true, 'Failed to remove the endorsement: 403: You are not connected'],
])('endorsed %s: a failed click shows the reason and changes nothing', async (endorsedByMe, sentence) => {
  answer({ endorsedByMe });
  connected();
  const refuse = () => problem(403, { error: 'You are not connected' });
  server.use(
    http.post('/api/users/:id/endorsements', refuse),
    http.delete('/api/users/:id/endorsements', refuse),
  );
  const { user } = await open();
  await user.click(await screen.findByRole('button', { name: 'Endorse Moot court' }));
  expect(await screen.findByText(sentence)).toBeVisible();
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'Endorse Moot court' })).toHaveAttribute(
      'aria-pressed',
      String(endorsedByMe),
    ),
  );
});

test('every caller can list the endorsers, page by page; only the owner can hide', async () => {
  answer();
  server.use(
    http.get('/api/users/:id/endorsements', ({ request }) => {
      const query = new URL(request.url).searchParams;
      expect(query.get('skill')).toBe('Moot court');
      if (query.has('cursor'))
        return HttpResponse.json([{ ...endorsement, user: { ...priya, id: 'e2', fullName: 'Ana Cruz' } }]);
      return HttpResponse.json([endorsement], {
        headers: { Link: `<${new URL(request.url).pathname}?skill=Moot+court&cursor=c1>; rel="next"` },
      });
    }),
  );
  const { user } = await open();
  await user.click(screen.getByRole('button', { name: '5 endorsements: Moot court' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Endorsements for Moot court' }));
  expect(await dialog.findByRole('link', { name: 'Marco Villanueva' })).toHaveAttribute(
    'href',
    '/profile/e1',
  );
  await user.click(dialog.getByRole('button', { name: 'Show more endorsements' }));
  expect(await dialog.findByRole('link', { name: 'Ana Cruz' })).toBeVisible();
  expect(dialog.queryByRole('button', { name: /^Hide/ })).not.toBeInTheDocument();
});

test('a failed list, and an empty list', async () => {
  answer();
  server.use(http.get('/api/users/:id/endorsements', () => problem(503, { error: 'Away' })));
  const { user, unmount } = await open();
  await user.click(screen.getByRole('button', { name: '5 endorsements: Moot court' }));
  expect(await screen.findByText('Endorsements could not be loaded. Please try again later.')).toBeVisible();
  unmount();

  server.use(http.get('/api/users/:id/endorsements', () => HttpResponse.json([])));
  const again = await open();
  await again.user.click(screen.getByRole('button', { name: '5 endorsements: Moot court' }));
  expect(await screen.findByText('No one has endorsed this skill yet.')).toBeVisible();
});

test('the owner hides an endorsement and shows it again, also if no other is left', async () => {
  answer();
  signedInAs(member);
  let hidden = false;
  const sent: unknown[] = [];
  server.use(
    http.get('/api/users/:id/endorsements', () => HttpResponse.json([{ ...endorsement, hidden }])),
    http.patch('/api/users/:id/endorsements', async ({ request }) => {
      const body = (await request.json()) as { hidden: boolean };
      sent.push(body);
      hidden = body.hidden;
      return HttpResponse.json({ skill: 'Writing', count: hidden ? 0 : 1, endorsedByMe: false });
    }),
  );
  const { user } = await open();
  await user.click(screen.getByRole('button', { name: '0 endorsements: Writing' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(await dialog.findByRole('button', { name: 'Hide the endorsement by Marco Villanueva' }));
  expect(await dialog.findByText('Hidden')).toBeVisible();
  await user.click(dialog.getByRole('button', { name: 'Show the endorsement by Marco Villanueva' }));
  await waitFor(() => expect(dialog.queryByText('Hidden')).not.toBeInTheDocument());
  expect(sent).toEqual([
    { skill: 'Writing', endorserId: 'e1', hidden: true },
    { skill: 'Writing', endorserId: 'e1', hidden: false },
  ]);
  await user.keyboard('{Escape}');
  expect(await screen.findByRole('button', { name: '1 endorsement: Writing' })).toBeVisible();
});

test('a failure to hide shows the reason', async () => {
  answer();
  signedInAs(member);
  server.use(
    http.get('/api/users/:id/endorsements', () => HttpResponse.json([endorsement])),
    http.patch('/api/users/:id/endorsements', () => problem(404, { error: 'Endorsement not found' })),
  );
  const { user } = await open();
  await user.click(screen.getByRole('button', { name: '5 endorsements: Moot court' }));
  await user.click(await screen.findByRole('button', { name: 'Hide the endorsement by Marco Villanueva' }));
  expect(
    await screen.findByText('Failed to change the endorsement: 404: Endorsement not found'),
  ).toBeVisible();
});

test('without skills, and in Filipino', async () => {
  const { unmount } = await open();
  expect(screen.getByText('No skills listed yet.')).toBeVisible();
  unmount();
  answer();
  await open('fil');
  expect(screen.getByRole('button', { name: '5 endorsement: Moot court' })).toBeVisible();
});
