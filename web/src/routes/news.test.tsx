// Legal news: pages, sources, search, refresh, the three retries, and links.
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, test } from 'vitest';
import { articleOf, copyOf } from '@/testing/news';
import { renderApp } from '@/testing/render-app';
import { problem, server } from '@/testing/server';

const sources = [
  { source: 'above_the_law', sourceName: 'Above the Law' },
  { source: 'law_com', sourceName: 'Law.com' },
  { source: 'law_school_org', sourceName: 'LawSchool.org' },
  { source: 'aba', sourceName: 'ABA Journal' },
];

/** The requests in order; the news have three pages of one article each. */
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

/** Renders the app with short retry delays. */
const open = (address = '/legal-news') => renderApp(address, { retryDelay: 1 });

/** Serves one page with these articles for every query. */
function serve(...articles: ReturnType<typeof articleOf>[]) {
  server.use(
    http.get('/api/news', () => HttpResponse.json({ articles, pagination: { page: 1, hasMore: false } })),
  );
}

async function cardOf(title: string) {
  const heading = await screen.findByRole('heading', { level: 2, name: title });
  return within(heading.closest('article') as HTMLElement);
}

const headlines = () => screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent);

test('shows title, description, footer and an article', async () => {
  serve(articleOf('A shorter brief', { author: 'Helen Strand', description: 'A pilot.' }));
  await open();
  expect(await screen.findByRole('heading', { level: 1, name: 'Legal News' })).toBeVisible();
  expect(document.title).toBe('Legal News | Portia');
  expect(document.querySelector('meta[name="description"]')).toHaveAttribute(
    'content',
    'Legal news from several sources in one place, updated every 12 hours.',
  );
  expect(
    screen.getByText(
      'Sources: Above the Law, Law.com, LawSchool.org and ABA Journal. Articles update automatically every 12 hours.',
    ),
  ).toBeVisible();
  expect(screen.getByRole('link', { name: 'Status of the sources' })).toHaveAttribute('href', '/status');
  expect(await screen.findByRole('heading', { level: 2, name: 'A shorter brief' })).toBeVisible();
  for (const text of ['ABA', 'A pilot.', 'By Helen Strand', 'Nov 18, 2026'])
    expect(screen.getByText(text)).toBeVisible();
  const more = screen.getByRole('link', { name: 'Read More A shorter brief' });
  expect(more).toHaveTextContent('Read More');
  expect(more).toHaveAttribute('href', '/legal-news/A%20shorter%20brief');
  const original = screen.getByRole('link', { name: 'Open the original article: A shorter brief' });
  expect(original).toHaveAttribute('href', 'https://news.example/story');
  expect(original).toHaveAttribute('target', '_blank');
  expect(original).toHaveAttribute('rel', 'noopener nofollow');
  expect(screen.queryByRole('button', { name: 'Load More Articles' })).not.toBeInTheDocument();
});

test.each([null, 'yesterday-ish'])('an article published at %j has an unknown date', async (publishedAt) => {
  serve(articleOf('Undated', { publishedAt }));
  await open();
  expect(await screen.findByText('Unknown date')).toBeVisible();
});

