// The log and the freshness of the tab Manage of a community: sentences, former members, refetches.
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { communityLogQuery } from '@/api/community-moderation';
import type { CommunityBan, CommunityLogEntry } from '@/api/schema.gen';
import { communityOf, logEntryOf, memberOf, serveCommunity, serveManaged } from '@/testing/communities';
import { postOf, priya } from '@/testing/posts';
import { renderApp } from '@/testing/render-app';
import { isabel, server } from '@/testing/server';

const review = communityOf();
const address = `/communities/${review.id}`;

test('the log names actions, members and reasons', async () => {
  serveCommunity('moderator');
  serveManaged(
    [],
    [
      logEntryOf({ action: 'post_removed', reason: 'off_topic' }),
      logEntryOf({ id: 'up', action: 'role_set', role: 'moderator' }),
      logEntryOf({ id: 'down', action: 'role_set', role: 'member' }),
      logEntryOf({ id: 'own', action: 'role_set', role: 'moderator', user: isabel }),
    ],
  );
  await renderApp(`${address}?tab=manage`);
  const log = within(await screen.findByRole('region', { name: 'Log' }));
  expect(await log.findByText('Isabel Reyes removed a post by Priya Raghavan')).toBeVisible();
  expect(log.getByText(/Off topic ·/)).toBeVisible();
  expect(log.getByText('Isabel Reyes made Priya Raghavan a moderator')).toBeVisible();
  expect(log.getByText('Isabel Reyes changed Priya Raghavan’s role to member')).toBeVisible();
  expect(log.getByText('Isabel Reyes changed their own role to moderator')).toBeVisible();
});

const withoutNames = [
  logEntryOf({ id: '1', action: 'member_removed', actor: null }),
  logEntryOf({ id: '2', action: 'member_removed', user: null }),
  logEntryOf({ id: '3', action: 'member_removed', actor: null, user: null }),
  logEntryOf({ id: '4', action: 'role_set', role: 'moderator', actor: null }),
  logEntryOf({ id: '5', action: 'role_set', role: 'moderator', actor: null, user: null }),
  logEntryOf({ id: '6', action: 'transferred', user: null }),
];

test.for([
  {
    language: 'en' as const,
    name: 'Log',
    sentences: [
      'A former member removed Priya Raghavan',
      'Isabel Reyes removed a former member',
      'A former member removed a former member',
      'A former member made Priya Raghavan a moderator',
      'A former member made a former member a moderator',
      'Isabel Reyes transferred the community to a former member',
    ],
  },
  {
    language: 'fil' as const,
    name: 'Log',
    sentences: [
      'Inalis ng isang dating kasapi si Priya Raghavan',
      'Inalis ni Isabel Reyes ang isang dating kasapi',
      'Inalis ng isang dating kasapi ang isang dating kasapi',
      'Ginawa ng isang dating kasapi na moderator si Priya Raghavan',
      'Ginawa ng isang dating kasapi na moderator ang isang dating kasapi',
      'Inilipat ni Isabel Reyes ang komunidad sa isang dating kasapi',
    ],
  },
])(
  'the log names members of deleted accounts as former members: $language',
  async ({ language, ...shown }) => {
    serveCommunity('moderator');
    serveManaged([], withoutNames);
    await renderApp(`${address}?tab=manage`, { language });
    const log = within(await screen.findByRole('region', { name: shown.name }));
    await log.findByText(shown.sentences.at(-1) as string);
    const sentences = log.getAllByRole('listitem').map((item) => item.querySelector('p')?.textContent);
    expect(sentences).toEqual(shown.sentences);
  },
);

test('opening the tab loads bans and log again', async () => {
  serveCommunity('moderator');
  const bans: CommunityBan[] = [];
  const log: CommunityLogEntry[] = [];
  serveManaged(bans, log);
  const { user } = await renderApp(`${address}?tab=manage`);
  expect(await screen.findByText('No member is banned.')).toBeVisible();
  // Another moderator bans a member.
  bans.push({ user: priya, reason: null, bannedAt: '2026-11-20T08:00:00Z' });
  log.push(logEntryOf({ action: 'member_banned' }));
  await user.click(screen.getByRole('tab', { name: 'About' }));
  await user.click(screen.getByRole('tab', { name: 'Manage' }));
  expect(await screen.findByRole('button', { name: 'End ban: Priya Raghavan' })).toBeVisible();
  expect(await screen.findByText('Isabel Reyes banned Priya Raghavan')).toBeVisible();
});

test('a changed role and removed content mark the log as outdated', async () => {
  serveCommunity('owner', memberOf());
  serveManaged([], []);
  const community = { id: review.id, name: review.name };
  server.use(
    http.get('/api/posts', () => HttpResponse.json([postOf({ content: 'Buy now.', community })])),
    http.delete('/api/posts/:id', () => new HttpResponse(null, { status: 204 })),
    http.patch('/api/communities/:id/members/:memberId', () =>
      HttpResponse.json(memberOf({ role: 'moderator' })),
    ),
  );
  const { user, queryClient } = await renderApp(`${address}?tab=manage`);
  const isOutdated = () => queryClient.getQueryState(communityLogQuery(review.id).queryKey)?.isInvalidated;
  await screen.findByText('No actions yet.');
  expect(isOutdated()).toBe(false);
  await user.click(screen.getByRole('tab', { name: /Members/ }));
  await user.click(await screen.findByRole('button', { name: 'Options for Priya Raghavan' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Make moderator' }));
  await waitFor(() => expect(isOutdated()).toBe(true));

  await user.click(screen.getByRole('tab', { name: 'Manage' }));
  await waitFor(() => expect(isOutdated()).toBe(false));
  await user.click(screen.getByRole('tab', { name: 'Posts' }));
  await user.click(await screen.findByRole('button', { name: 'Options for Priya Raghavan' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Remove from Eastbay Law Review' }));
  await user.click(await screen.findByRole('button', { name: 'Remove' }));
  await waitFor(() => expect(isOutdated()).toBe(true));
});
