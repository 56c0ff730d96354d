// Applying: as a visitor, in the dialog, on the employer's own site, and every failure.
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import type { Job } from '@/api/schema.gen';
import { applicationOf, jobOf } from '@/testing/jobs';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, server, signedInAs } from '@/testing/server';

const site = 'https://www.harlanvoss.example/careers/42?from=portia';

/** Serves a list with this posting, accepts applications, and records the requests. */
function employer(job: Job) {
  const recorded = { keys: [] as (string | null)[], bodies: [] as unknown[], lists: 0, job };
  server.use(
    http.get('/api/jobs', () => {
      recorded.lists += 1;
      return HttpResponse.json([recorded.job]);
    }),
    http.get('/api/jobs/:id', () => HttpResponse.json(recorded.job)),
    http.post('/api/jobs/:id/apply', async ({ request }) => {
      recorded.keys.push(request.headers.get('Idempotency-Key'));
      recorded.bodies.push(await request.json());
      recorded.job = { ...job, applied: true };
      return HttpResponse.json(applicationOf({ jobId: job.id, job: recorded.job }), { status: 201 });
    }),
  );
  return recorded;
}

const dialogOf = async (title: string) =>
  within(await screen.findByRole('dialog', { name: `Apply for ${title}` }));

test('Apply Now looks disabled to a visitor, and its click shows the reason', async () => {
  employer(jobOf());
  const { user } = await renderApp('/jobs');
  const apply = await screen.findByRole('button', { name: 'Apply Now' });
  await waitFor(() => expect(apply).toHaveAttribute('aria-disabled', 'true'));
  expect(apply).toHaveAccessibleDescription('Summer Associate');
  await user.click(apply);
  expect(await screen.findByText('Authentication Required')).toBeVisible();
  expect(screen.getByText('Please sign in to apply for jobs.')).toBeVisible();
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
});

test('a member applies with notes: the dialog, the request, and the updated screen', async () => {
  signedInAs(isabel);
  const recorded = employer(jobOf());
  const { user } = await renderApp('/jobs');
  expect(await screen.findByRole('tab', { name: 'My Applications 0' })).toBeVisible();
  const button = await screen.findByRole('button', { name: 'Apply Now' });
  expect(button).toHaveAttribute('aria-disabled', 'false');
  await user.click(button);
  const dialog = await dialogOf('Summer Associate');
  expect(dialog.getByText('New York · Internship · Apply by Dec 15, 2026')).toBeVisible();
  expect(dialog.getAllByText(/It sends nothing to the employer\./)[0]).toBeInTheDocument();
  const notes = dialog.getByLabelText('Notes');
  expect(notes).toHaveFocus();
  expect(notes).toHaveAccessibleDescription('Only you can see them.');
  await user.type(notes, '  I argued the regional moot.{Enter}Twice. ');
  await user.click(dialog.getByRole('button', { name: 'Submit Application' }));
  expect(await screen.findByText('Application Submitted')).toBeVisible();
  expect(screen.getByText('Summer Associate is now in My Applications.')).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(recorded.bodies).toEqual([{ notes: 'I argued the regional moot.\nTwice.' }]);
  expect(recorded.keys[0]).toMatch(/^[0-9a-f]{32}$/);
  const applied = screen.getByRole('button', { name: 'Applied' });
  expect(applied).toHaveAttribute('aria-disabled', 'true');
  expect(applied).toHaveFocus();
  expect(screen.queryByRole('button', { name: 'Apply Now' })).not.toBeInTheDocument();
  expect(screen.getByRole('tab', { name: 'My Applications 1' })).toBeVisible();
  expect(recorded.lists).toBe(1);
  await user.click(applied);
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  await user.click(screen.getByRole('tab', { name: 'My Applications 1' }));
  expect(await screen.findByRole('article', { name: 'Summer Associate' })).toBeVisible();
});

