// Legal news: pages, sources, search, refresh, the three retries, and the ways to read on.
import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import type { NewsArticle } from '@/api/types';
import { renderApp } from '@/testing/render-app';
import { problem, server } from '@/testing/server';

const sources = [
  { source: 'above_the_law', sourceName: 'Above the Law' },
  { source: 'law_com', sourceName: 'Law.com' },
  { source: 'law_school_org', sourceName: 'LawSchool.org' },
  { source: 'aba', sourceName: 'ABA' },
];

function articleOf(title: string, changes: Partial<NewsArticle> = {}): NewsArticle {
  return {
    id: title,
    title,
    description: null,
    author: null,
    url: 'https://news.example/story',
    source: 'aba',
    sourceName: 'ABA',
    publishedAt: '2026-11-18T12:00:00Z',
    ...changes,
  };
}

/** What has been asked, in order; the news have three pages of one story each. */
let asked: string[];
const answer = ({ request }: { request: Request }) => {
  const query = new URL(request.url).searchParams;
  asked.push(query.toString());
  const page = Number(query.get('page'));
  const title = `${query.get('source') ?? 'all'} ${page}`;
  return HttpResponse.json({ articles: [articleOf(title)], pagination: { page, hasMore: page < 3 } });
};

beforeEach(() => {
  asked = [];
  server.use(
    http.get('/api/news', answer),
    http.get('/api/news/sources/list', () => HttpResponse.json(sources)),
  );
});

/** The app with retries that do not wait. */
async function open(address = '/legal-news') {
  const app = await renderApp(address);
  const { queries, ...others } = app.queryClient.getDefaultOptions();
  app.queryClient.setDefaultOptions({ ...others, queries: { ...queries, retryDelay: 1 } });
  return app;
}

const headlines = () => screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent);

test('title, description, footer and a story', async () => {
  server.use(
    http.get('/api/news', () =>
      HttpResponse.json({
        articles: [articleOf('A shorter brief', { author: 'Helen Strand', description: 'A pilot.' })],
        pagination: { page: 1, hasMore: false },
      }),
    ),
  );
  await open();
  expect(await screen.findByRole('heading', { level: 1, name: 'Legal News' })).toBeVisible();
  expect(document.title).toBe('Legal News | Portia');
  expect(document.querySelector('meta[name="description"]')).toHaveAttribute(
    'content',
    expect.stringContaining('Legal news'),
  );
  expect(
    screen.getByText(
      'Sources: Above the Law, Law.com, LawSchool.org and ABA. Articles update automatically every 12 hours.',
    ),
  ).toBeVisible();
  expect(await screen.findByRole('heading', { level: 2, name: 'A shorter brief' })).toBeVisible();
  for (const text of ['ABA', 'A pilot.', 'By Helen Strand', 'Nov 18, 2026'])
    expect(screen.getByText(text)).toBeVisible();
  const more = screen.getByRole('link', { name: 'Read more: A shorter brief' });
  expect(more).toHaveTextContent('Read More');
  expect(more).toHaveAttribute('href', '/legal-news/A%20shorter%20brief');
  const original = screen.getByRole('link', { name: 'Open the original article: A shorter brief' });
  expect(original).toHaveAttribute('href', 'https://news.example/story');
  expect(original).toHaveAttribute('target', '_blank');
  expect(original).toHaveAttribute('rel', 'noopener nofollow');
  expect(screen.queryByRole('button', { name: 'Load More Articles' })).not.toBeInTheDocument();
});

test.each([null, 'yesterday-ish'])('a story published at %j has an unknown date', async (publishedAt) => {
  server.use(
    http.get('/api/news', () =>
      HttpResponse.json({
        articles: [articleOf('Undated', { publishedAt })],
        pagination: { page: 1, hasMore: false },
      }),
    ),
  );
  await open();
  expect(await screen.findByText('Unknown date')).toBeVisible();
});

test('an address that is no web address becomes no link', async () => {
  server.use(
    http.get('/api/news', () =>
      HttpResponse.json({
        articles: [articleOf('Trap', { url: 'javascript:alert(1)' })],
        pagination: { page: 1, hasMore: false },
      }),
    ),
  );
  await open();
  expect(await screen.findByRole('link', { name: 'Read more: Trap' })).toBeVisible();
  expect(screen.queryByRole('link', { name: /original/ })).not.toBeInTheDocument();
});

