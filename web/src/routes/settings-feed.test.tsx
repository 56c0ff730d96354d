// The feed settings: mutes, followed members and hidden posts are listed, added and removed.
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import type { Mute } from '@/api/schema.gen';
import { postOf, priya } from '@/testing/posts';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, server, signedInAs } from '@/testing/server';

const mute = (changes: Partial<Mute>): Mute => ({
  id: '019a0000-0000-7000-8000-0000000000e1',
  kind: 'word',
  word: null,
  user: null,
  community: null,
  createdAt: '2026-11-24T08:00:00Z',
  expiresAt: null,
  ...changes,
});

let sent: unknown[];

beforeEach(() => {
  sent = [];
  signedInAs(isabel);
  const record = async ({ request }: { request: Request }) => {
    const text = await request.text();
    sent.push([request.method, new URL(request.url).pathname, text && JSON.parse(text)]);
    return new HttpResponse(null, { status: 204 });
  };
  server.use(
    http.get('/api/mutes', () =>
      HttpResponse.json([
        mute({ word: 'bar exam' }),
        mute({ id: 'm2', kind: 'member', user: priya, expiresAt: '2026-12-01T08:00:00Z' }),
        mute({ id: 'm3', kind: 'community', community: { id: 'c1', name: 'Study Hall' } }),
        // The member left it.
        mute({ id: 'm5', kind: 'community', community: { id: 'c4', name: '' } }),
      ]),
    ),
    http.get('/api/communities', () =>
      HttpResponse.json([
        { id: 'c1', name: 'Study Hall', role: 'member', memberCount: 2 },
        { id: 'c2', name: 'Moot Society', role: 'member', memberCount: 2 },
        { id: 'c3', name: 'Not joined', role: null, memberCount: 2 },
      ]),
    ),
    http.get('/api/follows', () => HttpResponse.json([{ user: priya, createdAt: '2026-11-24T08:00:00Z' }])),
    http.get('/api/hidden-posts', () =>
      HttpResponse.json([{ post: postOf(), hiddenAt: '2026-11-24T08:00:00Z', notInterested: true }]),
    ),
    http.post('/api/mutes', async ({ request }) => {
      const body = (await request.json()) as { word?: string };
      sent.push(['POST', '/api/mutes', body]);
      return HttpResponse.json(mute({ id: 'm4', word: body.word ?? null }), { status: 201 });
    }),
    http.delete('/api/mutes/:id', record),
    http.delete('/api/follows/:id', record),
    http.delete('/api/hidden-posts/:id', record),
  );
});

const section = async (name: string) => within(await screen.findByRole('region', { name }));

test('mutes are listed with their end, and a word is added for a week', async () => {
  const { user } = await renderApp('/settings/feed');
  const words = await section('Muted words');
  expect(await words.findByText('bar exam')).toBeVisible();
  expect(words.getByText('Always', { selector: 'p' })).toBeVisible();
  expect(await (await section('Muted members')).findByText(/^Until Dec 1, 2026/)).toBeVisible();
  expect(screen.getByText(/You still see everything on profiles/)).toBeVisible();
  await user.click(words.getByRole('button', { name: 'Mute' }));
  expect(words.getByText('Enter a word to mute.')).toBeVisible();
  await user.type(words.getByRole('textbox', { name: 'Word' }), ' torts ');
  await user.click(words.getByRole('radio', { name: '7 days' }));
  await user.click(words.getByRole('button', { name: 'Mute' }));
  expect(await words.findByText('torts')).toBeVisible();
  expect(sent).toEqual([['POST', '/api/mutes', { kind: 'word', word: 'torts', duration: 'week' }]]);
});

test('a community of the member is muted, and mutes are removed', async () => {
  const { user } = await renderApp('/settings/feed');
  const communities = await section('Muted communities');
  const select = await communities.findByRole('combobox', { name: 'Community' });
  await waitFor(() => expect(select).not.toHaveTextContent('Study Hall'));
  expect(select).not.toHaveTextContent('Not joined');
  await user.selectOptions(select, 'Moot Society');
  await user.click(communities.getByRole('button', { name: 'Mute' }));
  await waitFor(() =>
    expect(sent).toEqual([
      ['POST', '/api/mutes', { kind: 'community', targetId: 'c2', duration: 'forever' }],
    ]),
  );
  expect(communities.getByRole('button', { name: 'Unmute A community you are not in' })).toBeEnabled();
  await user.click(communities.getByRole('button', { name: 'Unmute Study Hall' }));
  await waitFor(() =>
    expect(communities.queryByText('Study Hall', { selector: 'p' })).not.toBeInTheDocument(),
  );
  expect(communities.getByRole('heading')).toHaveFocus();
});

test('a member is unfollowed, and a hidden post is shown again', async () => {
  const { user } = await renderApp('/settings/feed');
  await user.click(await screen.findByRole('button', { name: `Unfollow ${priya.fullName}` }));
  await waitFor(() => expect(sent).toEqual([['DELETE', `/api/follows/${priya.id}`, '']]));
  const hidden = await section('Hidden posts');
  expect(await hidden.findByText(postOf().content)).toBeVisible();
  await user.click(hidden.getByRole('button', { name: `Show again the post by ${priya.fullName}` }));
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]).toEqual(['DELETE', `/api/hidden-posts/${postOf().id}`, '']);
});

test('lists that cannot be loaded can be tried again', async () => {
  server.use(http.get('/api/mutes', () => problem(503, { error: 'soon' })));
  await renderApp('/settings/feed');
  expect(await screen.findAllByText('Your mutes could not be loaded.')).toHaveLength(3);
});

test('Settings leads to the feed settings, in Filipino too', async () => {
  const { user, path } = await renderApp('/settings', { language: 'fil' });
  await user.click(await screen.findByRole('link', { name: 'Mga setting ng feed' }));
  await waitFor(() => expect(path()).toBe('/settings/feed'));
  expect(await screen.findByRole('heading', { name: 'Mga naka-mute na salita' })).toBeVisible();
});
