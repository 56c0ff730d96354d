// Jobs: stats, filters in the address and in the request, postings, and the member's applications.
import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import type { Job, JobApplication } from '@/api/types';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, server, signedInAs } from '@/testing/server';

const job: Job = {
  id: 'j1',
  title: 'Summer Associate',
  company: 'Harlan & Voss',
  location: 'New York',
  description: 'Rotate through litigation and corporate teams.',
  employmentType: 'internship',
  experienceLevel: 'entry-level',
  practiceArea: 'litigation',
  salary: null,
  source: 'greenhouse',
  applicationDeadline: '2026-12-15T12:00:00Z',
  externalUrl: null,
};

function applicationOf(status: string, changes: Partial<JobApplication> = {}): JobApplication {
  return {
    id: status,
    jobId: job.id,
    job,
    applicationDate: '2026-11-18T12:00:00Z',
    notes: null,
    status,
    ...changes,
  };
}

/** The queries the job list has been asked with, from here on. */
function watchJobs(): string[] {
  const asked: string[] = [];
  server.use(
    http.get('/api/jobs', ({ request }) => {
      asked.push(new URL(request.url).search);
      return HttpResponse.json([]);
    }),
  );
  return asked;
}

test('title, stats and a posting', async () => {
  server.use(
    http.get('/api/jobs', () => HttpResponse.json([job])),
    http.get('/api/jobs/stats/overview', () =>
      HttpResponse.json({ totalJobs: 1280, internships: 46, entryLevel: 39, fullTime: 61 }),
    ),
  );
  await renderApp('/jobs');
  expect(await screen.findByRole('heading', { level: 1, name: 'Legal Jobs & Internships' })).toBeVisible();
  expect(document.title).toBe('Legal Jobs & Internships | Portia');
  expect(await screen.findByText('1,280')).toBeVisible();
  for (const text of ['Total Jobs', '46', 'Internships', '39', 'Entry Level', '61', 'Full Time'])
    expect(screen.getByText(text)).toBeVisible();
  expect(await screen.findByRole('heading', { level: 2, name: 'Summer Associate' })).toBeVisible();
  for (const text of [
    'Harlan & Voss · New York',
    'Internship',
    'Entry-level',
    'Litigation',
    'Salary not disclosed',
    'Apply by Dec 15, 2026',
  ])
    expect(screen.getByText(text)).toBeVisible();
});

test('a posting that says little shows no empty places', async () => {
  const bare = {
    ...job,
    location: null,
    employmentType: null,
    experienceLevel: null,
    practiceArea: null,
    salary: '$3,400 per week',
    applicationDeadline: 'soon',
  };
  server.use(http.get('/api/jobs', () => HttpResponse.json([bare])));
  await renderApp('/jobs');
  expect(await screen.findByText('Harlan & Voss')).toBeVisible();
  expect(screen.getByText('$3,400 per week')).toBeVisible();
  expect(screen.queryByText(/Apply by|Salary not disclosed|null/)).not.toBeInTheDocument();
});

test('nothing found', async () => {
  await renderApp('/jobs');
  expect(await screen.findByText('No jobs found')).toBeVisible();
  expect(screen.getByText('Try adjusting your filters or refresh the job listings.')).toBeVisible();
});

test('the list failed: the stats and filters stay', async () => {
  server.use(http.get('/api/jobs', () => problem(503, { error: 'Please try again soon' })));
  await renderApp('/jobs');
  expect(await screen.findByText('Error loading jobs. Please try again.')).toBeVisible();
  expect(screen.getByRole('searchbox', { name: 'Search jobs' })).toBeVisible();
});

test('without filters nothing is sent', async () => {
  const asked = watchJobs();
  await renderApp('/jobs');
  await screen.findByText('No jobs found');
  expect(asked).toEqual(['']);
});

test('filters of the address are in the request; what is no choice is not', async () => {
  const asked = watchJobs();
  await renderApp('/jobs?search=clerk&location=new+york&practiceArea=astrology&employmentType=contract&x=y');
  await screen.findByText('No jobs found');
  expect(asked.map((query) => Object.fromEntries(new URLSearchParams(query)))).toEqual([
    { search: 'clerk', location: 'new york', employmentType: 'contract' },
  ]);
  expect(screen.getByRole('searchbox', { name: 'Search jobs' })).toHaveValue('clerk');
  expect(screen.getByRole('combobox', { name: 'Location' })).toHaveTextContent('New York');
  expect(screen.getByRole('combobox', { name: 'Practice Area' })).toHaveTextContent('Practice Area');
});