test('an invalid web address is not linked', async () => {
  serve(articleOf('Trap', { url: 'javascript:alert(1)' }));
  await open();
  expect(await screen.findByRole('link', { name: 'Read More Trap' })).toBeVisible();
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

test('another source starts at page 1, also on return', async () => {
  const { user, path } = await open();
  await user.click(await screen.findByRole('button', { name: 'Load More Articles' }));
  await waitFor(() => expect(headlines()).toHaveLength(2));

  await user.click(screen.getByRole('combobox', { name: 'Source' }));
  expect((await screen.findAllByRole('option')).map((option) => option.textContent)).toEqual([
    'All sources',
    'Above the Law',
    'Law.com',
    'LawSchool.org',
    'ABA Journal',
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

describe('Refresh', () => {
  /** The number of refreshes, and the number of new articles of each. */
  let refreshed: number;
  const bring = (newArticles: number) =>
    server.use(
      http.post('/api/news/refresh', async ({ request }) => {
        refreshed += 1;
        expect(await request.text()).toBe('');
        return HttpResponse.json({ newArticles });
      }),
    );
  beforeEach(() => {
    refreshed = 0;
  });

  test.each([
    [0, 'No new articles right now.'],
    [1, '1 new article found.'],
    [1_234, '1,234 new articles found.'],
  ])('%i new: shows the number and starts at page 1', async (count, text) => {
    bring(count);
    const { user } = await open();
    await user.click(await screen.findByRole('button', { name: 'Load More Articles' }));
    await waitFor(() => expect(headlines()).toHaveLength(2));
    await user.click(screen.getByRole('button', { name: 'Refresh' }));
    expect(await screen.findByText('News refreshed')).toBeVisible();
    expect(screen.getByText(text)).toBeVisible();
    expect(refreshed).toBe(1);
    await waitFor(() => expect(asked).toEqual(['page=1', 'page=2', 'page=1']));
    await waitFor(() => expect(headlines()).toEqual(['all 1']));
  });

  test('during a refresh the articles stay, and a second one is not sent', async () => {
    let answerNow = () => {};
    server.use(
      http.post('/api/news/refresh', async () => {
        refreshed += 1;
        await new Promise<void>((resolve) => {
          answerNow = resolve;
        });
        return HttpResponse.json({ newArticles: 0 });
      }),
    );
    const { user } = await open();
    await screen.findByRole('heading', { level: 2, name: 'all 1' });
    await user.click(screen.getByRole('button', { name: 'Refresh' }));
    const button = screen.getByRole('button', { name: 'Refresh' });
    expect(button).toHaveAttribute('aria-busy', 'true');
    expect(button).toHaveFocus();
    expect(headlines()).toEqual(['all 1']);
    await user.click(button);
    await waitFor(() => expect(refreshed).toBe(1));
    answerNow();
    await waitFor(() => expect(button).toHaveAttribute('aria-busy', 'false'));
    expect(await screen.findByText('News refreshed')).toBeVisible();
    expect(refreshed).toBe(1);
  });

  test.each([
    ['is refused', () => problem(429, { error: 'Too many requests' })],
    ['gets no answer', () => HttpResponse.error()],
  ])('one that %s shows an error and refetches the list', async (_, answered) => {
    server.use(http.post('/api/news/refresh', answered));
    const { user } = await open();
    await screen.findByRole('heading', { level: 2, name: 'all 1' });
    await user.click(screen.getByRole('button', { name: 'Refresh' }));
    expect(await screen.findByText('Refresh Failed')).toBeVisible();
    expect(screen.getByText('Failed to refresh the news. Earlier articles are still here.')).toBeVisible();
    await waitFor(() => expect(asked).toEqual(['page=1', 'page=1']));
    expect(await screen.findByRole('heading', { level: 2, name: 'all 1' })).toBeVisible();
  });

  test('keeps the source and the search', async () => {
    bring(0);
    const { user, path } = await open('/legal-news?source=aba&search=bar');
    await user.click(await screen.findByRole('button', { name: 'Refresh' }));
    await screen.findByText('News refreshed');
    await waitFor(() => expect(asked).toEqual(Array(2).fill('page=1&source=aba&search=bar')));
    expect(path()).toBe('/legal-news?source=aba&search=bar');
  });
});

test('an article of several sources is one card with all names, its own first', async () => {
  const atl = copyOf('above_the_law', 'Above the Law', 'https://abovethelaw.example/1');
  const law = copyOf('law_com', 'Law.com', 'https://law.example/1');
  serve(articleOf('A shorter brief', { ...law, copies: [atl, law] }));
  await open();
  const card = await cardOf('A shorter brief');
  expect(card.getByText('Law.com · Above the Law')).toBeVisible();
  expect(card.getByRole('link', { name: /original/ })).toHaveAttribute('href', 'https://law.example/1');
  expect(card.queryByText('Demo')).not.toBeInTheDocument();
});

test('a sample is marked as such', async () => {
  serve(articleOf('A made up brief', { isDemo: true }), articleOf('A real brief'));
  await open();
  expect((await cardOf('A made up brief')).getByText('Demo')).toBeVisible();
  expect((await cardOf('A real brief')).queryByText('Demo')).not.toBeInTheDocument();
});

test('an article that moved to the next page is not shown twice', async () => {
  server.use(
    http.get('/api/news', ({ request }) => {
      const page = Number(new URL(request.url).searchParams.get('page'));
      const articles = [`Story ${page}`, `Story ${page + 1}`].map((title) => articleOf(title));
      return HttpResponse.json({ articles, pagination: { page, hasMore: page < 2 } });
    }),
  );
  const { user } = await open();
  await user.click(await screen.findByRole('button', { name: 'Load More Articles' }));
  await waitFor(() => expect(headlines()).toEqual(['Story 1', 'Story 2', 'Story 3']));
});

test('an unlisted source of the address is shown by its id', async () => {
  const { user } = await open('/legal-news?source=the_docket');
  const select = await screen.findByRole('combobox', { name: 'Source' });
  expect(select).toHaveTextContent('the_docket');
  expect(await screen.findByRole('heading', { level: 2, name: 'the_docket 1' })).toBeVisible();
  await user.click(select);
  await user.click(await screen.findByRole('option', { name: 'All sources' }));
  await waitFor(() => expect(headlines()).toEqual(['all 1']));
});

test('an address may select all sources', async () => {
  const { user } = await open('/legal-news?source=all');
  const select = await screen.findByRole('combobox', { name: 'Source' });
  expect(select).toHaveTextContent('All sources');
  expect(await screen.findByRole('heading', { level: 2, name: 'all 1' })).toBeVisible();
  await user.click(select);
  expect(screen.getAllByRole('option', { name: /^all/i })).toHaveLength(1);
});

test('the articles are shown if the sources fail to load', async () => {
  server.use(http.get('/api/news/sources/list', () => problem(503, { error: 'Please try again soon' })));
  await open();
  expect(await screen.findByRole('heading', { level: 2, name: 'all 1' })).toBeVisible();
  expect(screen.getByRole('combobox', { name: 'Source' })).toHaveTextContent('All sources');
});

test('a search is part of the address and the request', async () => {
  const { user, path } = await open('/legal-news?source=aba');
  await user.type(await screen.findByRole('searchbox', { name: 'Search news' }), 'bar exam{Enter}');
  await waitFor(() => expect(path()).toBe('/legal-news?source=aba&search=bar+exam'));
  await waitFor(() => expect(asked.at(-1)).toBe('page=1&source=aba&search=bar+exam'));
});

test('a search begins while the member types, without Enter', async () => {
  const { user, path } = await open();
  const field = await screen.findByRole('searchbox', { name: 'Search news' });
  await user.type(field, 'bar exam');
  await waitFor(() => expect(path()).toBe('/legal-news?search=bar+exam'));
  expect(field).toHaveFocus();
});

test('an empty result', async () => {
  serve();
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

test('after three retries it shows an error, and Try Again retries', async () => {
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

test('a failed page keeps the loaded ones and can be retried', async () => {
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

test('is translated to Filipino', async () => {
  serve(articleOf('Kuwento', { isDemo: true, author: 'Helen Strand', publishedAt: null }));
  server.use(http.post('/api/news/refresh', () => HttpResponse.json({ newArticles: 2 })));
  const { user } = await renderApp('/legal-news', { language: 'fil' });
  expect(await screen.findByRole('heading', { level: 1, name: 'Balitang Legal' })).toBeVisible();
  for (const text of ['Ni Helen Strand', 'Hindi alam ang petsa', 'Magbasa Pa'])
    expect(await screen.findByText(text)).toBeVisible();
  expect(screen.getByText(/tuwing 12 oras\./)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'I-refresh' }));
  expect(await screen.findByText('2 bagong artikulo ang nahanap.')).toBeVisible();
});

test('dates and Load More in Filipino', async () => {
  await renderApp('/legal-news', { language: 'fil' });
  expect(await screen.findByRole('button', { name: 'Mag-load ng Iba Pang Artikulo' })).toBeVisible();
  expect(screen.getByText('Nob 18, 2026')).toBeVisible();
});
