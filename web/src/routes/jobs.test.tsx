// Jobs: stats, filters in address and request, pages, and refreshing.
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { gate, jobOf, watchJobs } from '@/testing/jobs';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, server, signedInAs } from '@/testing/server';

const job = jobOf();

test('shows title, stats and a posting', async () => {
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
  const card = within(await screen.findByRole('article', { name: 'Summer Associate' }));
  expect(card.getByRole('link', { name: 'Summer Associate' })).toHaveAttribute('href', `/jobs/${job.id}`);
  for (const text of [
    'Harlan & Voss · New York',
    'From Harlan & Voss careers',
    'Internship',
    'Entry-level',
    'Litigation',
    'Salary not disclosed',
    'Apply by Dec 15, 2026',
  ])
    expect(card.getByText(text)).toBeVisible();
  expect(card.queryByText('Demo')).not.toBeInTheDocument();
});

test('a sample is marked as such', async () => {
  server.use(http.get('/api/jobs', () => HttpResponse.json([jobOf({ isDemo: true })])));
  await renderApp('/jobs');
  expect(await screen.findByText('Demo')).toHaveAttribute(
    'title',
    'This is a sample posting. Sample postings are shown until real ones are available.',
  );
  expect(screen.queryByText(/^From/)).not.toBeInTheDocument();
});

