// /moderation: for moderators only; queue, decision, appeals, suspension, statistics and log.
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { appealOf, detailsOf, moderator, reportOf, stats, suspensionAppealOf } from '@/testing/moderation';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, server, signedInAs } from '@/testing/server';

const report = reportOf();

function serve(reports = [report], details = detailsOf(report)) {
  signedInAs(moderator);
  server.use(
    http.get('/api/moderation/reports', () => HttpResponse.json(reports)),
    http.get('/api/moderation/reports/:id', () => HttpResponse.json(details)),
  );
}

test('a member without the role sees the 404 screen, and no link', async () => {
  signedInAs(isabel);
  await renderApp('/moderation');
  await waitFor(() => expect(document.title).toBe('404 Page Not Found | Portia'));
  expect(screen.queryByRole('link', { name: 'Moderation' })).not.toBeInTheDocument();
});

test('a moderator reads a report with its context and removes the content with a reason', async () => {
  serve();
  const sent: unknown[] = [];
  server.use(
    http.post('/api/moderation/reports/:id/decision', async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json(report);
    }),
  );
  const { user } = await renderApp('/moderation');
  expect(await screen.findByRole('link', { name: 'Moderation' })).toHaveAttribute('href', '/moderation');
  await user.click(await screen.findByRole('link', { name: /Buy my essays/ }));
  const shown = within(await screen.findByRole('region', { name: 'Reported post' }));
  expect(shown.getByText('Buy my outlines')).toBeVisible();
  expect(shown.getByText('It sells essays.')).toBeVisible();
  expect(shown.getByText('Earlier reports: 3 led to a removal, 1 were dismissed.')).toBeVisible();
  expect(shown.getByText('Other reported content: 2 removed, 0 kept.')).toBeVisible();
  await user.click(shown.getByRole('radio', { name: 'Remove' }));
  await user.click(shown.getByRole('button', { name: 'Remove' }));
  expect(shown.getByText('Please choose a reason.')).toBeVisible();
  await user.selectOptions(shown.getByRole('combobox', { name: 'Reason' }), 'Harassment');
  await user.type(shown.getByRole('textbox', { name: 'Note (optional)' }), 'Seen twice.');
  await user.click(shown.getByRole('button', { name: 'Remove' }));
  expect(await screen.findByText('Content removed')).toBeVisible();
  expect(sent).toEqual([{ decision: 'remove', reason: 'harassment', note: 'Seen twice.' }]);
  expect(Object.keys(localStorage).filter((key) => key.includes('draft:'))).toEqual([]);
});

test('the decision and its note are kept when the moderator goes elsewhere', async () => {
  serve();
  const address = `/moderation?report=${report.id}`;
  const { user, unmount } = await renderApp(address);
  await user.click(await screen.findByRole('radio', { name: 'Remove' }));
  await user.selectOptions(screen.getByRole('combobox', { name: 'Reason' }), 'Harassment');
  await user.type(screen.getByRole('textbox', { name: 'Note (optional)' }), 'Seen twice.');
  unmount();
  const second = await renderApp(address);
  expect(await screen.findByRole('textbox', { name: 'Note (optional)' })).toHaveValue('Seen twice.');
  expect(screen.getByRole('combobox', { name: 'Reason' })).toHaveDisplayValue('Harassment');
  expect(screen.getByRole('radio', { name: 'Remove' })).toBeChecked();
  await second.user.click(screen.getByRole('button', { name: 'Discard draft' }));
  expect(screen.queryByRole('textbox', { name: 'Note (optional)' })).not.toBeInTheDocument();
});

test('a mention in a reported text is a link to the member, not an id', async () => {
  const mentioning = { ...report, excerpt: `Thanks @[${isabel.id}] for nothing` };
  serve([mentioning], detailsOf(mentioning));
  await renderApp(`/moderation?report=${report.id}`);
  expect(await screen.findByRole('link', { name: /Thanks @member for nothing/ })).toBeVisible();
  const shown = within(await screen.findByRole('region', { name: 'Reported post' }));
  expect(shown.getByRole('link', { name: '@member' })).toHaveAttribute('href', `/profile/${isabel.id}`);
  expect(shown.getByText(/^Thanks/)).toHaveTextContent('Thanks @member for nothing');
});

