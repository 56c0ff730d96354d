// Searching jobs: on Enter, on blur, and while typing.
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, onTestFinished, test, vi } from 'vitest';
import { gate, jobOf, watchJobs } from '@/testing/jobs';
import { renderApp } from '@/testing/render-app';
import { server } from '@/testing/server';

const job = jobOf();

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

/** Stops the clock: from now on, time passes when the test says so. */
function stopClock() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  return (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
}

test('a search is sent 300 ms after the last key, and no key is lost', async () => {
  const asked = watchJobs();
  const { path } = await renderApp('/jobs?location=remote');
  const field = await screen.findByRole('searchbox', { name: 'Search jobs' });
  // Without `user`, which waits for timers.
  const type = (value: string) => fireEvent.change(field, { target: { value } });
  const pass = stopClock();
  type('mani');
  await pass(299);
  type('manila ');
  await pass(299);
  expect(path()).toBe('/jobs?location=remote');
  await pass(1);
  expect(path()).toBe('/jobs?location=remote&search=manila');
  // The space waits for the next word.
  expect(field).toHaveValue('manila ');
  type('manila tax');
  await pass(300);
  expect(field).toHaveValue('manila tax');
  expect(path()).toBe('/jobs?search=manila+tax&location=remote');
  type('');
  await pass(300);
  expect(path()).toBe('/jobs?location=remote');
  await pass(1_000);
  vi.useRealTimers();
  await waitFor(() =>
    expect(asked.map((query) => new URLSearchParams(query).get('search'))).toEqual([
      null,
      'manila',
      'manila tax',
    ]),
  );
});

test('the previous list stays until the next one is there, and its length is announced', async () => {
  const { opened, open } = gate();
  server.use(
    http.get('/api/jobs', async ({ request }) => {
      if (!new URL(request.url).searchParams.get('search')) return HttpResponse.json([job]);
      await opened;
      return HttpResponse.json([
        jobOf({ id: 'j2', title: 'Law Clerk' }),
        jobOf({ id: 'j3', title: 'Clerk' }),
      ]);
    }),
  );
  const { user } = await renderApp('/jobs');
  expect(await screen.findByRole('article', { name: 'Summer Associate' })).toBeVisible();
  expect(screen.getByText('1 job shown')).toBeInTheDocument();
  await user.type(screen.getByRole('searchbox', { name: 'Search jobs' }), 'clerk');
  await waitFor(() => expect(screen.queryByText('1 job shown')).not.toBeInTheDocument());
  expect(screen.getByRole('article', { name: 'Summer Associate' })).toBeVisible();
  open();
  expect(await screen.findByRole('article', { name: 'Law Clerk' })).toBeVisible();
  expect(screen.queryByRole('article', { name: 'Summer Associate' })).not.toBeInTheDocument();
  expect(screen.getByText('2 jobs shown')).toBeInTheDocument();
});

test('a search is sent on blur', async () => {
  const asked = watchJobs();
  const { user } = await renderApp('/jobs');
  await user.type(await screen.findByRole('searchbox', { name: 'Search jobs' }), 'clerk');
  await user.tab();
  await waitFor(() => expect(asked.at(-1)).toBe('?search=clerk'));
  expect(asked).toHaveLength(2);
});
