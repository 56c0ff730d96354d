// /legal-news/{id}: the full summary, every source with its link, and unknown addresses.
import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import type { NewsArticle } from '@/api/schema.gen';
import { articleOf, copyOf } from '@/testing/news';
import { renderApp } from '@/testing/render-app';
import { problem, server } from '@/testing/server';

const atl = copyOf('above_the_law', 'Above the Law', 'https://abovethelaw.example/1');
const law = copyOf('law_com', 'Law.com', 'https://law.example/1');
const address = '/legal-news/019a0000-0000-7000-8000-0000000000f1';

const serve = (article: NewsArticle) =>
  server.use(http.get('/api/news/:id', () => HttpResponse.json(article)));

/** The outside links of the page in order, by their text. */
const ways = () =>
  within(screen.getByRole('region', { name: 'Read the whole article' }))
    .getAllByRole('link')
    .map((link) => [link.textContent, link.getAttribute('href')]);

test('shows all data of an article and every source', async () => {
  let asked = '';
  const article = articleOf('A shorter brief', {
    ...law,
    author: 'Helen Strand',
    description: 'A pilot.\n\nNine thousand words.',
    copies: [atl, law],
  });
  server.use(
    http.get('/api/news/:id', ({ params }) => {
      asked = String(params.id);
      return HttpResponse.json(article);
    }),
  );
  await renderApp(address);
  expect(await screen.findByRole('heading', { level: 1, name: 'A shorter brief' })).toBeVisible();
  expect(asked).toBe('019a0000-0000-7000-8000-0000000000f1');
  expect(screen.getByText(/^A pilot\./)).toHaveClass('whitespace-pre-line');
  expect(screen.getByText('By Helen Strand · November 18, 2026')).toBeVisible();
  expect(screen.getByText('Law.com · Above the Law')).toBeVisible();
  expect(ways()).toEqual([
    ['Read at Law.com', 'https://law.example/1'],
    ['Read at Above the Law', 'https://abovethelaw.example/1'],
  ]);
  const out = screen.getByRole('link', { name: 'Read at Law.com' });
  expect(out).toHaveAttribute('target', '_blank');
  expect(out).toHaveAttribute('rel', 'noopener nofollow');
  expect(screen.getByRole('link', { name: 'All articles' })).toHaveAttribute('href', '/legal-news');
  expect(screen.queryByText('Demo')).not.toBeInTheDocument();
});

test('has the title, description and social tags of the article', async () => {
  serve(articleOf('A shorter brief', { description: `A pilot ${'⚖️'.repeat(300)}` }));
  await renderApp(address);
  await screen.findByRole('heading', { level: 1, name: 'A shorter brief' });
  expect(document.title).toBe('A shorter brief | Portia');
  const meta = (name: string) => document.querySelector(`meta[${name}]`)?.getAttribute('content');
  expect(meta('property="og:type"')).toBe('article');
  expect(meta('name="description"')).toMatch(/^A pilot ⚖️/);
  expect([...(meta('name="description"') ?? '')]).toHaveLength(200);
});

test('without summary, author and date', async () => {
  serve(articleOf('A shorter brief', { publishedAt: null }));
  await renderApp(address);
  expect(await screen.findByText('The source provides no summary of this article.')).toBeVisible();
  expect(screen.getByText('Unknown date')).toBeVisible();
  expect(document.querySelector('meta[name="description"]')).toHaveAttribute(
    'content',
    'A shorter brief, in the legal news on Portia.',
  );
});

test('a sample is marked as such', async () => {
  serve(articleOf('A made up brief', { isDemo: true }));
  await renderApp(address);
  expect(await screen.findByText('Demo')).toBeVisible();
  expect(
    screen.getByText('This is a sample article. It is shown until real articles are available.'),
  ).toBeVisible();
});

test('an invalid web address is not linked, and markup is text', async () => {
  const trap = copyOf('aba', 'ABA', 'javascript:alert(1)');
  serve(articleOf('<b>Trap</b>', { ...trap, description: '<img src=x onerror=alert(1)>', copies: [trap] }));
  const { container } = await renderApp(address);
  expect(await screen.findByRole('heading', { level: 1, name: '<b>Trap</b>' })).toBeVisible();
  expect(screen.getByText('<img src=x onerror=alert(1)>')).toBeVisible();
  expect(screen.queryByRole('region', { name: 'Read the whole article' })).not.toBeInTheDocument();
  expect(container.querySelectorAll('main a[target]')).toHaveLength(0);
});

test('the card in the list links to the page and back', async () => {
  const article = articleOf('A shorter brief');
  server.use(
    http.get('/api/news', () =>
      HttpResponse.json({ articles: [article], pagination: { page: 1, hasMore: false } }),
    ),
  );
  serve(article);
  const { user, path } = await renderApp('/legal-news');
  await user.click(await screen.findByRole('link', { name: 'Read More A shorter brief' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'A shorter brief' })).toBeVisible();
  expect(path()).toBe('/legal-news/A%20shorter%20brief');
  await user.click(screen.getByRole('link', { name: 'All articles' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Legal News' })).toBeVisible();
});

test('an unknown article, and an article that fails to load', async () => {
  server.use(http.get('/api/news/:id', () => problem(404, { error: 'Article not found' })));
  const { unmount } = await renderApp('/legal-news/nothing');
  expect(await screen.findByText('Article not found')).toBeVisible();
  expect(document.title).toBe('Legal News | Portia');
  expect(screen.getByRole('link', { name: 'All articles' })).toHaveAttribute('href', '/legal-news');
  unmount();

  serve(articleOf('A shorter brief'));
  server.use(
    http.get('/api/news/:id', () => problem(503, { error: 'Please try again soon' }), { once: true }),
  );
  const { user } = await renderApp(address);
  expect(await screen.findByText('This article could not be loaded. Please try again later.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Try Again' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'A shorter brief' })).toBeVisible();
});

test('is translated to Filipino', async () => {
  serve(articleOf('Kuwento', { isDemo: true, author: 'Helen Strand' }));
  await renderApp(address, { language: 'fil' });
  expect(await screen.findByText('Ni Helen Strand · Nobyembre 18, 2026')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Basahin sa ABA' })).toBeVisible();
  expect(screen.getByText(/^Halimbawa lang/)).toBeVisible();
});
