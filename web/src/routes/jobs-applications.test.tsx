// My Applications: visibility, count, badges, status changes, notes, history, and the posting at the time.
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import type { ApplicationStatus } from '@/api/schema.gen';
import { applicationOf, fakeApplications, gate, jobOf } from '@/testing/jobs';
import { fakeNotifications, notificationOf } from '@/testing/notifications';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, server, signedInAs } from '@/testing/server';

const address = '/jobs?tab=applications';
const employersOwn = jobOf({ externalUrl: 'https://www.harlanvoss.example/careers/42' });
const row = async (name = 'Summer Associate') => within(await screen.findByRole('article', { name }));

test('a visitor: the tab is disabled with the count 0 and without a request', async () => {
  server.use(
    http.get('/api/jobs/applications/my', () => {
      throw new Error('a visitor has no applications');
    }),
  );
  const { user } = await renderApp(address);
  const tab = await screen.findByRole('tab', { name: 'My Applications 0' });
  await waitFor(() => expect(tab).toBeDisabled());
  await user.click(tab);
  expect(screen.getByRole('tab', { name: 'Browse Jobs' })).toHaveAttribute('aria-selected', 'true');
  expect(await screen.findByText('No jobs found')).toBeVisible();
});

test('a member: the count is in the tab, the tab in the address, and every status has a badge', async () => {
  signedInAs(isabel);
  const tones: Record<string, string> = {
    applied: 'blue',
    interviewed: 'purple',
    offered: 'green',
    accepted: 'grey',
    rejected: 'grey',
    withdrawn: 'grey',
    // Not in the type; a later version of the server may send it.
    'on hold': 'grey',
  };
  fakeApplications(
    ...Object.keys(tones).map((status) => applicationOf({ id: status, status: status as ApplicationStatus })),
    applicationOf({ id: 'gone', job: null, notes: 'Moved away.' }),
  );
  const { user, path } = await renderApp('/jobs');
  await user.click(await screen.findByRole('tab', { name: 'My Applications 8' }));
  expect(path()).toBe('/jobs?tab=applications');
  for (const [status, tone] of Object.entries(tones))
    expect((await screen.findAllByText(status))[0]).toHaveClass(`bg-status-${tone}`);
  expect(screen.getByRole('article', { name: 'This posting is no longer available' })).toHaveTextContent(
    'Moved away.',
  );
  expect(screen.getAllByText('Nov 18, 2026')).toHaveLength(8);
  expect(screen.getAllByText('Harlan & Voss · New York')).toHaveLength(7);
});

test('the count has a plus until all pages are loaded', async () => {
  signedInAs(isabel);
  server.use(
    http.get('/api/jobs/applications/my', ({ request }) =>
      new URL(request.url).searchParams.has('cursor')
        ? HttpResponse.json([applicationOf({ id: 'a2', job: jobOf({ title: 'Law Clerk' }) })])
        : HttpResponse.json([applicationOf()], {
            headers: { Link: '</api/jobs/applications/my?cursor=2>; rel="next"' },
          }),
    ),
  );
  const { user } = await renderApp(address);
  expect(await screen.findByRole('tab', { name: 'My Applications 1+' })).toBeVisible();
  await user.click(await screen.findByRole('button', { name: 'Show more applications' }));
  expect(await screen.findByRole('article', { name: 'Law Clerk' })).toBeVisible();
  expect(screen.getByRole('tab', { name: 'My Applications 2' })).toBeVisible();
});

test('a closed posting is marked', async () => {
  signedInAs(isabel);
  fakeApplications(
    applicationOf({ job: jobOf({ closedAt: '2026-11-20T12:00:00Z' }) }),
    applicationOf({ id: 'a2', job: jobOf({ title: 'Law Clerk' }) }),
  );
  await renderApp(address);
  expect((await row()).getByText('No longer open')).toBeVisible();
  expect((await row('Law Clerk')).queryByText('No longer open')).not.toBeInTheDocument();
});

