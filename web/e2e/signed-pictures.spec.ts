// Pictures of a community have addresses that expire; without a signature they are not found.
import { expect, type Page } from '@playwright/test';
import { newMember } from './member';
import { png } from './picture';
import { test } from './test';

const unique = () => `${Date.now().toString(36)}${Math.floor(Math.random() * 1e6).toString(36)}`;

/** Posts a picture from the screen that is open, and returns its address. */
async function postPicture(page: Page, words: string): Promise<URL> {
  await page.getByRole('button', { name: /^Start a post/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Create a post' });
  await dialog.getByRole('textbox', { name: 'Post' }).fill(words);
  await dialog.getByRole('button', { name: 'Photo' }).click();
  await dialog.locator('input[type=file][accept*="image"]').setInputFiles(png(120, 80));
  await dialog.getByRole('textbox', { name: /What does/ }).fill('A courtroom');
  await dialog.getByRole('button', { name: 'Post', exact: true }).click();
  const picture = page
    .getByRole('article')
    .filter({ hasText: words })
    .getByRole('img', { name: 'A courtroom' });
  await expect(picture).toBeVisible();
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(120);
  return new URL(await picture.evaluate((img: HTMLImageElement) => img.src));
}

test('a picture in a community is shown by its signed address only', async ({ page, context, browser }) => {
  const visitor = await browser.newContext();
  await newMember(context, 'Isabel Reyes');
  const data = { name: `Law Review ${unique()}`, description: 'For editors.', rules: '' };
  const created = await context.request.post('/api/communities', { data });
  const { id } = (await created.json()) as { id: string };
  await page.goto(`/communities/${id}`);
  // The community reaches feed by a fact.
  await expect(async () => {
    await page.reload();
    await expect(page.getByText('No posts to display.')).toBeVisible({ timeout: 8_000 });
  }).toPass();
  const address = await postPicture(page, `For editors only ${unique()}`);
  const expires = Number(address.searchParams.get('expires')) - Date.now() / 1000;
  expect(expires).toBeGreaterThan(1_700);
  expect(expires).toBeLessThan(3_700);

  const status = async (path: string) => (await visitor.request.get(path)).status();
  const { pathname, search } = address;
  expect(await status(`${pathname}${search}`)).toBe(200);
  expect(await status(pathname)).toBe(404);
  expect(await status(pathname.replace('/signed/', '/'))).toBe(404);
  expect(await status(`${pathname}${search.replace('expires=1', 'expires=9')}`)).toBe(404);

  await page.goto('/');
  const open = await postPicture(page, `For everyone ${unique()}`);
  expect(open.searchParams.has('expires')).toBe(false);
  expect(await status(`${open.pathname}${open.search}`)).toBe(200);
  expect(await status(`${open.pathname}${search}`)).toBe(404);
  expect(await status(`${pathname}${open.search}`)).toBe(404);
  await visitor.close();
});
