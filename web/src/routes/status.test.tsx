// /status: the state of each source, unavailable services, and an installation without sources.
import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import type { Status } from '@/api/schema.gen';
import { sourceOf } from '@/testing/news';
import { renderApp } from '@/testing/render-app';
import { problem, server } from '@/testing/server';

const serve = (status: Status, headers: Record<string, string> = {}) =>
  server.use(http.get('/api/status', () => HttpResponse.json(status, { headers })));

const card = async (name: string) => within(await screen.findByRole('region', { name }));

/** The facts in a source's row. */
async function row(name: string) {
  const heading = await screen.findByRole('heading', { level: 3, name });
  const item = heading.closest('li') as HTMLElement;
  const facts = [...item.querySelectorAll('dl > div')].map((fact) => [
    fact.querySelector('dt')?.textContent,
    fact.querySelector('dd')?.textContent,
  ]);
  return { ...within(item), facts: Object.fromEntries(facts) as Record<string, string> };
}

test('a visitor sees each source with state, last success, new items and next visit', async () => {
  serve({
    jobs: [sourceOf('ACLU', { connector: 'greenhouse', newItems: 1_204, dueAt: '2037-11-28T09:30:00Z' })],
    news: [sourceOf('Law.com')],
  });
  await renderApp('/status');
  expect(await screen.findByRole('heading', { level: 1, name: 'Status' })).toBeVisible();
  expect(document.title).toBe('Status | Portia');
  const aclu = await row('ACLU');
  expect(aclu.getByText('Greenhouse')).toBeVisible();
  expect(aclu.getByText('Working')).toBeVisible();
  expect(aclu.facts).toEqual({
    'Last success': '2 hours ago',
    'New in the last request': '1,204',
    Next: expect.stringContaining('Nov 28, 2037'),
  });
  expect((await card('Legal news')).getByText('RSS or Atom feed')).toBeVisible();
  expect((await card('Jobs')).queryByText('Law.com')).not.toBeInTheDocument();
  expect(screen.getByText('Every source responded to the last request.')).toBeVisible();
});

test('a failing source shows its error and since when', async () => {
  serve({
    jobs: [],
    news: [
      sourceOf('Law.com', {
        state: 'failing',
        failure: 'The server answered 503.',
        lastSuccessAt: new Date(Date.now() - 3 * 86_400_000).toISOString(),
        newItems: 0,
      }),
      sourceOf('ABA', { state: 'failing', failure: 'It took too long.', lastSuccessAt: null, newItems: 0 }),
    ],
  });
  await renderApp('/status');
  const law = await row('Law.com');
  expect(law.getByText('Failing')).toBeVisible();
  expect(law.getByText('The server answered 503.')).toBeVisible();
  expect(law.facts['Last success']).toBe('3 days ago');
  expect((await row('ABA')).facts['Last success']).toBe('Never');
  expect(
    screen.getByText('2 sources did not respond to the last request. Their earlier items are still shown.'),
  ).toBeVisible();
  expect((await card('Jobs')).getByText('No job sources are set up.')).toBeVisible();
});

test('one of several sources fails', async () => {
  serve({
    jobs: [sourceOf('ACLU')],
    news: [sourceOf('ABA', { state: 'failing', failure: 'It took too long.' })],
  });
  await renderApp('/status');
  expect(
    await screen.findByText(
      '1 source did not respond to the last request. Its earlier items are still shown.',
    ),
  ).toBeVisible();
});

test('a source that was never visited and is late', async () => {
  serve({
    jobs: null,
    news: [
      sourceOf('ABA', {
        state: 'waiting',
        lastRunAt: null,
        lastSuccessAt: null,
        newItems: 0,
        dueAt: '2026-01-10T06:00:00Z',
      }),
      sourceOf('Demo', { connector: 'demo', dueAt: null }),
      sourceOf('The Docket', { connector: 'gopher' }),
    ],
  });
  await renderApp('/status');
  const aba = await row('ABA');
  expect(aba.getByText('Not requested yet')).toBeVisible();
  expect(aba.facts).toEqual({
    'Last success': 'Never',
    'New in the last request': 'Not known yet',
    Next: expect.stringMatching(/^Due since Jan 10, 2026/),
  });
  const demo = await row('Demo');
  expect(demo.getByText('Sample data until real items are available')).toBeVisible();
  expect(demo.facts.Next).toBe('Not known yet');
  expect((await row('The Docket')).getByText('gopher')).toBeVisible();
  expect(screen.queryByText(/the last time/)).not.toBeInTheDocument();
});

test('an unavailable service does not affect the other’s sources and can be retried', async () => {
  serve({ jobs: null, news: [sourceOf('ABA')] }, { 'X-Degraded': 'jobs' });
  const { user } = await renderApp('/status');
  const jobs = await card('Jobs');
  expect(jobs.getByText('The job sources could not be loaded. Please try again later.')).toBeVisible();
  expect((await row('ABA')).getByText('Working')).toBeVisible();
  expect(screen.queryByText(/Every source answered/)).not.toBeInTheDocument();
  serve({ jobs: [sourceOf('ACLU')], news: null }, { 'X-Degraded': 'news' });
  await user.click(jobs.getByRole('button', { name: 'Try Again' }));
  expect((await row('ACLU')).getByText('Working')).toBeVisible();
  expect(screen.getByText('The news sources could not be loaded. Please try again later.')).toBeVisible();
});

test('a failed status can be retried', async () => {
  server.use(http.get('/api/status', () => problem(503, { error: 'Please try again soon' })));
  const { user } = await renderApp('/status');
  expect(await screen.findByText('The status could not be loaded. Please try again later.')).toBeVisible();
  serve({ jobs: [], news: [] });
  await user.click(screen.getByRole('button', { name: 'Try Again' }));
  expect(await screen.findByText('No news sources are set up.')).toBeVisible();
  expect(screen.queryByText(/Every source answered/)).not.toBeInTheDocument();
});

test('every visit refetches', async () => {
  let asked = 0;
  server.use(
    http.get('/api/status', () => {
      asked += 1;
      return HttpResponse.json({ jobs: [], news: [sourceOf(`Source ${asked}`)] });
    }),
  );
  const { user } = await renderApp('/legal-news');
  await user.click(await screen.findByRole('link', { name: 'Status of the sources' }));
  expect(await screen.findByText('Source 1')).toBeVisible();
  await user.click(screen.getAllByRole('link', { name: 'Legal News' })[0] as HTMLElement);
  await user.click(await screen.findByRole('link', { name: 'Status of the sources' }));
  expect(await screen.findByText('Source 2')).toBeVisible();
});

test('is translated to Filipino', async () => {
  serve({
    jobs: [sourceOf('ACLU', { state: 'failing', failure: 'The server answered 503.' })],
    news: [sourceOf('ABA', { dueAt: '2026-01-10T06:00:00Z' })],
  });
  await renderApp('/status', { language: 'fil' });
  expect(await screen.findByRole('heading', { level: 1, name: 'Katayuan' })).toBeVisible();
  const aclu = await row('ACLU');
  expect(aclu.getByText('Pumapalya')).toBeVisible();
  // The error text of the service stays English and is marked for screen readers.
  expect(aclu.getByText('The server answered 503.')).toHaveAttribute('lang', 'en');
  expect((await row('ABA')).facts.Susunod).toMatch(/^Dapat na noong Ene 10, 2026/);
  expect(screen.getByText(/^1 pinagmulan ang hindi sumagot/)).toBeVisible();
});