test('an application changes to any of the six statuses, at once and permanently', async () => {
  signedInAs(isabel);
  const fake = fakeApplications(applicationOf());
  const { opened, open } = gate();
  fake.until = opened;
  const { user, queryClient } = await renderApp(address);
  const button = (await row()).getByRole('button', { name: 'Options for Summer Associate' });
  await user.click(button);
  const choices = await screen.findAllByRole('menuitemradio');
  expect(choices.map(({ textContent }) => textContent)).toEqual([
    'applied',
    'interviewed',
    'offered',
    'accepted',
    'rejected',
    'withdrawn',
  ]);
  expect(choices[0]).toBeChecked();
  await user.click(screen.getByRole('menuitemradio', { name: 'offered' }));
  expect((await row()).getByText('offered')).toHaveClass('bg-status-green');
  expect(queryClient.isMutating()).toBe(1);
  open();
  await waitFor(() => expect(queryClient.isMutating()).toBe(0));
  expect((await row()).getByText('offered')).toBeVisible();
  expect(fake.sent).toEqual([{ status: 'offered' }]);

  // A backward change is allowed; the same status sends nothing.
  await user.click((await row()).getByRole('button', { name: 'Options for Summer Associate' }));
  await user.click(await screen.findByRole('menuitemradio', { name: 'applied' }));
  await waitFor(() => expect(fake.sent).toHaveLength(2));
  await user.click((await row()).getByRole('button', { name: 'Options for Summer Associate' }));
  await user.click(await screen.findByRole('menuitemradio', { name: 'applied' }));
  await waitFor(() => expect(queryClient.isMutating()).toBe(0));
  expect(fake.sent).toEqual([{ status: 'offered' }, { status: 'applied' }]);
});

test('a refused change is reverted with the reason', async () => {
  signedInAs(isabel);
  fakeApplications(applicationOf());
  const { opened, open } = gate();
  server.use(
    http.patch('/api/jobs/applications/:id', async () => {
      await opened;
      return problem(503, { error: 'Please try again soon' });
    }),
  );
  const { user } = await renderApp(address);
  await user.click((await row()).getByRole('button', { name: 'Options for Summer Associate' }));
  await user.click(await screen.findByRole('menuitemradio', { name: 'rejected' }));
  expect((await row()).getByText('rejected')).toHaveClass('bg-status-grey');
  open();
  expect(
    await screen.findByText('Failed to update the application: 503: Please try again soon'),
  ).toBeVisible();
  expect((await row()).getByText('applied')).toHaveClass('bg-status-blue');
  expect((await row()).queryByText('rejected')).not.toBeInTheDocument();
});

test('two concurrent changes: the last one wins', async () => {
  signedInAs(isabel);
  const fake = fakeApplications(applicationOf());
  const { opened, open } = gate();
  fake.until = opened;
  const { user, queryClient } = await renderApp(address);
  for (const status of ['interviewed', 'offered']) {
    await user.click((await row()).getByRole('button', { name: 'Options for Summer Associate' }));
    await user.click(await screen.findByRole('menuitemradio', { name: status }));
  }
  expect((await row()).getByText('offered')).toBeVisible();
  expect(fake.sent).toEqual([{ status: 'interviewed' }]);
  open();
  await waitFor(() => expect(queryClient.isMutating()).toBe(0));
  expect(fake.sent).toEqual([{ status: 'interviewed' }, { status: 'offered' }]);
  expect((await row()).getByText('offered')).toBeVisible();
});

