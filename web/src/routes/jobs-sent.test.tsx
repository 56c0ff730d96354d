// My Applications: whether an application was sent to the employer, and the reminder of its deadline.
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { applicationOf, fakeApplications, gate, jobOf } from '@/testing/jobs';
import { fakeNotifications, notificationOf } from '@/testing/notifications';
import { renderApp } from '@/testing/render-app';
import { isabel, signedInAs } from '@/testing/server';

const address = '/jobs?tab=applications';
const row = async (name = 'Summer Associate') => within(await screen.findByRole('article', { name }));
const employersOwn = jobOf({ externalUrl: 'https://www.harlanvoss.example/careers/42' });

test('an application that was not sent to the employer says so, with the deadline and the way, until it is', async () => {
  signedInAs(isabel);
  const fake = fakeApplications(applicationOf({ job: employersOwn, sentToEmployer: 'not-yet' }));
  const { opened, open } = gate();
  fake.until = opened;
  const { user, queryClient } = await renderApp(address);
  const shown = await row();
  expect(shown.getByText('Not sent to the employer yet · Apply by Dec 15, 2026')).toBeVisible();
  const link = shown.getByRole('link', { name: 'Apply at harlanvoss.example' });
  expect(link).toHaveAttribute('href', 'https://www.harlanvoss.example/careers/42');
  expect(link).toHaveAttribute('target', '_blank');
  expect(link).toHaveAttribute('rel', 'noopener nofollow');
  expect(link).toHaveAccessibleDescription('Summer Associate');
  await user.click(shown.getByRole('button', { name: 'Mark as sent' }));
  expect(shown.queryByText(/Not sent to the employer yet/)).not.toBeInTheDocument();
  open();
  await waitFor(() => expect(queryClient.isMutating()).toBe(0));
  expect(shown.queryByText(/Not sent to the employer yet/)).not.toBeInTheDocument();
  expect(fake.sent).toEqual([{ sentToEmployer: 'yes' }]);
});

test.each([
  ['sent', { sentToEmployer: 'yes' }, false, false],
  ['without an answer', {}, false, false],
  ['with an interview', { sentToEmployer: 'not-yet', status: 'interviewed' }, false, false],
  ['withdrawn', { sentToEmployer: 'not-yet', status: 'withdrawn' }, false, false],
  [
    'for a closed posting',
    { sentToEmployer: 'not-yet', job: { ...employersOwn, closedAt: '2026-11-20T12:00:00Z' } },
    true,
    false,
  ],
  [
    'for a posting with an invalid address',
    { sentToEmployer: 'not-yet', job: jobOf({ externalUrl: 'javascript:alert(1)' }) },
    true,
    false,
  ],
] as const)('an application %s', async (_, changes, says, links) => {
  signedInAs(isabel);
  fakeApplications(applicationOf({ job: employersOwn, ...changes }));
  await renderApp(address);
  const shown = await row();
  expect(shown.queryAllByText(/Not sent to the employer yet/)).toHaveLength(Number(says));
  expect(shown.queryAllByRole('link')).toHaveLength(Number(links));
});

test('the dialog asks whether it was sent, and shows when the member said so', async () => {
  signedInAs(isabel);
  const fake = fakeApplications(applicationOf({ job: employersOwn }));
  const { user, queryClient } = await renderApp(address);
  await user.click((await row()).getByRole('button', { name: 'Summer Associate' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Summer Associate' }));
  const question = within(dialog.getByRole('radiogroup', { name: 'Sent to the employer?' }));
  for (const answer of question.getAllByRole('radio')) expect(answer).not.toBeChecked();
  expect(dialog.getByRole('link', { name: 'Apply at harlanvoss.example' })).toBeVisible();
  await user.click(question.getByRole('radio', { name: 'Yes' }));
  await waitFor(() => expect(queryClient.isMutating()).toBe(0));
  expect(await dialog.findByText('Marked as sent on Nov 21, 2026')).toBeVisible();
  expect(dialog.queryByRole('link', { name: 'Apply at harlanvoss.example' })).not.toBeInTheDocument();
  await user.click(question.getByRole('radio', { name: 'Not yet' }));
  await waitFor(() => expect(queryClient.isMutating()).toBe(0));
  expect(question.getByRole('radio', { name: 'Not yet' })).toBeChecked();
  expect(fake.sent).toEqual([{ sentToEmployer: 'yes' }, { sentToEmployer: 'not-yet' }]);
  await user.click(dialog.getByRole('button', { name: 'Close' }));
  expect(await screen.findByText(/Not sent to the employer yet/)).toBeVisible();
});

test('a posting without an address of the employer asks nothing', async () => {
  signedInAs(isabel);
  fakeApplications(applicationOf());
  const { user } = await renderApp(address);
  await user.click((await row()).getByRole('button', { name: 'Summer Associate' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Summer Associate' }));
  expect(await dialog.findByText('The posting when you applied')).toBeVisible();
  expect(dialog.queryByRole('radiogroup')).not.toBeInTheDocument();
});

test('a reminder of the deadline links to the application', async () => {
  signedInAs(isabel);
  fakeApplications(applicationOf({ job: employersOwn, sentToEmployer: 'not-yet' }));
  fakeNotifications(
    notificationOf({
      kind: 'application_due',
      actors: [],
      actorCount: 0,
      subject: { id: applicationOf().id, name: 'Summer Associate', postId: null },
      dueAt: '2026-12-15',
    }),
  );
  const { user, path } = await renderApp('/jobs');
  await user.click(await screen.findByRole('button', { name: 'Notifications, 1 unread' }));
  await user.click(
    await screen.findByRole('link', {
      name: /Your application for Summer Associate is not sent to the employer yet\. Apply by Dec 15, 2026\./,
    }),
  );
  expect(path()).toBe(address);
  expect((await row()).getByText(/Not sent to the employer yet/)).toBeVisible();
});
