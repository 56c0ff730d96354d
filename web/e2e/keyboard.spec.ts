// The keyboard on the whole stack: posts are focused below the header, and palette and shortcuts pass the audit.
import { expect, type Page } from '@playwright/test';
import { auditScreen, dialogOpened, inEachLanguage } from './audit';
import { connect, createClassmates, type TestMember } from './classmates';
import { boxesOf, laidOut } from './geometry';
import { newMember } from './member';
import { test } from './test';

const openWithShortcuts = async (page: Page, path: string) => {
  await page.goto(path);
  await expect(page.locator('html')).toHaveAttribute('data-shortcuts');
};

test('J, K, L and C read, like and comment a feed without the pointer', async ({ browser }) => {
  const [ana] = (await createClassmates(browser, 'Ana')) as [TestMember];
  for (const content of ['The first draft.', 'The second draft.']) {
    const data = { userId: ana.id, content };
    expect((await ana.context.request.post('/api/posts', { data })).status()).toBe(201);
  }
  const { page } = ana;
  await page.setViewportSize({ width: 360, height: 700 });
  await openWithShortcuts(page, '/');
  const post = page.getByRole('article').filter({ hasText: 'The first draft.' });
  await expect(post).toBeVisible();
  // Posts of members of other tests may come first.
  await expect(async () => {
    await page.keyboard.press('j');
    await expect(post).toBeFocused({ timeout: 1_000 });
  }).toPass();
  await laidOut(async () => {
    const [place, header] = await boxesOf([post, page.locator('header').first()]);
    expect(place?.y).toBeGreaterThanOrEqual(header?.height ?? Number.NaN);
    expect(place?.y).toBeLessThan(350);
  });
  await page.keyboard.press('l');
  await expect(post.getByText('1 like')).toBeVisible();
  await page.keyboard.press('c');
  const field = post.getByRole('textbox', { name: 'Comment' });
  await expect(field).toBeFocused();
  await field.fill('Just kidding.');
  await expect(field).toHaveValue('Just kidding.');
});

test('the palette finds a member and starts a post', async ({ browser }) => {
  const [ana, ben] = (await createClassmates(browser, 'Ana', 'Ben')) as [TestMember, TestMember];
  const { page } = ana;
  await openWithShortcuts(page, '/jobs');
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: 'Go to people, places and actions' });
  await expect(field).toBeFocused();
  await page.keyboard.type(ben.name);
  const person = page.getByRole('option', { name: ben.name, exact: false }).last();
  await expect(person).toContainText('1L at');
  await page.keyboard.press('ArrowUp');
  await expect(person).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: ben.name })).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(field).toBeFocused();
  await page.keyboard.type('start');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog').getByRole('textbox', { name: 'Post' })).toBeFocused();
});

test('the focus ring of a name in a list is whole', async ({ browser }) => {
  const [ana, ben] = (await createClassmates(browser, 'Ana', 'Ben')) as [TestMember, TestMember];
  await connect(ana, ben);
  const { page } = ana;
  await page.goto('/network');
  const name = page.getByRole('main').getByRole('link', { name: ben.name });
  await name.focus();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Tab');
  await expect(name).toBeFocused();
  const cutBy = await name.evaluate((link) => {
    const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(link);
    if (outlineStyle === 'none') return ['no ring'];
    const ring = link.getBoundingClientRect();
    const reach = Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset);
    const cutting: string[] = [];
    for (let around = link.parentElement; around; around = around.parentElement) {
      const { x, y, right, bottom } = around.getBoundingClientRect();
      const isWithin =
        x <= ring.x - reach &&
        y <= ring.y - reach &&
        right >= ring.right + reach &&
        bottom >= ring.bottom + reach;
      if (getComputedStyle(around).overflow === 'hidden' && !isWithin) cutting.push(around.className);
    }
    return cutting;
  });
  expect(cutBy).toEqual([]);
});

test('palette and shortcuts pass the audit', async ({ context }) => {
  test.slow();
  await newMember(context, 'Ana Cruz');
  await inEachLanguage(context, '/jobs', async (page, language) => {
    await expect(page.locator('html')).toHaveAttribute('data-shortcuts');
    await page.keyboard.press('Control+k');
    await dialogOpened(page);
    await page.keyboard.type('ana');
    await expect(page.getByRole('group').getByRole('option').nth(1)).toBeVisible();
    await auditScreen(page, language);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.keyboard.press('?');
    await dialogOpened(page);
    await auditScreen(page, language);
  });
});