test('Cancel sends nothing and keeps the input; notes are optional', async () => {
  signedInAs(isabel);
  const recorded = employer(jobOf());
  const { user } = await renderApp('/jobs');
  await user.click(await screen.findByRole('button', { name: 'Apply Now' }));
  const begun = await dialogOf('Summer Associate');
  await user.type(begun.getByLabelText('Notes'), 'Dear');
  await user.click(begun.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(screen.getByRole('button', { name: 'Apply Now' })).toHaveFocus();
  expect(recorded.bodies).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Apply Now' }));
  const dialog = await dialogOf('Summer Associate');
  expect(dialog.getByLabelText('Notes')).toHaveValue('Dear');
  await user.clear(dialog.getByLabelText('Notes'));
  await user.click(dialog.getByRole('button', { name: 'Submit Application' }));
  expect(await screen.findByRole('button', { name: 'Applied' })).toBeVisible();
  expect(recorded.bodies).toEqual([{ notes: '' }]);
});

test('the dialog begins with the employer’s site, and an application counts as not sent until the member says so', async () => {
  signedInAs(isabel);
  const recorded = employer(jobOf({ externalUrl: site }));
  const { user } = await renderApp('/jobs');
  await user.click(await screen.findByRole('button', { name: 'Apply Now' }));
  const dialog = await dialogOf('Summer Associate');
  expect(screen.getByRole('dialog')).toHaveAccessibleDescription(
    'Portia sends nothing to harlanvoss.example: apply there yourself. Portia only stores your application here. Until it is sent, Portia reminds you before the deadline.',
  );
  const link = dialog.getByRole('link', { name: 'Apply at harlanvoss.example' });
  expect(link).toHaveAttribute('href', site);
  expect(link).toHaveAttribute('target', '_blank');
  expect(link).toHaveAttribute('rel', 'noopener nofollow');
  // It precedes everything else.
  expect(link.compareDocumentPosition(dialog.getByText('Harlan & Voss'))).toBe(
    Node.DOCUMENT_POSITION_FOLLOWING,
  );
  const question = within(dialog.getByRole('radiogroup', { name: 'Sent to the employer?' }));
  expect(question.getByRole('radio', { name: 'Yes' })).not.toBeChecked();
  expect(question.getByRole('radio', { name: 'Not yet' })).toBeChecked();
  await user.click(dialog.getByRole('button', { name: 'Submit Application' }));
  expect(await screen.findByText('Application Submitted')).toBeVisible();
  expect(screen.getByText('Summer Associate is now in My Applications.')).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(recorded.bodies).toEqual([{ notes: '', sentToEmployer: 'not-yet' }]);
});

test('an application that was sent to the employer is recorded as such', async () => {
  signedInAs(isabel);
  const recorded = employer(jobOf({ externalUrl: site, applicationDeadline: null }));
  const { user } = await renderApp('/jobs');
  await user.click(await screen.findByRole('button', { name: 'Apply Now' }));
  const dialog = await dialogOf('Summer Associate');
  expect(screen.getByRole('dialog')).toHaveAccessibleDescription(
    'Portia sends nothing to harlanvoss.example: apply there yourself. Portia only stores your application here.',
  );
  await user.click(dialog.getByRole('radio', { name: 'Yes' }));
  await user.click(dialog.getByRole('button', { name: 'Submit Application' }));
  expect(await screen.findByText('Application Submitted')).toBeVisible();
  expect(recorded.bodies).toEqual([{ notes: '', sentToEmployer: 'yes' }]);
});

test('an invalid web address is not shown', async () => {
  signedInAs(isabel);
  const recorded = employer(jobOf({ externalUrl: 'javascript:alert(1)' }));
  const { user } = await renderApp('/jobs');
  await user.click(await screen.findByRole('button', { name: 'Apply Now' }));
  const dialog = await dialogOf('Summer Associate');
  expect(screen.getByRole('dialog')).toHaveAccessibleDescription(
    'Portia keeps track of your application here. It sends nothing to the employer.',
  );
  expect(dialog.queryByRole('link')).not.toBeInTheDocument();
  expect(dialog.queryByRole('radiogroup')).not.toBeInTheDocument();
  await user.click(dialog.getByRole('button', { name: 'Submit Application' }));
  expect(await screen.findByText('Application Submitted')).toBeVisible();
  expect(recorded.bodies).toEqual([{ notes: '' }]);
});

test('a lost request is sent again with the same key and notes', async () => {
  signedInAs(isabel);
  const recorded = employer(jobOf({ externalUrl: site }));
  server.use(
    http.post(
      '/api/jobs/:id/apply',
      ({ request }) => {
        recorded.keys.push(request.headers.get('Idempotency-Key'));
        return HttpResponse.error();
      },
      { once: true },
    ),
  );
  const { user } = await renderApp('/jobs');
  await user.click(await screen.findByRole('button', { name: 'Apply Now' }));
  const dialog = await dialogOf('Summer Associate');
  await user.type(dialog.getByLabelText('Notes'), 'Hello');
  await user.click(dialog.getByRole('button', { name: 'Submit Application' }));
  expect(await screen.findByText('Application Failed')).toBeVisible();
  expect(screen.getByText('Failed to apply')).toBeVisible();
  expect(dialog.getByLabelText('Notes')).toHaveValue('Hello');
  await user.click(dialog.getByRole('button', { name: 'Submit Application' }));
  expect(await screen.findByText('Application Submitted')).toBeVisible();
  expect(recorded.keys).toHaveLength(2);
  expect(recorded.keys[1]).toBe(recorded.keys[0]);
  expect(recorded.bodies).toEqual([{ notes: 'Hello', sentToEmployer: 'not-yet' }]);
});

test.each([
  [409, 'You have already applied for this job'],
  [409, 'This job is no longer open'],
  [404, 'Job not found'],
])('a final refusal, %i %s: shows the reason and refetches the list', async (status, error) => {
  signedInAs(isabel);
  const recorded = employer(jobOf());
  server.use(http.post('/api/jobs/:id/apply', () => problem(status, { error })));
  const { user } = await renderApp('/jobs');
  await user.click(await screen.findByRole('button', { name: 'Apply Now' }));
  const dialog = await dialogOf('Summer Associate');
  recorded.job = jobOf({ applied: true });
  await user.click(dialog.getByRole('button', { name: 'Submit Application' }));
  expect(await screen.findByText('Application Failed')).toBeVisible();
  expect(screen.getByText(error)).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(await screen.findByRole('button', { name: 'Applied' })).toBeVisible();
  expect(recorded.lists).toBe(2);
});

test('a busy server shows its error, and the dialog stays', async () => {
  signedInAs(isabel);
  employer(jobOf());
  server.use(http.post('/api/jobs/:id/apply', () => problem(503, { error: 'Please try again soon' })));
  const { user } = await renderApp('/jobs');
  await user.click(await screen.findByRole('button', { name: 'Apply Now' }));
  const dialog = await dialogOf('Summer Associate');
  await user.click(dialog.getByRole('button', { name: 'Submit Application' }));
  expect(await screen.findByText('Please try again soon')).toBeVisible();
  expect(screen.getByText('Application Failed')).toBeVisible();
  expect(dialog.getByRole('button', { name: 'Submit Application' })).toBeEnabled();
});

test('applying on the page of the posting updates the list', async () => {
  signedInAs(isabel);
  const recorded = employer(jobOf());
  const { user } = await renderApp('/jobs');
  await user.click(await screen.findByRole('link', { name: 'Summer Associate' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Summer Associate' })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Apply Now' }));
  await user.click((await dialogOf('Summer Associate')).getByRole('button', { name: 'Submit Application' }));
  expect(await screen.findByRole('button', { name: 'Applied' })).toBeVisible();
  const way = screen.getByRole('link', { name: 'See it in My Applications' });
  expect(way).toHaveAttribute('href', '/jobs?tab=applications');
  await user.click(way);
  await user.click(await screen.findByRole('tab', { name: 'Browse Jobs' }));
  expect(await screen.findByRole('button', { name: 'Applied' })).toBeVisible();
  expect(recorded.lists).toBe(1);
});

test('is translated to Filipino', async () => {
  signedInAs(isabel);
  employer(jobOf({ externalUrl: site }));
  const { user } = await renderApp('/jobs', { language: 'fil' });
  await user.click(await screen.findByRole('button', { name: 'Mag-apply Na' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Mag-apply sa Summer Associate' }));
  expect(screen.getByRole('dialog')).toHaveAccessibleDescription(
    /^Walang ipinapadala ang Portia sa harlanvoss\.example/,
  );
  expect(dialog.getByRole('link', { name: 'Mag-apply sa harlanvoss.example' })).toBeVisible();
  expect(dialog.getByRole('radiogroup', { name: 'Naipadala na ba sa employer?' })).toBeVisible();
  await user.click(dialog.getByRole('button', { name: 'Ipasa ang Aplikasyon' }));
  expect(await screen.findByText('Naipasa ang Aplikasyon')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Naka-apply na' })).toBeVisible();
});