test.each([
  ['Location', ['Location', 'Washington', 'New York', 'California', 'Remote']],
  [
    'Practice Area',
    [
      'Practice Area',
      'Corporate',
      'Litigation',
      'Public Interest',
      'Government',
      'Immigration',
      'Intellectual Property',
    ],
  ],
  ['Experience Level', ['Experience Level', 'Entry-level', 'Mid-level', 'Senior']],
  ['Employment Type', ['Employment Type', 'Full-time', 'Part-time', 'Internship', 'Contract']],
])('%s offers the choices of the specification', async (name, choices) => {
  const { user } = await renderApp('/jobs');
  await user.click(await screen.findByRole('combobox', { name }));
  expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual(choices);
});

test('choosing and clearing a filter changes the address and asks anew', async () => {
  const asked = watchJobs();
  const { user, path } = await renderApp('/jobs');
  await user.click(await screen.findByRole('combobox', { name: 'Location' }));
  await user.click(await screen.findByRole('option', { name: 'Remote' }));
  await waitFor(() => expect(asked).toContain('?location=remote'));
  expect(path()).toBe('/jobs?location=remote');
  await user.click(screen.getByRole('combobox', { name: 'Location' }));
  await user.click(await screen.findByRole('option', { name: 'All locations' }));
  await waitFor(() => expect(path()).toBe('/jobs'));
});

test('a search is sent on Enter, trimmed, and keeps the focus', async () => {
  const asked = watchJobs();
  const { user, path } = await renderApp('/jobs');
  const field = await screen.findByRole('searchbox', { name: 'Search jobs' });
  await user.type(field, ' summer clerk {Enter}');
  await waitFor(() => expect(asked.at(-1)).toBe('?search=summer%20clerk'));
  expect(path()).toBe('/jobs?search=summer+clerk');
  expect(field).toHaveFocus();
  expect(field).toHaveValue('summer clerk');
});

test('a search that was typed and left is sent too', async () => {
  const asked = watchJobs();
  const { user } = await renderApp('/jobs');
  await user.type(await screen.findByRole('searchbox', { name: 'Search jobs' }), 'clerk');
  await user.tab();
  await waitFor(() => expect(asked.at(-1)).toBe('?search=clerk'));
  expect(asked).toHaveLength(2);
});

test('a visitor: My Applications is disabled and not asked for', async () => {
  server.use(
    http.get('/api/jobs/applications/my', () => {
      throw new Error('a visitor has no applications');
    }),
  );
  const { user } = await renderApp('/jobs');
  const tab = await screen.findByRole('tab', { name: /^My Applications/ });
  expect(tab).toBeDisabled();
  await user.click(tab);
  expect(screen.getByRole('tab', { name: 'Browse Jobs' })).toHaveAttribute('aria-selected', 'true');
});

test('a member: the count in the tab, and a badge for every status', async () => {
  signedInAs(isabel);
  const all = ['applied', 'interviewed', 'offered', 'on hold'].map((status) => applicationOf(status));
  server.use(
    http.get('/api/jobs/applications/my', () =>
      HttpResponse.json([...all, applicationOf('withdrawn', { job: null, notes: 'Moved away.' })]),
    ),
  );
  const { user } = await renderApp('/jobs');
  await user.click(await screen.findByRole('tab', { name: 'My Applications 5' }));
  const tones = { applied: 'blue', interviewed: 'purple', offered: 'green', 'on hold': 'grey' };
  for (const [status, tone] of Object.entries(tones))
    expect(screen.getByText(status)).toHaveClass(`bg-status-${tone}`);
  expect(screen.getByText('This posting is no longer available')).toBeVisible();
  expect(screen.getByText('Moved away.')).toBeVisible();
  expect(screen.getAllByText('Nov 18, 2026')).toHaveLength(5);
});

test('a member without applications, and one whose list failed', async () => {
  signedInAs(isabel);
  const { user, unmount } = await renderApp('/jobs');
  await user.click(await screen.findByRole('tab', { name: /^My Applications/ }));
  expect(await screen.findByText('No applications yet')).toBeVisible();
  unmount();

  server.use(http.get('/api/jobs/applications/my', () => problem(503, { error: 'Please try again soon' })));
  const again = await renderApp('/jobs');
  await again.user.click(await screen.findByRole('tab', { name: /^My Applications/ }));
  expect(
    await screen.findByText('Your applications could not be loaded. Please try again later.'),
  ).toBeVisible();
});

test('in Filipino', async () => {
  server.use(http.get('/api/jobs', () => HttpResponse.json([job])));
  await renderApp('/jobs', { language: 'fil' });
  expect(
    await screen.findByRole('heading', { level: 1, name: 'Mga Legal na Trabaho at Internship' }),
  ).toBeVisible();
  expect(await screen.findByText('Hindi isiniwalat ang sahod')).toBeVisible();
  expect(screen.getByRole('combobox', { name: 'Larangan ng Batas' })).toBeVisible();
});