test('its dialog: history with dates, and the full posting at the time', async () => {
  signedInAs(isabel);
  const whole = 'Rotate through litigation.\nDraft memoranda.\nAnd more that the list does not carry.';
  const fake = fakeApplications(
    applicationOf({ notes: 'Two semesters in the clinic', status: 'interviewed' }),
  );
  server.use(
    http.get(`/api/jobs/applications/${applicationOf().id}`, () =>
      HttpResponse.json({
        ...fake.applications[0],
        job: jobOf({ description: whole, applied: true }),
        history: [
          { status: 'applied', at: '2026-11-18T12:00:00Z' },
          { status: 'interviewed', at: '2026-11-20T09:30:00Z' },
        ],
      }),
    ),
  );
  const { user } = await renderApp(address);
  await user.click((await row()).getByRole('button', { name: 'Summer Associate' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Summer Associate' }));
  const steps = await dialog.findAllByRole('listitem');
  expect(steps).toHaveLength(2);
  expect(steps[0]).toHaveTextContent(/^appliedNov 18, 2026, /);
  expect(steps[1]).toHaveTextContent(/^interviewedNov 20, 2026, /);
  expect(dialog.getByLabelText('Notes')).toHaveValue('Two semesters in the clinic');
  const words = dialog.getByText(/And more that the list does not carry\./);
  expect(words.textContent).toBe(whole);
  expect(dialog.getByText('Posted Nov 10, 2026')).toBeVisible();
  expect(dialog.getByRole('link', { name: 'See the current posting' })).toHaveAttribute(
    'href',
    `/jobs/${jobOf().id}`,
  );
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect((await row()).getByRole('button', { name: 'Summer Associate' })).toHaveFocus();
});

test('the menu opens the dialog too, and later changes are in its history', async () => {
  signedInAs(isabel);
  fakeApplications(applicationOf());
  const { user, queryClient } = await renderApp(address);
  await user.click((await row()).getByRole('button', { name: 'Summer Associate' }));
  const dialog = async () => within(await screen.findByRole('dialog', { name: 'Summer Associate' }));
  expect(await (await dialog()).findAllByRole('listitem')).toHaveLength(1);
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  await user.click((await row()).getByRole('button', { name: 'Options for Summer Associate' }));
  await user.click(await screen.findByRole('menuitemradio', { name: 'withdrawn' }));
  await waitFor(() => expect(queryClient.isMutating()).toBe(0));
  await user.click((await row()).getByRole('button', { name: 'Options for Summer Associate' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Notes and history' }));
  const opened = await dialog();
  await waitFor(() => expect(opened.getAllByRole('listitem')).toHaveLength(2));
  expect(opened.getAllByRole('listitem')[1]).toHaveTextContent(/^withdrawnNov 21, 2026, /);
});

test('notes are added, changed and cleared', async () => {
  signedInAs(isabel);
  const fake = fakeApplications(applicationOf());
  const { user } = await renderApp(address);
  await user.click((await row()).getByRole('button', { name: 'Summer Associate' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Summer Associate' }));
  const notes = dialog.getByLabelText('Notes');
  const save = dialog.getByRole('button', { name: 'Save notes' });
  expect(save).toHaveAttribute('aria-disabled', 'true');
  await user.click(save);
  expect(fake.sent).toEqual([]);
  await user.type(notes, 'Panel on the 12th ');
  await user.click(save);
  expect(await screen.findByText('Notes saved')).toBeVisible();
  await waitFor(() => expect(save).toHaveAttribute('aria-disabled', 'true'));
  expect(notes).toHaveValue('Panel on the 12th');
  await user.clear(notes);
  await user.click(save);
  await waitFor(() => expect(fake.sent).toEqual([{ notes: 'Panel on the 12th' }, { notes: '' }]));
  await waitFor(() => expect(save).toHaveAttribute('aria-disabled', 'true'));
  await user.type(notes, 'Second thoughts');
  await user.click(dialog.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect((await row()).queryByText('Panel on the 12th')).not.toBeInTheDocument();

  // The unsaved text is still there.
  await user.click((await row()).getByRole('button', { name: 'Summer Associate' }));
  expect(await screen.findByLabelText('Notes')).toHaveValue('Second thoughts');
});

test('refused notes stay in the field, and the row keeps the old ones', async () => {
  signedInAs(isabel);
  fakeApplications(applicationOf({ notes: 'Before' }));
  server.use(
    http.patch('/api/jobs/applications/:id', () => problem(503, { error: 'Please try again soon' })),
  );
  const { user } = await renderApp(address);
  await user.click((await row()).getByRole('button', { name: 'Summer Associate' }));
  const notes = await screen.findByLabelText('Notes');
  await user.type(notes, ' and after');
  await user.keyboard('{Control>}{Enter}{/Control}');
  expect(
    await screen.findByText('Failed to update the application: 503: Please try again soon'),
  ).toBeVisible();
  expect(notes).toHaveValue('Before and after');
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Close' }));
  expect((await row()).getByText('Before')).toBeVisible();
});

test('failed details can be retried, and the notes work without them', async () => {
  signedInAs(isabel);
  fakeApplications(applicationOf({ notes: 'Mine' }));
  server.use(
    http.get(
      `/api/jobs/applications/${applicationOf().id}`,
      () => problem(503, { error: 'Please try again soon' }),
      {
        once: true,
      },
    ),
  );
  const { user } = await renderApp(address);
  await user.click((await row()).getByRole('button', { name: 'Summer Associate' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Summer Associate' }));
  expect(
    await dialog.findByText('This application could not be loaded. Please try again later.'),
  ).toBeVisible();
  expect(dialog.getByLabelText('Notes')).toHaveValue('Mine');
  await user.click(dialog.getByRole('button', { name: 'Try Again' }));
  expect(await dialog.findByText('The posting when you applied')).toBeVisible();
});

test('an empty list, and a failed list', async () => {
  signedInAs(isabel);
  const { unmount } = await renderApp(address);
  expect(await screen.findByText('No applications yet')).toBeVisible();
  expect(screen.getByText('Jobs you apply for are listed here.')).toBeVisible();
  unmount();

  server.use(http.get('/api/jobs/applications/my', () => problem(503, { error: 'Please try again soon' })));
  await renderApp(address);
  expect(
    await screen.findByText('Your applications could not be loaded. Please try again later.'),
  ).toBeVisible();
});

test('a notification of a closed posting links to the current application', async () => {
  signedInAs(isabel);
  const fake = fakeApplications(applicationOf());
  fakeNotifications(
    notificationOf({
      kind: 'posting_closed',
      actors: [],
      actorCount: 0,
      subject: { id: applicationOf().id, name: 'Summer Associate', postId: null },
    }),
  );
  const { user, path } = await renderApp(address);
  expect((await row()).queryByText('No longer open')).not.toBeInTheDocument();
  fake.applications = [applicationOf({ job: jobOf({ closedAt: '2026-11-20T12:00:00Z' }) })];
  await user.click(await screen.findByRole('button', { name: 'Notifications, 1 unread' }));
  await user.click(
    await screen.findByRole('link', { name: /Summer Associate is no longer open\. You applied for it\./ }),
  );
  expect(path()).toBe(address);
  await waitFor(async () => expect((await row()).getByText('No longer open')).toBeVisible());
});

test('is translated to Filipino', async () => {
  signedInAs(isabel);
  fakeApplications(
    applicationOf({ job: jobOf({ closedAt: '2026-11-20T12:00:00Z' }) }),
    applicationOf({ id: 'a2', job: { ...employersOwn, title: 'Law Clerk' }, sentToEmployer: 'not-yet' }),
  );
  const { user } = await renderApp(address, { language: 'fil' });
  expect(await screen.findByRole('tab', { name: 'Mga Aplikasyon Ko 2' })).toBeVisible();
  expect((await row()).getByText('nag-apply')).toHaveClass('bg-status-blue');
  expect((await row()).getByText('Hindi na bukas')).toBeVisible();
  const unsent = await row('Law Clerk');
  expect(
    unsent.getByText('Hindi pa naipapadala sa employer · Mag-apply hanggang Dis 15, 2026'),
  ).toBeVisible();
  expect(unsent.getByRole('link', { name: 'Mag-apply sa harlanvoss.example' })).toBeVisible();
  expect(unsent.getByRole('button', { name: 'Markahang naipadala na' })).toBeVisible();
  await user.click((await row()).getByRole('button', { name: 'Mga opsyon para sa Summer Associate' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Mga tala at kasaysayan' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Summer Associate' }));
  expect(await dialog.findByText('Kasaysayan')).toBeVisible();
  expect(dialog.getByText('Ang posting noong nag-apply ka')).toBeVisible();
  expect(dialog.getByRole('button', { name: 'I-save ang mga tala' })).toBeVisible();
});
