// Escape in a changed form: every dialog asks before it discards the input.
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import type { Me } from '@/api/session';
import { conversationOf } from '@/testing/messages';
import { detailsOf, moderator, reportOf } from '@/testing/moderation';
import { postOf, priya } from '@/testing/posts';
import { renderApp } from '@/testing/render-app';
import { isabel, profileOf, server, signedInAs } from '@/testing/server';

type User = Awaited<ReturnType<typeof renderApp>>['user'];
type Step = (user: User) => Promise<void>;

const mine = postOf({ id: 'mine', user: isabel, content: 'My own words.' });

const report = reportOf({ kind: 'member' });
const moderatingSteward: Me = { ...moderator, stewardOf: 'Manila College of Law' };

beforeEach(() => {
  signedInAs(moderatingSteward);
  server.use(
    http.get('/api/posts', () => HttpResponse.json([mine, postOf()])),
    http.get('/api/conversations', () => HttpResponse.json([conversationOf()])),
    http.get('/api/users/:id/profile', () => HttpResponse.json(profileOf(isabel))),
    http.get('/api/moderation/reports', () => HttpResponse.json([report])),
    http.get('/api/moderation/reports/:id', () => HttpResponse.json(detailsOf(report))),
    http.get('/api/school/members', () =>
      HttpResponse.json([
        { user: priya, username: 'priya', graduationYear: null, verifiedAt: null, decidable: true },
      ]),
    ),
  );
});

const press =
  (...names: string[]): Step =>
  async (user) => {
    for (const name of names) await user.click(await screen.findByRole('button', { name }));
  };
const choose =
  (button: string, item: string): Step =>
  async (user) => {
    await user.click(await screen.findByRole('button', { name: button }));
    await user.click(await screen.findByRole('menuitem', { name: item }));
  };
const type =
  (label: string): Step =>
  (user) =>
    user.type(within(screen.getByRole('dialog')).getByLabelText(label), ' more');
const tab =
  (name: string, then: Step): Step =>
  async (user) => {
    await user.click(within(screen.getByRole('dialog')).getByRole('tab', { name }));
    await then(user);
  };
const check: Step = async (user) => user.click(screen.getByRole('radio', { name: /^Spam/ }));
const profile = `/profile/${isabel.id}`;

const forms: [form: string, at: string, open: Step, change: Step][] = [
  ['the introduction', profile, press('Edit Profile'), type('Bio')],
  ['experience', profile, press('Edit Profile'), tab('Experience', press('Add experience'))],
  ['education', profile, press('Edit Profile'), tab('Education', press('Add education'))],
  ['a skill that is not added yet', profile, press('Edit Profile'), tab('Skills', type('Add a skill'))],
  ['a new community', '/communities', press('Create a community'), type('Name')],
  ['a new event', '/events', press('Create an event'), type('Title')],
  ['a suggested resource', '/resources', press('Suggest a resource'), type('Title')],
  ['an edited post', '/', choose('Options for this post', 'Edit post'), type('Text')],
  ['a report', '/', choose('Options for Priya Raghavan', 'Report post'), check],
  [
    'the note of a suspension',
    `/moderation?report=${report.id}`,
    press('Suspend @priya'),
    type('Note (optional)'),
  ],
  ['the reason of a verification', '/school/members', press('Verify Priya Raghavan'), type('Reason')],
  [
    'the text beside a sent post',
    '/',
    async (user) => user.click((await screen.findAllByRole('button', { name: 'Send' }))[0] as HTMLElement),
    type('Message (optional)'),
  ],
];

test.each(forms)('%s', async (_, at, open, change) => {
  const { user } = await renderApp(at);
  await open(user);
  await screen.findByRole('dialog');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());

  await open(user);
  await screen.findByRole('dialog');
  await change(user);
  await user.keyboard('{Escape}');
  const question = within(await screen.findByRole('dialog', { name: 'Discard your changes?' }));
  await user.click(question.getByRole('button', { name: 'Discard' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
});
