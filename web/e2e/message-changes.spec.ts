// Changes of messages and conversations between two members in two browsers: each appears on the other side without a reload.
import { type BrowserContext, expect, type Page } from '@playwright/test';
import { auditScreen, inEachLanguage } from './audit';
import { connect, createClassmates, type TestMember } from './classmates';
import { test } from './test';

/** Milliseconds from the action to the change on the other screen. */
const soon = { timeout: 2_000 };

const row = (page: Page, { name }: TestMember) => page.getByRole('tabpanel').getByRole('link', { name });
const bubble = (page: Page, words: string) =>
  page
    .getByRole('region', { name: /^Conversation with / })
    .getByRole('listitem')
    .filter({ hasText: words });
const field = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true });

async function sendMessage(page: Page, words: string) {
  await field(page).fill(words);
  await field(page).press('Enter');
  await expect(bubble(page, words).getByRole('img', { name: /^(Sent|Read)$/ })).toBeVisible();
}

async function openMenu(page: Page, words: string) {
  // A later message may quote it.
  const message = bubble(page, words).first();
  await message.hover();
  await message.getByRole('button', { name: 'Options for this message' }).click();
  await expect(page.getByRole('menu')).toBeVisible();
}

/** Opens a screen, and waits until the tab receives events. */
async function openStream(page: Page, path: string) {
  const stream = page.waitForResponse((answer) => answer.url().endsWith('/api/live'));
  await page.goto(path);
  expect((await stream).status()).toBe(200);
}

/** Two connected members and their conversation. */
async function pair(browser: Parameters<typeof createClassmates>[0]) {
  const [ana, ben] = (await createClassmates(browser, 'Ana', 'Ben')) as [TestMember, TestMember];
  await connect(ana, ben);
  const answer = await ana.context.request.post('/api/conversations', { data: { userId: ben.id } });
  expect(answer.ok()).toBe(true);
  return { ana, ben, id: ((await answer.json()) as { id: string }).id };
}

async function send(from: TestMember, id: string, content: string, more: object = {}): Promise<string> {
  const data = { userId: from.id, conversationId: id, content, ...more };
  const answer = await from.context.request.post(`/api/conversations/${id}/messages`, { data });
  expect(answer.status()).toBe(201);
  return ((await answer.json()) as { id: string }).id;
}