test('a decision of another moderator is told, and the report is read again', async () => {
  serve();
  server.use(
    http.post('/api/moderation/reports/:id/decision', () =>
      problem(409, { error: 'This report was decided before, and otherwise.' }),
    ),
  );
  const { user } = await renderApp(`/moderation?report=${report.id}`);
  await user.click(await screen.findByRole('radio', { name: 'Keep' }));
  await user.selectOptions(screen.getByRole('combobox', { name: 'Reason' }), 'Breaks no rule');
  serve([], detailsOf(reportOf({ outcome: 'removed', decidable: false, decisionReason: 'spam' })));
  await user.click(screen.getByRole('button', { name: 'Keep' }));
  expect(
    await screen.findByText(
      'Failed to save the decision: 409: This report was decided before, and otherwise.',
    ),
  ).toBeVisible();
  expect(await screen.findByRole('heading', { name: 'Removed' })).toBeVisible();
});

test('a member cannot be removed, but suspended', async () => {
  const member = reportOf({ kind: 'member' });
  serve([member], { ...detailsOf(member), current: null });
  const sent: unknown[] = [];
  server.use(
    http.post('/api/moderation/members/:id/suspend', async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json(detailsOf(member).standing);
    }),
  );
  const { user } = await renderApp(`/moderation?report=${member.id}`);
  expect(await screen.findByText(/A member or a message cannot be removed/)).toBeVisible();
  expect(screen.queryByRole('radio', { name: 'Remove' })).not.toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Suspend @priya' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Suspend @priya' }));
  await user.selectOptions(dialog.getByRole('combobox', { name: 'Reason' }), 'Spam');
  await user.click(dialog.getByRole('button', { name: 'Suspend @priya' }));
  expect(await screen.findByText('@priya is suspended')).toBeVisible();
  expect(sent).toEqual([{ reason: 'spam' }]);
});

test('a reported message shows its pictures and its file, also after its deletion', async () => {
  const message = reportOf({ kind: 'message' });
  const base = `/api/moderation/messages/${message.itemId}`;
  const pictures = [{ url: `${base}/pictures/1`, alt: 'A court', width: 4, height: 3 }];
  const file = { name: 'Brief.pdf', size: 2048, url: `${base}/file` };
  serve([message], { ...detailsOf(message), current: null, pictures, file });
  await renderApp(`/moderation?report=${message.id}`);
  expect(await screen.findByText('Pictures and files, as reported')).toBeVisible();
  expect(screen.getByRole('img', { name: 'A court' })).toHaveAttribute('src', `${base}/pictures/1`);
  const link = screen.getByRole('link', { name: /Brief\.pdf.*Download/ });
  expect(link).toHaveAttribute('href', `${base}/file`);
  expect(link).toHaveAttribute('download', 'Brief.pdf');
});

test('an own case has no form', async () => {
  const own = reportOf({ decidable: false });
  serve([own], detailsOf(own));
  await renderApp(`/moderation?report=${own.id}`);
  expect(await screen.findByText(/You cannot decide this/)).toBeVisible();
});

test('the queue says when it is empty, and when it could not be loaded', async () => {
  serve([]);
  const { unmount } = await renderApp('/moderation');
  expect(await screen.findByText('No open reports.')).toBeVisible();
  unmount();
  server.use(http.get('/api/moderation/reports', () => problem(503, { error: 'Away' })));
  await renderApp('/moderation');
  expect(await screen.findByText('The list could not be loaded. Please try again later.')).toBeVisible();
});

test('an appeal is decided with a reason that fits', async () => {
  serve();
  const sent: unknown[] = [];
  server.use(
    http.get('/api/moderation/appeals', () => HttpResponse.json([appealOf()])),
    http.post('/api/moderation/appeals/:id/decision', async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json(appealOf());
    }),
  );
  const { user } = await renderApp('/moderation?tab=appeals');
  await user.click(await screen.findByRole('link', { name: /It was a joke/ }));
  await user.click(await screen.findByRole('radio', { name: 'Overturn' }));
  const reasons = within(screen.getByRole('combobox', { name: 'Reason' })).getAllByRole('option');
  expect(reasons.map(({ textContent }) => textContent)).toEqual([
    'Choose a reason',
    'Breaks no rule',
    'Settled in another way',
    'Other',
  ]);
  await user.selectOptions(screen.getByRole('combobox', { name: 'Reason' }), 'Breaks no rule');
  await user.click(screen.getByRole('button', { name: 'Overturn' }));
  expect(await screen.findByText('The removal is overturned')).toBeVisible();
  expect(sent).toEqual([{ decision: 'overturn', reason: 'no-violation' }]);
});

