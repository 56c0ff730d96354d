// The page of a posting: open, closed, sample, unknown, and failed.
import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, expect, test, vi } from 'vitest';
import type { Job } from '@/api/schema.gen';
import { jobOf } from '@/testing/jobs';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, server, signedInAs } from '@/testing/server';

const job = jobOf({
  description: 'Rotate through litigation.\n\n- Draft memoranda\n- Sit in on depositions',
  externalUrl: 'https://harlanvoss.example/careers/42',
  salary: '$3,400 per week',
});
const address = `/jobs/${job.id}`;

afterEach(() => {
  vi.unstubAllEnvs();
});

const serve = (served: Job) => server.use(http.get('/api/jobs/:id', () => HttpResponse.json(served)));

test('shows all data of a posting', async () => {
  serve(job);
  await renderApp(address);
  expect(await screen.findByRole('heading', { level: 1, name: 'Summer Associate' })).toBeVisible();
  expect(document.title).toBe('Summer Associate, Harlan & Voss | Portia');
  for (const text of [
    'Harlan & Voss · New York',
    'Internship',
    'Entry-level',
    'Litigation',
    'From Harlan & Voss careers',
    'Posted Nov 10, 2026',
    '$3,400 per week',
    'Apply by Dec 15, 2026',
  ])
    expect(screen.getByText(text)).toBeVisible();
  const about = within(screen.getByRole('region', { name: 'About this job' }));
  const description = about.getByText(/Rotate through litigation/);
  expect(description).toHaveClass('whitespace-pre-line');
  expect(description.textContent).toBe(job.description);
  const original = screen.getByRole('link', { name: 'Original posting' });
  expect(original).toHaveAttribute('href', 'https://harlanvoss.example/careers/42');
  expect(original).toHaveAttribute('target', '_blank');
  expect(original).toHaveAttribute('rel', 'noopener nofollow');
  expect(screen.getByRole('button', { name: 'Apply Now' })).toHaveAttribute('aria-disabled', 'true');
  expect(screen.queryByText(/Demo|no longer open/)).not.toBeInTheDocument();
});

test.each(['Pacific/Pago_Pago', 'America/Los_Angeles', 'Asia/Manila', 'Pacific/Kiritimati'])(
  'dates of a posting are the same in %s',
  async (zone) => {
    vi.stubEnv('TZ', zone);
    expect(new Intl.DateTimeFormat().resolvedOptions().timeZone).toBe(zone);
    serve(jobOf({ applicationDeadline: '2026-12-01', postedAt: '2026-11-26' }));
    await renderApp(address);
    expect(await screen.findByText('Apply by Dec 1, 2026')).toBeVisible();
    expect(screen.getByText('Posted Nov 26, 2026')).toBeVisible();
  },
);

test('a deadline at a time names the zone of a viewer elsewhere', async () => {
  vi.stubEnv('TZ', 'Asia/Manila');
  serve(jobOf({ applicationDeadline: '2026-12-01T23:59:59-08:00' }));
  await renderApp(address);
  expect(await screen.findByText(/^Apply by Dec 2, 2026, 3:59\sPM GMT\+8$/)).toBeVisible();
});

test('a posting with few data shows no empty parts', async () => {
  serve(
    jobOf({
      location: null,
      employmentType: null,
      experienceLevel: null,
      practiceArea: null,
      applicationDeadline: null,
      description: '',
    }),
  );
  await renderApp(address);
  expect(await screen.findByText('Harlan & Voss')).toBeVisible();
  expect(screen.getByText('Salary not disclosed')).toBeVisible();
  expect(screen.queryByText(/Apply by|null/)).not.toBeInTheDocument();
  expect(screen.queryByText('About this job')).not.toBeInTheDocument();
  expect(screen.queryByRole('link', { name: 'Original posting' })).not.toBeInTheDocument();
});

test('markup in a description is text, and an invalid address is not linked', async () => {
  serve({
    ...job,
    description: '<img src=x onerror=alert(1)> & <b>bold</b>',
    externalUrl: 'javascript:alert(1)',
  });
  await renderApp(address);
  expect(await screen.findByText('<img src=x onerror=alert(1)> & <b>bold</b>')).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Original posting' })).not.toBeInTheDocument();
});

test('a closed posting is marked and accepts no applications', async () => {
  signedInAs(isabel);
  serve({ ...job, closedAt: '2026-11-20T12:00:00Z' });
  await renderApp(address);
  expect(await screen.findByText('This job is no longer open. It closed on Nov 20, 2026.')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Apply Now' })).not.toBeInTheDocument();
  expect(screen.getByText(/Rotate through litigation/)).toBeVisible();
});

test('a closed posting with an application still shows Applied', async () => {
  signedInAs(isabel);
  serve({ ...job, closedAt: '2026-11-20T12:00:00Z', applied: true });
  await renderApp(address);
  expect(await screen.findByText(/This job is no longer open\./)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Applied' })).toHaveAttribute('aria-disabled', 'true');
  expect(screen.getByRole('link', { name: 'See it in My Applications' })).toBeVisible();
});

test('a sample is marked as such', async () => {
  serve({ ...job, isDemo: true });
  await renderApp(address);
  expect(await screen.findByText('Demo')).toHaveAttribute(
    'title',
    'This is a sample posting. Sample postings are shown until real ones are available.',
  );
});

test('an unknown posting, and a posting that fails to load', async () => {
  server.use(http.get('/api/jobs/:id', () => problem(404, { error: 'Job not found' })));
  const { unmount } = await renderApp('/jobs/nothing');
  expect(await screen.findByText('Job not found')).toBeVisible();
  expect(screen.getByText('There is no job at this address.')).toBeVisible();
  expect(screen.getByRole('link', { name: 'All jobs' })).toHaveAttribute('href', '/jobs');
  expect(document.title).toBe('Legal Jobs & Internships | Portia');
  unmount();

  serve(job);
  server.use(
    http.get('/api/jobs/:id', () => problem(503, { error: 'Please try again soon' }), { once: true }),
  );
  const { user } = await renderApp(address);
  expect(await screen.findByText('This job could not be loaded. Please try again later.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Try Again' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Summer Associate' })).toBeVisible();
});

test('is translated to Filipino', async () => {
  serve({ ...job, closedAt: '2026-11-20T12:00:00Z' });
  await renderApp(address, { language: 'fil' });
  expect(await screen.findByText(/^Hindi na bukas ang trabahong ito\./)).toBeVisible();
  expect(screen.getByText('Na-post noong Nob 10, 2026')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Orihinal na posting' })).toBeVisible();
});
