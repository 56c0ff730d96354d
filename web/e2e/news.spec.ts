// Legal news as a visitor: read, filter, search, refresh, open an article, and the status of the sources.
import { expect, type Page } from '@playwright/test';
import { auditAddress } from './audit';
import { test } from './test';

const articles = (page: Page) => page.getByRole('article');

async function openNews(page: Page) {
  await page.goto('/legal-news');
  await expect(articles(page).first()).toBeVisible();
}

/** The headline of the first card. */
async function firstHeadline(page: Page): Promise<string> {
  return (await articles(page).first().getByRole('heading').textContent()) ?? '';
}

test('an article has its own page, and every outside link opens in a new tab', async ({ page }) => {
  await openNews(page);
  await expect(page).toHaveTitle('Legal News | Portia');
  await expect(page.getByText(/Articles update automatically every 12 hours\./)).toBeVisible();
  const title = await firstHeadline(page);
  const outside = articles(page)
    .first()
    .getByRole('link', { name: `Open the original article: ${title}` });
  await expect(outside).toHaveAttribute('href', /^https:\/\//);
  await expect(outside).toHaveAttribute('target', '_blank');
  await expect(outside).toHaveAttribute('rel', 'noopener nofollow');

  await articles(page)
    .first()
    .getByRole('link', { name: `Read More ${title}` })
    .click();
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  await expect(page).toHaveURL(/\/legal-news\/[0-9a-f-]{36}$/);
  await expect(page).toHaveTitle(`${title} | Portia`);
  const whole = page.getByRole('region', { name: 'Read the whole article' });
  for (const link of await whole.getByRole('link').all()) {
    await expect(link).toHaveAttribute('href', /^https:\/\//);
    await expect(link).toHaveAttribute('target', '_blank');
  }
  // A copied address opens the same article.
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  await page.getByRole('link', { name: 'All articles' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Legal News' })).toBeVisible();
});

test('the server filters by source and by search words', async ({ page }) => {
  await openNews(page);
  const select = page.getByRole('combobox', { name: 'Source' });
  await select.click();
  await expect(page.getByRole('option').first()).toBeVisible();
  const names = await page.getByRole('option').allTextContents();
  expect(names[0]).toBe('All sources');
  expect(names.length).toBeGreaterThan(1);
  await page.keyboard.press('Escape');
  // The source of the first card has articles.
  const sources = await articles(page).first().locator('p').first().textContent();
  const source = sources?.split(' · ')[0] ?? '';
  expect(names).toContain(source);
  const asked = page.waitForRequest(/\/api\/news\?.*source=/);
  await select.click();
  await page.getByRole('option', { name: source, exact: true }).click();
  expect(new URL((await asked).url()).searchParams.get('page')).toBe('1');
  await expect(page).toHaveURL(/source=/);
  await expect(articles(page).first()).toBeVisible();
  for (const card of await articles(page).all()) await expect(card).toContainText(source);

  const title = await firstHeadline(page);
  const words = title.split(' ').slice(0, 3).join(' ');
  const search = page.getByRole('searchbox', { name: 'Search news' });
  await search.fill(words.toUpperCase());
  await search.press('Enter');
  await expect(page).toHaveURL(/search=/);
  await expect(page.getByRole('heading', { level: 2, name: title })).toBeVisible();
  // The search survives a reload because it is part of the address.
  await page.reload();
  await expect(page.getByRole('heading', { level: 2, name: title })).toBeVisible();
  await expect(search).toHaveValue(words.toUpperCase());

  await search.fill(`no such words ${Date.now()}`);
  await search.press('Enter');
  await expect(page.getByText('No articles found.')).toBeVisible();
});

test('more articles load on demand, each once, until the end', async ({ page }) => {
  await openNews(page);
  const more = page.getByRole('button', { name: 'Load More Articles' });
  const before = await articles(page).count();
  await expect(more).toBeVisible();
  const asked = page.waitForRequest(/\/api\/news\?page=2$/);
  await more.click();
  await asked;
  await expect.poll(() => articles(page).count()).toBeGreaterThan(before);
  const links = await articles(page)
    .getByRole('link', { name: /^Read More/ })
    .all();
  const addresses = await Promise.all(links.map((link) => link.getAttribute('href')));
  expect(new Set(addresses).size).toBe(addresses.length);
});

test('Refresh fetches the sources and starts again at page 1', async ({ page }) => {
  await openNews(page);
  const answered = page.waitForResponse(/\/api\/news\/refresh$/);
  await page.getByRole('button', { name: 'Refresh' }).click();
  const answer = await answered;
  expect(answer.request().method()).toBe('POST');
  expect(answer.request().postData()).toBeNull();
  expect(answer.status()).toBe(200);
  expect(await answer.json()).toEqual({ newArticles: expect.any(Number) });
  await expect(page.getByText('News refreshed', { exact: true })).toBeVisible();
  await expect(articles(page).first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Refresh' })).toHaveAttribute('aria-busy', 'false');
});

test('an unknown article', async ({ page }) => {
  for (const id of ['019a0000-0000-7000-8000-0000000000ff', 'nothing', '%00', 'a'.repeat(500)]) {
    await page.goto(`/legal-news/${id}`);
    await expect(page.getByText('Article not found')).toBeVisible();
  }
});

test('every caller can read the status of the sources', async ({ page }) => {
  await openNews(page);
  await page.getByRole('link', { name: 'Status of the sources' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Status' })).toBeVisible();
  const news = page.getByRole('region', { name: 'Legal news' });
  const jobs = page.getByRole('region', { name: 'Jobs' });
  for (const region of [news, jobs]) {
    const demo = region
      .getByRole('listitem')
      .filter({ hasText: 'Sample data until real items are available' })
      .first();
    await expect(demo).toContainText('Working');
    await expect(demo).toContainText('Last success');
  }
});

test('the news and an article pass the audit in every variant', async ({ page }) => {
  await openNews(page);
  const link = articles(page)
    .first()
    .getByRole('link', { name: /^Read More/ });
  const address = (await link.getAttribute('href')) ?? '';
  expect(address).toMatch(/^\/legal-news\/./);
  await auditAddress(page, '/legal-news', async () => {
    await expect(page.getByRole('heading', { level: 1 })).toBeAttached();
    await expect(articles(page).first()).toBeVisible();
  });
  await auditAddress(page, address, () => expect(page.getByRole('article')).toBeVisible());
});