test('an appeal against a suspension is decided with a reason that fits', async () => {
  serve();
  const sent: unknown[] = [];
  server.use(
    http.get('/api/moderation/appeals', () => HttpResponse.json([])),
    http.get('/api/moderation/suspension-appeals', () => HttpResponse.json([suspensionAppealOf()])),
    http.post('/api/moderation/suspension-appeals/:id/decision', async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json(suspensionAppealOf({ appealOutcome: 'overturned', decidable: false }));
    }),
  );
  const { user } = await renderApp('/moderation?tab=appeals');
  await user.click(await screen.findByRole('radio', { name: 'Suspensions' }));
  await user.click(await screen.findByRole('link', { name: /They were my own notes/ }));
  const shown = within(await screen.findByRole('region', { name: 'Appeal by @priya' }));
  expect(shown.getByText('Sells essays.')).toBeVisible();
  expect(shown.getByText('Spam · suspended by @noa')).toBeVisible();
  await user.click(shown.getByRole('radio', { name: 'Lift the suspension' }));
  await user.selectOptions(shown.getByRole('combobox', { name: 'Reason' }), 'Breaks no rule');
  await user.click(shown.getByRole('button', { name: 'Lift the suspension' }));
  expect(await screen.findByText('The suspension is lifted')).toBeVisible();
  expect(sent).toEqual([{ decision: 'overturn', reason: 'no-violation' }]);
});

test('an own case against a suspension and a member has no form', async () => {
  serve();
  server.use(
    http.get('/api/moderation/suspension-appeals', () =>
      HttpResponse.json([suspensionAppealOf({ decidable: false })]),
    ),
    http.get('/api/moderation/suspensions', () =>
      HttpResponse.json([
        {
          userId: isabel.id,
          username: 'isabel',
          suspendedAt: report.createdAt,
          moderator: false,
          decidable: false,
        },
      ]),
    ),
  );
  const { user } = await renderApp('/moderation?tab=appeals&against=suspensions');
  await user.click(await screen.findByRole('link', { name: /They were my own notes/ }));
  expect(await screen.findByText(/^Another moderator decides this/)).toBeVisible();
  await user.click(screen.getByRole('tab', { name: 'Suspended' }));
  const suspended = within(await screen.findByRole('region', { name: 'Suspended' }));
  expect(suspended.getByText(/^Another moderator decides this/)).toBeVisible();
  expect(suspended.queryByRole('button')).not.toBeInTheDocument();
});

test('statistics are figures and bars, and the log names who acted', async () => {
  serve();
  server.use(
    http.get('/api/moderation/statistics', () => HttpResponse.json(stats)),
    http.get('/api/moderation/log', () =>
      HttpResponse.json([
        {
          id: report.id,
          at: report.createdAt,
          event: 'suspended',
          moderator: 'mia',
          byOperator: false,
          userId: isabel.id,
          username: 'isabel',
          about: null,
          reason: 'spam',
          note: 'Sells essays.',
        },
      ]),
    ),
  );
  const { user } = await renderApp('/moderation?tab=statistics');
  expect(await screen.findByText('2 hours')).toBeVisible();
  const reasons = within(screen.getByRole('region', { name: 'Decisions in the last 30 days, by reason' }));
  expect(reasons.getByRole('listitem')).toHaveTextContent('Spam2 removed, 1 kept');
  await user.click(screen.getByRole('tab', { name: 'Log' }));
  const log = within(await screen.findByRole('region', { name: 'Log' }));
  expect(log.getByRole('listitem')).toHaveTextContent('Member suspended · @isabel');
  expect(log.getByRole('listitem')).toHaveTextContent('mia · Spam');
});

test.each([
  ['', 0],
  [' Edited', 1],
])('a present post %j after its text is compared without its picture and card', async (edit, shown) => {
  const { current } = detailsOf(report);
  if (!current) throw new Error('a present post');
  const excerpt = `${current.content}\n/media/signed/1.jpg\nA case\nAbout it\nhttps://lawphil.example/`;
  const reported = reportOf({ excerpt });
  const details = detailsOf(reported);
  serve([reported], { ...details, current: { ...current, content: `${current.content}${edit}` } });
  await renderApp(`/moderation?report=${reported.id}`);
  expect(await screen.findByText('As it was reported')).toBeVisible();
  expect(screen.queryAllByText('As it is now')).toHaveLength(shown);
});
