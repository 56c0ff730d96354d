// Law school resources: list by kind, outside and internal pages, the three built-in ones, and suggestions.
import { expect, type Page } from '@playwright/test';
import { auditScreen, dialogOpened, inEachLanguage } from './audit';
import { newMember } from './member';
import { test } from './test';

const builtIn = ['Casebriefs', 'BARBRI Bar Review', 'Themis Bar Review'];
const titles = (page: Page) => page.getByRole('article').getByRole('heading').allTextContents();
const unique = () => `${Date.now().toString(36)}${Math.floor(Math.random() * 1e6).toString(36)}`;

test('all resources end with the built-in ones, and one kind is selected', async ({ page }) => {
  await page.goto('/resources');
  await expect(page.getByRole('heading', { level: 2, name: 'Casebriefs' })).toBeVisible();
  const all = await titles(page);
  expect(all.length).toBeGreaterThan(builtIn.length);
  expect(all.slice(-builtIn.length)).toEqual(builtIn);
  for (const link of await page.getByRole('link', { name: 'Visit Resource' }).all()) {
    await expect(link).toHaveAttribute('href', /^https:\/\//);
    await expect(link).toHaveAttribute('target', '_blank');
  }

  const asked = page.waitForRequest(/\/api\/resources\?.*type=guide/);
  await page.getByRole('tab', { name: 'Guides' }).click();
  await asked;
  await expect(page).toHaveURL(/\?type=guide$/);
  await expect(page.getByRole('heading', { level: 2, name: 'Casebriefs' })).toHaveCount(0);
  await expect(page.getByRole('article').first()).toContainText('Guide');
  for (const card of await page.getByRole('article').all()) await expect(card).toContainText('Guide');
});

test('the end of the list is not drawn before its middle', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
        shifts.push(entry.value);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto('/resources');
  await expect(page.getByRole('heading', { level: 2, name: 'Casebriefs' })).toBeVisible();
  const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts);
  expect(shifts.reduce((total, shift) => total + shift, 0)).toBeLessThanOrEqual(0.05);
});

test('each resource has its own page', async ({ page }) => {
  await page.goto('/resources');
  const here = page.getByRole('article').filter({ hasText: 'Internal resource' }).first();
  const title = (await here.getByRole('heading').textContent()) ?? '';
  await here.getByRole('link', { name: title }).click();
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  await expect(page.getByText('Internal resource')).toBeVisible();
  await expect(page).toHaveTitle(`${title} | Portia`);

  await page.goto('/resources/themis');
  await expect(page.getByRole('heading', { level: 1, name: 'Themis Bar Review' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Visit Resource' })).toBeVisible();

  for (const id of ['019a0000-0000-7000-8000-0000000000ff', 'nothing', '%00']) {
    await page.goto(`/resources/${id}`);
    await expect(page.getByText('Resource not found')).toBeVisible();
  }
});

test('home links to a resource', async ({ page, context }) => {
  await newMember(context, 'Isabel Reyes');
  await page.goto('/');
  const card = page.getByRole('region', { name: 'Law school resources' });
  const first = card.getByRole('listitem').first().getByRole('link');
  const title = (await first.textContent()) ?? '';
  await first.click();
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
});

test('a suggested resource is not visible yet, and a second suggestion of it is a conflict', async ({
  page,
  context,
}) => {
  await newMember(context, 'Isabel Reyes');
  const tag = unique();
  const title = `Hearsay in one page ${tag}`;
  const url = `https://example.org/hearsay-${tag}`;
  await page.goto('/resources');
  await page.getByRole('button', { name: 'Suggest a resource' }).click();
  const dialog = page.getByRole('dialog', { name: 'Suggest a resource' });
  await dialog.getByRole('button', { name: 'Suggest' }).click();
  await expect(dialog.getByText('A title is required')).toBeVisible();
  await dialog.getByLabel('Title').fill(title);
  await dialog.getByLabel('Link').fill('javascript:alert(1)');
  await dialog.getByRole('button', { name: 'Suggest' }).click();
  await expect(dialog.getByText('This must be a link that starts with http:// or https://.')).toBeVisible();
  await dialog.getByLabel('Link').fill(url);
  await dialog.getByLabel('Kind').selectOption('Study material');
  await dialog.getByLabel('Description').fill('Every exception, in order.');
  await dialog.getByRole('button', { name: 'Suggest' }).click();
  await expect(page.getByText('Thank you', { exact: true })).toBeVisible();
  await expect(dialog).toHaveCount(0);

  await page.getByRole('button', { name: 'Suggest a resource' }).click();
  await dialog.getByLabel('Title').fill('The same');
  await dialog.getByLabel('Link').fill(`${url}#again`);
  await dialog.getByLabel('Link').press('Enter');
  await expect(
    dialog.getByText('This resource has already been added or suggested', { exact: true }),
  ).toBeVisible();
  await expect(dialog.getByLabel('Link')).toHaveAttribute('aria-invalid', 'true');

  await page.goto('/resources?type=study-material');
  await expect(page.getByRole('article').first()).toBeVisible();
  await expect(page.getByText(title)).toHaveCount(0);
});

test('the eleventh pending suggestion is refused', async ({ page, context }) => {
  await newMember(context, 'Priya Raghavan');
  const tag = unique();
  for (let nr = 1; nr <= 10; nr += 1) {
    const data = { title: `Outline ${nr}`, url: `https://example.org/${tag}/${nr}`, type: 'guide' };
    expect((await context.request.post('/api/resources', { data })).status()).toBe(202);
  }
  await page.goto('/resources');
  await page.getByRole('button', { name: 'Suggest a resource' }).click();
  const dialog = page.getByRole('dialog', { name: 'Suggest a resource' });
  await dialog.getByLabel('Title').fill('One more');
  await dialog.getByLabel('Link').fill(`https://example.org/${tag}/11`);
  await dialog.getByRole('button', { name: 'Suggest' }).click();
  await expect(
    page.getByText('Failed to suggest the resource: 409: Ten of your suggestions are waiting already', {
      exact: true,
    }),
  ).toBeVisible();
});

const words = {
  en: { suggest: 'Suggest a resource', send: 'Suggest', missing: 'A title is required' },
  fil: { suggest: 'Magmungkahi ng sanggunian', send: 'Imungkahi', missing: 'Kailangan ng pamagat' },
} as const;

test('the form and its errors pass the audit in every variant', async ({ context }) => {
  await newMember(context, 'Lucía Fernández-Villanueva de la Cruz');
  await inEachLanguage(context, '/resources', async (page, language) => {
    const text = words[language];
    await page.getByRole('button', { name: text.suggest }).click();
    await dialogOpened(page);
    await page.getByRole('dialog').getByRole('button', { name: text.send, exact: true }).click();
    await expect(page.getByText(text.missing)).toBeVisible();
    await auditScreen(page, language);
  });
});
