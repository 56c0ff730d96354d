// The search box of the header: suggestions while typing, by keyboard and by pointer.
import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { suggestQuery } from '@/api/search';
import { gate, jobOf } from '@/testing/jobs';
import { postOf, priya } from '@/testing/posts';
import { renderApp } from '@/testing/render-app';
import { answerOf, mockSearch, personOf } from '@/testing/search';
import { isabel, problem, server, signedInAs } from '@/testing/server';

beforeEach(() => signedInAs(isabel));

const box = () => screen.findByRole('combobox', { name: 'Search' });
const active = async () => document.getElementById((await box()).getAttribute('aria-activedescendant') ?? '');

test('suggestions are requested once after the last key and grouped by kind', async () => {
  const asked = mockSearch({ people: [personOf()], posts: [], jobs: [jobOf()], terms: ['pri'] });
  const { user } = await renderApp('/test');
  await user.type(await box(), 'pri');
  const list = within(await screen.findByRole('listbox', { name: 'Suggestions' }));
  expect(list.getAllByRole('group').map((group) => group.firstChild?.textContent)).toEqual([
    'People',
    'Jobs',
  ]);
  expect(list.getAllByRole('option').map((option) => option.textContent)).toEqual([
    'PRPriya RaghavanEditor-in-chief, Eastbay Law Review',
    'Summer AssociateHarlan & Voss · New York',
    'All results for "pri"',
  ]);
  expect(document.querySelector('mark')).toHaveTextContent('Priya');
  expect(asked).toEqual([{ q: 'pri', limit: '2' }]);
  expect(await box()).toHaveAttribute('aria-expanded', 'true');
});

test('the arrow keys move in a circle, Enter opens, and the focus stays in the box', async () => {
  mockSearch({ people: [personOf()], posts: [postOf()] });
  const { user, path } = await renderApp('/test');
  await user.type(await box(), 'note');
  await screen.findByRole('listbox');
  expect(await active()).toBeNull();
  await user.keyboard('{ArrowUp}');
  expect(await active()).toHaveTextContent('All results for "note"');
  await user.keyboard('{ArrowDown}');
  expect(await active()).toBeNull();
  await user.keyboard('{ArrowDown}');
  expect(await active()).toHaveTextContent('Priya Raghavan');
  await user.keyboard('{ArrowDown}');
  expect(await active()).toHaveTextContent('Note submissions close on Friday.');
  expect(await active()).toHaveAttribute('aria-selected', 'true');
  expect(await box()).toHaveFocus();
  server.use(http.get('/api/posts/:id', () => HttpResponse.json(postOf())));
  await user.keyboard('{Enter}');
  await waitFor(() => expect(path()).toBe(`/posts/${postOf().id}`));
  expect(screen.queryByRole('listbox')).not.toBeInTheDocument();
});

test('Enter without a selection opens the search screen, also before suggestions appear', async () => {
  mockSearch({ people: [] });
  const { user, path } = await renderApp('/test');
  await user.type(await box(), ' moot {Enter}');
  await waitFor(() => expect(path()).toBe('/search?q=moot'));
});

test('a blank query neither navigates nor sends a request', async () => {
  const asked = mockSearch({});
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  const { user, path, queryClient } = await renderApp('/test', { advanceTimers: vi.advanceTimersByTime });
  await user.type(await box(), '   {Enter}');
  await act(() => vi.advanceTimersByTimeAsync(300));
  expect(queryClient.isFetching({ queryKey: ['/api/search'] })).toBe(0);
  expect(path()).toBe('/test');
  expect(asked).toEqual([]);
});

test('Escape closes the list and keeps the text; an arrow key opens it again', async () => {
  mockSearch({ people: [personOf()] });
  const { user } = await renderApp('/test');
  await user.type(await box(), 'pri');
  await screen.findByRole('listbox');
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('listbox')).not.toBeInTheDocument();
  expect(await box()).toHaveValue('pri');
  expect(await box()).toHaveAttribute('aria-expanded', 'false');
  await user.keyboard('{ArrowDown}');
  expect(await screen.findByRole('listbox')).toBeVisible();
});

test('a click opens the suggestion, and leaving the box closes the list', async () => {
  mockSearch({ people: [personOf()] });
  const { user, path } = await renderApp('/test');
  await user.type(await box(), 'pri');
  await screen.findByRole('listbox');
  await user.tab();
  expect(screen.queryByRole('listbox')).not.toBeInTheDocument();
  await user.click(await box());
  await user.click(await screen.findByRole('option', { name: /Priya/ }));
  await waitFor(() => expect(path()).toBe(`/profile/${priya.id}`));
});

test('an obsolete search is aborted, and its result is not shown', async () => {
  const first = gate();
  const requested = gate();
  let aborted = false;
  server.use(
    http.get('/api/search', async ({ request }) => {
      const q = new URL(request.url).searchParams.get('q');
      if (q !== 'pri') return HttpResponse.json(answerOf({ people: [personOf({ fullName: 'Newer' })] }));
      request.signal.addEventListener('abort', () => {
        aborted = true;
      });
      requested.open();
      await first.opened;
      return HttpResponse.json(answerOf({ people: [personOf({ fullName: 'Stale' })] }));
    }),
  );
  const { user } = await renderApp('/test');
  await user.type(await box(), 'pri');
  await requested.opened;
  await user.type(await box(), 'ya');
  expect(await screen.findByRole('option', { name: /Newer/ })).toBeVisible();
  first.open();
  await waitFor(() => expect(aborted).toBe(true));
  expect(screen.queryByText('Stale')).not.toBeInTheDocument();
});

test('failed suggestions are hidden, and Enter still opens the search screen', async () => {
  server.use(http.get('/api/search', () => problem(503, { error: 'Search is away' })));
  const { user, path, queryClient } = await renderApp('/test');
  await user.type(await box(), 'moot');
  await waitFor(() => {
    expect(queryClient.getQueryState(suggestQuery('moot').queryKey)?.status).toBe('error');
  });
  expect(screen.queryByRole('listbox')).not.toBeInTheDocument();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(path()).toBe('/search?q=moot'));
});