test('Load More appends the next page until there is none', async () => {
  const { user } = await open();
  await user.click(await screen.findByRole('button', { name: 'Load More Articles' }));
  await waitFor(() => expect(headlines()).toEqual(['all 1', 'all 2']));
  await user.click(screen.getByRole('button', { name: 'Load More Articles' }));
  await waitFor(() => expect(headlines()).toEqual(['all 1', 'all 2', 'all 3']));
  expect(screen.queryByRole('button', { name: 'Load More Articles' })).not.toBeInTheDocument();
  expect(asked).toEqual(['page=1', 'page=2', 'page=3']);
});

test('another source starts at page 1, and so does the way back', async () => {
  const { user, path } = await open();
  await user.click(await screen.findByRole('button', { name: 'Load More Articles' }));
  await waitFor(() => expect(headlines()).toHaveLength(2));

  await user.click(screen.getByRole('combobox', { name: 'Source' }));
  expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual([
    'All sources',
    'Above the Law',
    'Law.com',
    'LawSchool.org',
    'ABA',
  ]);
  await user.click(screen.getByRole('option', { name: 'Law.com' }));
  await waitFor(() => expect(headlines()).toEqual(['law_com 1']));
  expect(path()).toBe('/legal-news?source=law_com');
  expect(asked.at(-1)).toBe('page=1&source=law_com');

  await user.click(screen.getByRole('combobox', { name: 'Source' }));
  await user.click(await screen.findByRole('option', { name: 'All sources' }));
  await waitFor(() => expect(headlines()).toEqual(['all 1']));
  expect(asked.at(-1)).toBe('page=1');
});

test('Refresh asks anew, from page 1', async () => {
  const { user } = await open();
  await user.click(await screen.findByRole('button', { name: 'Load More Articles' }));
  await waitFor(() => expect(headlines()).toHaveLength(2));
  await user.click(screen.getByRole('button', { name: 'Refresh' }));
  await waitFor(() => expect(asked).toEqual(['page=1', 'page=2', 'page=1']));
  await waitFor(() => expect(headlines()).toEqual(['all 1']));
});

test('a search stands in the address and in the request', async () => {
  const { user, path } = await open('/legal-news?source=aba');
  await user.type(await screen.findByRole('searchbox', { name: 'Search news' }), 'bar exam{Enter}');
  await waitFor(() => expect(path()).toBe('/legal-news?source=aba&search=bar+exam'));
  await waitFor(() => expect(asked.at(-1)).toBe('page=1&source=aba&search=bar+exam'));
});

test('nothing found', async () => {
  server.use(
    http.get('/api/news', () => HttpResponse.json({ articles: [], pagination: { page: 1, hasMore: false } })),
  );
  await open();
  expect(await screen.findByText('No articles found.')).toBeVisible();
});

test('the third retry may still succeed', async () => {
  let tries = 0;
  server.use(
    http.get('/api/news', (call) => {
      tries += 1;
      return tries < 4 ? problem(503, { error: 'Please try again soon' }) : answer(call);
    }),
  );
  await open();
  expect(await screen.findByRole('heading', { level: 2, name: 'all 1' })).toBeVisible();
  expect(tries).toBe(4);
});

test('after three retries it says so, and Try Again asks again', async () => {
  let tries = 0;
  server.use(
    http.get('/api/news', () => {
      tries += 1;
      return problem(503, { error: 'Please try again soon' });
    }),
  );
  const { user } = await open();
  expect(await screen.findByText('Error loading news articles.')).toBeVisible();
  expect(tries).toBe(4);
  server.use(http.get('/api/news', answer));
  await user.click(screen.getByRole('button', { name: 'Try Again' }));
  expect(await screen.findByRole('heading', { level: 2, name: 'all 1' })).toBeVisible();
});

test('a further page that fails leaves the pages that came, and can be tried again', async () => {
  const { user } = await open();
  const more = await screen.findByRole('button', { name: 'Load More Articles' });
  server.use(http.get('/api/news', () => problem(503, { error: 'Please try again soon' })));
  await user.click(more);
  expect(await screen.findByText('Error loading news articles.')).toBeVisible();
  expect(headlines()).toEqual(['all 1']);
  server.use(http.get('/api/news', answer));
  await user.click(screen.getByRole('button', { name: 'Try Again' }));
  await waitFor(() => expect(headlines()).toEqual(['all 1', 'all 2']));
});

test('in Filipino', async () => {
  await renderApp('/legal-news', { language: 'fil' });
  expect(await screen.findByRole('heading', { level: 1, name: 'Balitang Legal' })).toBeVisible();
  expect(await screen.findByRole('button', { name: 'Mag-load ng Iba Pang Artikulo' })).toBeVisible();
  expect(screen.getByText('Nob 18, 2026')).toBeVisible();
});