test('a reply, reactions, an edit and a deletion appear on the other side', async ({ browser }) => {
  const { ana, ben, id } = await pair(browser);
  await openStream(ana.page, `/messages/${id}`);
  await openStream(ben.page, `/messages/${id}`);
  await sendMessage(ben.page, 'Who argues first?');
  await expect(bubble(ana.page, 'Who argues first?')).toBeVisible(soon);

  await test.step('reply', async () => {
    await openMenu(ana.page, 'Who argues first?');
    await ana.page.getByRole('menuitem', { name: 'Reply' }).click();
    await expect(ana.page.getByText(`Replying to ${ben.name}`)).toBeVisible();
    await expect(field(ana.page)).toBeFocused();
    await sendMessage(ana.page, 'The petitioner does.');
    await expect(ana.page.getByText(`Replying to ${ben.name}`)).toHaveCount(0);
    const quote = bubble(ben.page, 'The petitioner does.').getByRole('button', { name: /^In reply to/ });
    await expect(quote).toContainText('Who argues first?', soon);
    await expect(quote).toContainText('You');
  });

  await test.step('reactions of both', async () => {
    await openMenu(ben.page, 'The petitioner does.');
    await ben.page.getByRole('menuitemcheckbox', { name: 'Thanks' }).click();
    const onAna = bubble(ana.page, 'The petitioner does.').getByRole('list', { name: 'Reactions' });
    const onBen = bubble(ben.page, 'The petitioner does.').getByRole('list', { name: 'Reactions' });
    await expect(onAna.getByRole('button', { name: `Thanks: ${ben.name}` })).toBeVisible(soon);
    await onAna.getByRole('button').click();
    await expect(onBen.getByRole('button', { name: /^Thanks: / })).toHaveText(/2$/, soon);
    await onBen.getByRole('button').click();
    await expect(onAna.getByRole('button', { name: 'Thanks: You' })).toBeVisible(soon);
    await onAna.getByRole('button').click();
    await expect(onBen).toHaveCount(0, soon);
  });

  await test.step('an edit, also in the quote and the list', async () => {
    await openMenu(ben.page, 'The petitioner does.');
    await ben.page.getByRole('menuitem', { name: 'Reply' }).click();
    await expect(ben.page.getByText(`Replying to ${ana.name}`)).toBeVisible();
    await sendMessage(ben.page, 'Even on appeal?');
    await openMenu(ana.page, 'The petitioner does.');
    await ana.page.getByRole('menuitem', { name: 'Edit message' }).click();
    const form = ana.page.getByRole('textbox', { name: 'Edit message' });
    await expect(form).toBeFocused();
    await form.fill('The appellant does.');
    await form.press('Enter');
    await expect(field(ana.page)).toBeVisible();
    const edited = bubble(ben.page, 'The appellant does.').filter({ hasText: 'Edited' });
    await expect(edited).toBeVisible(soon);
    await expect(
      bubble(ben.page, 'Even on appeal?').getByRole('button', { name: /^In reply to/ }),
    ).toContainText('The appellant does.');
    await expect(bubble(ben.page, 'The petitioner does.')).toHaveCount(0);
    // The newest message is in the list too.
    await openMenu(ben.page, 'Even on appeal?');
    await ben.page.getByRole('menuitem', { name: 'Edit message' }).click();
    await ben.page.getByRole('textbox', { name: 'Edit message' }).fill('Even at the Supreme Court?');
    await ben.page.getByRole('button', { name: 'Save' }).click();
    await expect(row(ana.page, ben)).toContainText('Even at the Supreme Court?', soon);
  });

  await test.step('the search of the other side finds the new words only', async () => {
    const search = ben.page.getByRole('searchbox', { name: 'Search messages' });
    await search.fill('appellant');
    const found = ben.page.getByRole('region', { name: 'Messages', exact: true }).getByRole('link');
    await expect(found).toHaveCount(1);
    await expect(found).toContainText('The appellant does.');
    await found.click();
    await expect(bubble(ben.page, 'The appellant does.').first()).toBeInViewport();
    const asked = ben.page.waitForResponse((answer) =>
      answer.url().includes('/api/messages?search=petitioner'),
    );
    await search.fill('petitioner');
    expect(await (await asked).json()).toEqual([]);
    await expect(found).toHaveCount(0);
    await search.fill('');
    await ben.page.goto(`/messages/${id}`);
  });

  await test.step('a deletion, also in the quote and the list', async () => {
    const deleteMessage = async ({ page }: TestMember, words: string) => {
      await openMenu(page, words);
      await page.getByRole('menuitem', { name: 'Delete message' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
      await expect(page.getByRole('dialog')).toHaveCount(0);
    };
    await expect(bubble(ben.page, 'Even at the Supreme Court?')).toBeVisible();
    await deleteMessage(ana, 'The appellant does.');
    await expect(bubble(ben.page, 'This message was deleted')).toBeVisible(soon);
    await expect(bubble(ben.page, 'Even at the Supreme Court?')).toContainText('The message was deleted');
    await expect(ben.page.getByText('The appellant does.')).toHaveCount(0);
    await deleteMessage(ben, 'Even at the Supreme Court?');
    await expect(row(ana.page, ben)).toContainText('This message was deleted', soon);
    await expect(bubble(ana.page, 'This message was deleted')).toHaveCount(2);
  });
});

test('after 15 minutes a message can be answered, and not edited or deleted', async ({ browser }) => {
  const { ana, id } = await pair(browser);
  await send(ana, id, 'The petitioner does.');
  const now = Date.now();
  for (const [minutes, items] of [
    [14, ['Reply', 'Copy text', 'Edit message', 'Delete message']],
    [16, ['Reply', 'Copy text']],
  ] as const) {
    const page = await ana.context.newPage();
    await page.clock.setFixedTime(now + minutes * 60_000);
    await page.goto(`/messages/${id}`);
    await openMenu(page, 'The petitioner does.');
    await expect(page.getByRole('menuitem')).toHaveText([...items]);
    await page.close();
  }
});

/** Another device of a member. */
async function secondDevice({ context }: TestMember): Promise<BrowserContext> {
  const browser = context.browser();
  if (!browser) throw new Error('no browser');
  return browser.newContext({ storageState: await context.storageState() });
}

test('a conversation that is muted on one device is muted on the other', async ({ browser }) => {
  const { ana, ben, id } = await pair(browser);
  await send(ana, id, 'Who argues first?');
  const other = await (await secondDevice(ana)).newPage();
  await openStream(other, '/messages');
  await openStream(ana.page, `/messages/${id}`);
  await expect(row(other, ben)).toBeVisible();
  const choose = async (page: Page, item: string) => {
    await page.getByRole('button', { name: 'Options for this conversation' }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  await choose(ana.page, 'Mute conversation');
  await expect(row(other, ben).getByRole('img', { name: 'Muted' })).toBeVisible(soon);

  // A message in it arrives, and does not count in the header.
  await ana.page.goto('/settings');
  await send(ben, id, 'Not urgent.');
  await expect(row(other, ben)).toContainText('Not urgent.', soon);
  await expect(row(other, ben).getByText('1', { exact: true })).toBeVisible();
  await expect(other.getByRole('banner').getByText('1 unread message')).toHaveCount(0);

  await row(other, ben).click();
  await openStream(ana.page, '/messages');
  await expect(row(ana.page, ben).getByRole('img', { name: 'Muted' })).toBeVisible();
  await choose(other, 'Unmute conversation');
  await expect(row(ana.page, ben).getByRole('img', { name: 'Muted' })).toHaveCount(0, soon);
});

test('a conversation that is read on one device is read on the other, and for its author', async ({
  browser,
}) => {
  const { ana, ben, id } = await pair(browser);
  const other = await (await secondDevice(ana)).newPage();
  await openStream(ana.page, '/messages');
  await openStream(other, '/messages');
  await openStream(ben.page, `/messages/${id}`);
  await sendMessage(ben.page, 'Who argues first?');
  for (const page of [ana.page, other]) {
    await expect(row(page, ben).getByText('1', { exact: true })).toBeVisible(soon);
    await expect(page.getByRole('banner').getByText('1 unread message')).toBeAttached();
  }
  await row(ana.page, ben).click();
  await expect(bubble(ben.page, 'Who argues first?').getByRole('img', { name: 'Read' })).toBeVisible(soon);
  await expect(other.getByRole('banner').getByText('1 unread message')).toHaveCount(0, soon);
  await expect(row(other, ben).getByText('1', { exact: true })).toHaveCount(0);
});

test('changed messages have no accessibility violations', async ({ browser }) => {
  const { ana, ben, id } = await pair(browser);
  const asked = await send(ben, id, 'Who argues first?');
  const reply = await send(ana, id, 'The petitioner does.', { replyTo: asked });
  const gone = await send(ben, id, 'Never mind.');
  const path = `/api/conversations/${id}/messages`;
  const { request } = ben.context;
  expect((await request.put(`${path}/${reply}/reactions`, { data: { kind: 'thanks', on: true } })).ok()).toBe(
    true,
  );
  expect((await request.delete(`${path}/${gone}`)).ok()).toBe(true);
  const edit = { data: { content: 'The appellant does.' } };
  expect((await ana.context.request.patch(`${path}/${reply}`, edit)).ok()).toBe(true);
  expect((await ana.context.request.put(`/api/conversations/${id}/mute`)).ok()).toBe(true);
  await inEachLanguage(ana.context, `/messages/${id}`, async (page, language) => {
    const own = page.getByRole('listitem').filter({ hasText: 'The appellant does.' }).last();
    await expect(own).toBeVisible();
    await auditScreen(page, language);
    await own.hover();
    await own.locator('[aria-haspopup=menu]').click();
    await page.getByRole('menuitem', { name: /^(Edit message|I-edit ang mensahe)$/ }).click();
    await expect(page.getByRole('textbox').last()).toBeFocused();
    await auditScreen(page, language);
  });
});