test('further pages load on demand, and a failed page keeps the loaded ones', async () => {
  let broken = true;
  server.use(
    http.get('/api/jobs', ({ request }) => {
      if (!new URL(request.url).searchParams.has('cursor'))
        return HttpResponse.json([job], {
          headers: { Link: '</api/jobs?location=remote&cursor=2>; rel="next"' },
        });
      return broken
        ? problem(503, { error: 'Please try again soon' })
        : HttpResponse.json([jobOf({ id: 'j2', title: 'Law Clerk' })]);
    }),
  );
  const { user } = await renderApp('/jobs?location=remote');
  const more = await screen.findByRole('button', { name: 'Show more jobs' });
  await user.click(more);
  expect(await screen.findByText('Error loading jobs. Please try again.')).toBeVisible();
  expect(screen.getByRole('article', { name: 'Summer Associate' })).toBeVisible();
  broken = false;
  await user.click(screen.getByRole('button', { name: 'Show more jobs' }));
  expect(await screen.findByRole('article', { name: 'Law Clerk' })).toBeVisible();
  expect(screen.getByRole('article', { name: 'Summer Associate' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Show more jobs' })).not.toBeInTheDocument();
  expect(screen.queryByText('Error loading jobs. Please try again.')).not.toBeInTheDocument();
});

test('a posting with few data shows no empty parts', async () => {
  const bare = jobOf({
    location: null,
    employmentType: null,
    experienceLevel: null,
    practiceArea: null,
    salary: '$3,400 per week',
    applicationDeadline: 'soon',
  });
  server.use(http.get('/api/jobs', () => HttpResponse.json([bare])));
  await renderApp('/jobs');
  expect(await screen.findByText('Harlan & Voss')).toBeVisible();
  expect(screen.getByText('$3,400 per week')).toBeVisible();
  expect(screen.queryByText(/Apply by|Salary not disclosed|null/)).not.toBeInTheDocument();
});

test('an empty result', async () => {
  await renderApp('/jobs');
  expect(await screen.findByText('No jobs found')).toBeVisible();
  expect(screen.getByText('Try adjusting your filters or refresh the job listings.')).toBeVisible();
});

test('a failed list keeps the stats and filters', async () => {
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

test('filters of the address are in the request, except invalid values', async () => {
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

/** After the locations of the specification. */
const philippines = [
  'Philippines',
  'Metro Manila',
  'City of Manila',
  'Makati',
  'Quezon City',
  'Taguig (BGC)',
  'Pasig (Ortigas)',
  'Cebu City',
  'Davao City',
];

test.each([
  ['Location', ['Location', 'Washington', 'New York', 'California', 'Remote', ...philippines]],
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
  expect((await screen.findAllByRole('option')).map((option) => option.textContent)).toEqual(choices);
});

test('selecting and clearing a filter changes the address and refetches', async () => {
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

test('a place in the Philippines is a filter', async () => {
  const asked = watchJobs();
  const { user, path } = await renderApp('/jobs');
  await user.click(await screen.findByRole('combobox', { name: 'Location' }));
  await user.click(await screen.findByRole('option', { name: 'Quezon City' }));
  await waitFor(() => expect(asked.at(-1)).toBe('?location=quezon%20city'));
  expect(path()).toBe('/jobs?location=quezon+city');
});

test('the filters are part of the address and survive a change of tab', async () => {
  signedInAs(isabel);
  const { user, path } = await renderApp('/jobs?search=clerk&location=remote');
  await user.click(await screen.findByRole('tab', { name: /^My Applications/ }));
  expect(path()).toBe('/jobs?search=clerk&location=remote&tab=applications');
  await user.click(screen.getByRole('tab', { name: 'Browse Jobs' }));
  expect(path()).toBe('/jobs?search=clerk&location=remote');
  expect(await screen.findByRole('searchbox', { name: 'Search jobs' })).toHaveValue('clerk');
});

test('the footer links to the status of the sources', async () => {
  await renderApp('/jobs');
  expect(await screen.findByRole('link', { name: 'Status of the sources' })).toHaveAttribute(
    'href',
    '/status',
  );
});

/** Mocks the postings of the sources and the response of a refresh. */
function refreshing(newJobs: number) {
  const world = { jobs: [job], asked: 0, bodies: [] as string[], until: Promise.resolve() };
  server.use(
    http.get('/api/jobs', () => HttpResponse.json(world.jobs)),
    http.get('/api/jobs/stats/overview', () =>
      HttpResponse.json({ totalJobs: world.jobs.length, internships: 0, entryLevel: 0, fullTime: 0 }),
    ),
    http.post('/api/jobs/refresh', async ({ request }) => {
      world.asked += 1;
      world.bodies.push(await request.text());
      await world.until;
      world.jobs = [jobOf({ id: 'j2', title: 'Law Clerk' }), ...world.jobs];
      return HttpResponse.json({ newJobs });
    }),
  );
  return world;
}

test.each([
  [0, 'No new jobs right now.'],
  [1, '1 new job found.'],
  [1_280, '1,280 new jobs found.'],
])('a visitor refreshes: %i new', async (newJobs, sentence) => {
  const world = refreshing(newJobs);
  const { opened, open } = gate();
  world.until = opened;
  const { user } = await renderApp('/jobs');
  expect(await screen.findByRole('article', { name: 'Summer Associate' })).toBeVisible();
  const button = screen.getByRole('button', { name: 'Refresh Jobs' });
  await user.click(button);
  // A second press during the request sends nothing.
  await waitFor(() => expect(button).toHaveAttribute('aria-disabled', 'true'));
  await user.click(button);
  open();
  expect(await screen.findByText('Jobs Refreshed')).toBeVisible();
  expect(screen.getByText(sentence)).toBeVisible();
  expect(await screen.findByRole('article', { name: 'Law Clerk' })).toBeVisible();
  await waitFor(() => expect(screen.getByText('Total Jobs').nextElementSibling).toHaveTextContent('2'));
  expect(button).toHaveFocus();
  await waitFor(() => expect(button).toHaveAttribute('aria-disabled', 'false'));
  expect(world.asked).toBe(1);
  expect(world.bodies).toEqual(['']);
});

test('cached lists with other filters are refetched after a refresh', async () => {
  refreshing(1);
  const { user } = await renderApp('/jobs?location=remote');
  expect(await screen.findByRole('article', { name: 'Summer Associate' })).toBeVisible();
  await user.click(screen.getByRole('combobox', { name: 'Location' }));
  await user.click(await screen.findByRole('option', { name: 'California' }));
  await waitFor(() =>
    expect(screen.getByRole('combobox', { name: 'Location' })).toHaveTextContent('California'),
  );
  await user.click(screen.getByRole('button', { name: 'Refresh Jobs' }));
  expect(await screen.findByRole('article', { name: 'Law Clerk' })).toBeVisible();
  await user.click(screen.getByRole('combobox', { name: 'Location' }));
  await user.click(await screen.findByRole('option', { name: 'Remote' }));
  await waitFor(() => expect(screen.getByRole('combobox', { name: 'Location' })).toHaveTextContent('Remote'));
  expect(await screen.findByRole('article', { name: 'Law Clerk' })).toBeVisible();
});

test('a failed refresh keeps the list and shows an error', async () => {
  server.use(
    http.get('/api/jobs', () => HttpResponse.json([job])),
    http.post('/api/jobs/refresh', () => problem(429, { error: 'Slow down' })),
  );
  const { user } = await renderApp('/jobs');
  // It was there before and is drawn a moment after it was loaded.
  expect(await screen.findByRole('article', { name: 'Summer Associate' })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Refresh Jobs' }));
  expect(await screen.findByText('Refresh Failed')).toBeVisible();
  expect(screen.getByText('Failed to refresh job listings.')).toBeVisible();
  expect(screen.getByRole('article', { name: 'Summer Associate' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Refresh Jobs' })).toHaveAttribute('aria-disabled', 'false');
});

test('a refresh reloads a failed list', async () => {
  server.use(http.get('/api/jobs', () => problem(503, { error: 'Please try again soon' })));
  const { user } = await renderApp('/jobs');
  expect(await screen.findByText('Error loading jobs. Please try again.')).toBeVisible();
  refreshing(0);
  await user.click(screen.getByRole('button', { name: 'Refresh Jobs' }));
  expect(await screen.findByRole('article', { name: 'Summer Associate' })).toBeVisible();
});

test('is translated to Filipino', async () => {
  server.use(http.get('/api/jobs', () => HttpResponse.json([job])));
  await renderApp('/jobs', { language: 'fil' });
  expect(
    await screen.findByRole('heading', { level: 1, name: 'Mga Trabaho sa Batas at Internship' }),
  ).toBeVisible();
  expect(await screen.findByText('Hindi nakasaad ang sahod')).toBeVisible();
  expect(screen.getByRole('combobox', { name: 'Larangan' })).toBeVisible();
  expect(screen.getByText('Mula sa Harlan & Voss careers')).toBeVisible();
  expect(screen.getByText('Mag-apply hanggang Dis 15, 2026')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Katayuan ng mga pinagmulan' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Mag-apply Na' })).toBeVisible();
});
