// Posts with mentions, topics, several pictures and a PDF file, between two members.
import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { auditScreen, dialogOpened, inEachLanguage } from './audit';
import { connect, createClassmates, reloadUntil } from './classmates';
import { png } from './picture';
import { test } from './test';

const composer = (page: Page) => page.getByRole('dialog', { name: 'Create a post' });
const words = (page: Page) => composer(page).getByRole('textbox', { name: 'Post' });

async function openComposer(page: Page) {
  await page.goto('/');
  await page.getByRole('button', { name: /^Start a post/ }).click();
}

async function publish(page: Page) {
  await composer(page).getByRole('button', { name: 'Post', exact: true }).click();
  await expect(composer(page)).toHaveCount(0);
}

test('a mention is completed by keyboard and notifies the member, and a topic has a page', async ({
  browser,
}) => {
  const [ana, ben] = await createClassmates(browser, 'Ana', 'Ben');
  if (!ana || !ben) throw new Error('two members');
  await connect(ana, ben);
  const topic = `moot${Date.now().toString(36)}`;
  await openComposer(ana.page);
  await words(ana.page).pressSequentially(`#${topic} with @${ben.name}`);
  await expect(composer(ana.page).getByRole('option', { name: new RegExp(ben.name) })).toBeVisible();
  await ana.page.keyboard.press('Enter');
  await expect(words(ana.page)).toHaveValue(`#${topic} with @${ben.name} `);
  await publish(ana.page);
  const post = ana.page.getByRole('article').filter({ hasText: topic });
  await expect(post.getByRole('link', { name: `@${ben.name}` })).toHaveAttribute(
    'href',
    `/profile/${ben.id}`,
  );

  await reloadUntil(ben.page, '/notifications', () =>
    expect(ben.page.getByText(`${ana.name} mentioned you`, { exact: false })).toBeVisible({ timeout: 3_000 }),
  );
  await ben.page.getByText(`${ana.name} mentioned you`, { exact: false }).click();
  await expect(ben.page).toHaveURL(/\/posts\//);
  await ben.page.getByRole('link', { name: `#${topic}` }).click();
  await expect(ben.page).toHaveURL(`/topics/${topic}`);
  await expect(ben.page.getByRole('article').filter({ hasText: topic })).toBeVisible();
  const followed = ben.page.waitForResponse(
    (answer) => answer.request().method() === 'PUT' && answer.url().endsWith('/follow'),
  );
  await ben.page.getByRole('button', { name: /^Follow/ }).click();
  expect((await followed).ok()).toBe(true);
  await ben.page.goto('/topics');
  const list = ben.page.getByRole('region', { name: 'Topics you follow' });
  await expect(list.getByRole('link', { name: `#${topic}` })).toBeVisible();
});

test('a post has several pictures in a viewer, another one a PDF file that is downloaded unchanged', async ({
  browser,
}) => {
  const [ana, ben] = await createClassmates(browser, 'Ana', 'Ben');
  if (!ana || !ben) throw new Error('two members');
  await connect(ana, ben);
  await openComposer(ana.page);
  await words(ana.page).fill('Two courtrooms.');
  await composer(ana.page).getByRole('button', { name: 'Photo' }).click();
  await composer(ana.page)
    .locator('input[type=file][accept*="image"]')
    .setInputFiles([png(320, 200), { ...png(200, 320), name: 'tall.png' }]);
  await expect(composer(ana.page).getByRole('button', { name: 'Remove picture 2' })).toBeVisible();
  await publish(ana.page);
  const address = await ana.page
    .getByRole('article')
    .filter({ hasText: 'Two courtrooms.' })
    .getByRole('link')
    .filter({ has: ana.page.locator('time') })
    .getAttribute('href');

  await ben.page.goto(address ?? '');
  await ben.page.getByRole('button', { name: 'Open picture 1 of 2' }).click();
  const viewer = ben.page.getByRole('dialog');
  await expect(viewer.getByText('1 of 2')).toBeVisible();
  await ben.page.keyboard.press('ArrowRight');
  await expect(viewer.getByText('2 of 2')).toBeVisible();
  await ben.page.goBack();
  await expect(viewer).toHaveCount(0);
  await expect(ben.page).toHaveURL(address ?? '');

  await inEachLanguage(ben.context, address ?? '', async (page, language) => {
    await page.getByRole('article').locator('button:has(img[src*="/media/"])').first().click();
    await dialogOpened(page);
    await auditScreen(page, language);
    // An open viewer is a state of the history entry, and open again in the next document at the same address.
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });

  const brief = Buffer.from(`%PDF-1.4\n% ${ana.name}\n%%EOF\n`);
  await openComposer(ana.page);
  await words(ana.page).fill('The brief.');
  await composer(ana.page).getByRole('button', { name: 'PDF file' }).click();
  await composer(ana.page)
    .locator('input[type=file][accept*="pdf"]')
    .setInputFiles({ name: 'Brief.pdf', mimeType: 'application/pdf', buffer: brief });
  await expect(composer(ana.page).getByText('Brief.pdf')).toBeVisible();
  await publish(ana.page);
  await ben.page.goto('/');
  const download = ben.page.waitForEvent('download');
  await ben.page
    .getByRole('article')
    .filter({ hasText: 'The brief.' })
    .filter({ hasText: ana.name })
    .getByRole('link', { name: /Brief\.pdf/ })
    .click();
  const file = await (await download).path();
  expect(await readFile(file)).toEqual(brief);
});
