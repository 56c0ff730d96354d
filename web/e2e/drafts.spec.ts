// Unsent work: drafts over navigation and reload, typed letters, discarded changes, messages written offline.
import { expect, type Page } from '@playwright/test';
import { connect, createClassmates, type TestMember } from './classmates';
import { newMember } from './member';
import { test } from './test';

const unique = () => `${Date.now().toString(36)}${Math.floor(Math.random() * 1e6).toString(36)}`;
const start = (page: Page) => page.getByRole('button', { name: /^Start a post/ });
const composer = (page: Page) => page.getByRole('dialog', { name: 'Create a post' });
const words = (page: Page) => composer(page).getByRole('textbox', { name: 'Post' });
const question = (page: Page) => page.getByRole('dialog', { name: 'Discard your changes?' });

test('a draft of a post is kept over navigation and reload, and is gone once posted', async ({
  page,
  context,
}) => {
  await newMember(context, 'Isabel Reyes');
  const text = `Half a thought ${unique()}`;
  await page.goto('/');
  await start(page).click();
  await words(page).fill(text);
  await page.keyboard.press('Escape');
  await expect(composer(page)).toHaveCount(0);
  await page.getByRole('link', { name: 'Jobs' }).first().click();
  await expect(page).toHaveURL(/\/jobs$/);
  await page.goBack();
  await expect(start(page)).toContainText('Draft');
  await start(page).click();
  await expect(words(page)).toHaveValue(text);

  await page.reload();
  await start(page).click();
  await expect(words(page)).toHaveValue(text);
  await composer(page).getByRole('button', { name: 'Post', exact: true }).click();
  await expect(composer(page)).toHaveCount(0);
  await expect(start(page)).not.toContainText('Draft');
});

test('no letter is lost while the composer is loading', async ({ page, context }) => {
  await newMember(context, 'Isabel Reyes');
  let arrive = () => {};
  const held = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route(/\/assets\/composer-dialog-.*\.js/, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/');
  await start(page).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.type('First letters');
  arrive();
  await expect(words(page)).toHaveValue('First letters');
  await page.keyboard.type(' and the rest');
  await expect(words(page)).toHaveValue('First letters and the rest');
  await page.keyboard.press('Escape');
  await expect(start(page)).toBeFocused();
});

test('Escape, Back and a reload ask before they discard a changed profile', async ({ page, context }) => {
  const { id } = await newMember(context, 'Isabel Reyes');
  await page.goto('/');
  await page.getByRole('link', { name: 'Jobs' }).first().click();
  await expect(page).toHaveURL(/\/jobs$/);
  await page.goto(`/profile/${id}`);
  await page.getByRole('link', { name: 'Jobs' }).first().click();
  await expect(page).toHaveURL(/\/jobs$/);
  await page.goBack();
  await page.getByRole('button', { name: 'Edit Profile' }).click();
  const bio = page.getByRole('dialog', { name: 'Edit Profile' }).getByLabel('Bio');
  await bio.fill('Clerk to be.');

  await page.keyboard.press('Escape');
  await question(page).getByRole('button', { name: 'Keep editing' }).click();
  await expect(question(page)).toHaveCount(0);
  await expect(bio).toHaveValue('Clerk to be.');

  await page.goForward();
  await expect(question(page)).toBeVisible();
  await expect(page).toHaveURL(`/profile/${id}`);
  await question(page).getByRole('button', { name: 'Keep editing' }).click();
  await expect(bio).toHaveValue('Clerk to be.');

  const unload = page.waitForEvent('dialog');
  await page.evaluate(() => void setTimeout(() => window.location.reload()));
  const asked = await unload;
  expect(asked.type()).toBe('beforeunload');
  await asked.dismiss();
  await expect(bio).toHaveValue('Clerk to be.');

  await page.goForward();
  await question(page).getByRole('button', { name: 'Discard' }).click();
  await expect(page).toHaveURL(/\/jobs$/);
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('after Discard the focus returns to the button of the form', async ({ page, context }) => {
  await newMember(context, 'Isabel Reyes');
  await page.goto('/events');
  const create = page.getByRole('button', { name: 'Create an event' });
  await create.click();
  await page.getByRole('dialog').getByLabel('Title').fill('Moot court');
  await page.keyboard.press('Escape');
  await question(page).getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(create).toBeFocused();
});

test('messages written offline wait, survive a reload, and are sent once in their order', async ({
  browser,
}) => {
  const [ana, ben] = (await createClassmates(browser, 'Ana', 'Ben')) as [TestMember, TestMember];
  await connect(ana, ben);
  const opened = await ana.page.request.post('/api/conversations', { data: { userId: ben.id } });
  const { id } = (await opened.json()) as { id: string };
  const { page } = ana;
  const texts = [`First ${unique()}`, `Second ${unique()}`, `Third ${unique()}`] as const;
  await page.goto(`/messages/${id}`);
  const field = page.getByRole('textbox', { name: 'Message' });
  await field.fill(texts[0]);
  await page.context().setOffline(true);
  await field.press('Enter');
  await field.fill(texts[1]);
  await field.press('Enter');
  await expect(page.getByText('Waiting for network')).toHaveCount(2);
  await page.context().setOffline(false);
  await expect(page.getByText('Waiting for network')).toHaveCount(0);
  await expect(page.getByRole('img', { name: 'Sent' })).toHaveCount(2);

  // The server stores the message, but its response is lost with the reload.
  // Its event may arrive before the failure.
  let lost = () => {};
  const isLost = new Promise<void>((resolve) => {
    lost = resolve;
  });
  await page.route('**/api/conversations/*/messages', async (route) => {
    await route.fetch();
    await route.abort();
    lost();
  });
  await field.fill(texts[2]);
  await field.press('Enter');
  await isLost;
  await page.unrouteAll({ behavior: 'wait' });
  await page.reload();
  await expect(page.getByRole('img', { name: 'Sent' })).toHaveCount(3);

  await ben.page.goto(`/messages/${id}`);
  const lines = ben.page.locator('[data-thread] li');
  await expect(lines).toHaveCount(3);
  await expect(lines).toContainText([...texts]);
});
