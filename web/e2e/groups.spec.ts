// A group in three browsers: creation, live delivery with names and read marks, and the audit of its screens.
import { expect, type Page } from '@playwright/test';
import { auditAddress, dialogOpened } from './audit';
import { connect, createClassmates, type TestMember } from './classmates';
import { test } from './test';

const row = (page: Page) => page.getByRole('tabpanel').getByRole('link', { name: /Moot court/ });
const pane = (page: Page) => page.getByRole('region', { name: 'Conversation with Moot court' });

async function sendMessage(page: Page, words: string) {
  const field = page.getByRole('textbox', { name: 'Message' });
  await field.fill(words);
  await field.press('Enter');
}

test('a group is created, and its messages and changes arrive without a reload', async ({ browser }) => {
  const [ana, ben, carla] = (await createClassmates(browser, 'Ana', 'Ben', 'Carla')) as [
    TestMember,
    TestMember,
    TestMember,
  ];
  await connect(ana, ben);
  await connect(ana, carla);
  await ben.page.goto('/messages');
  await expect(ben.page.getByRole('tabpanel').getByRole('link', { name: ana.name })).toBeVisible();

  await ana.page.goto('/messages');
  await ana.page.getByRole('button', { name: 'New group' }).click();
  await dialogOpened(ana.page);
  const dialog = ana.page.getByRole('dialog', { name: 'New group' });
  await dialog.getByRole('textbox', { name: 'Group name' }).fill('Moot court');
  for (const { name } of [ben, carla]) await dialog.getByRole('checkbox', { name }).check();
  await dialog.getByRole('button', { name: 'Create group' }).click();
  await expect(pane(ana.page).getByText('You created the group')).toBeVisible();

  await row(ben.page).click();
  await expect(pane(ben.page).getByText(`${ana.name} created the group`)).toBeVisible();
  await sendMessage(ana.page, 'The brief is due on Friday.');
  const received = pane(ben.page).getByRole('listitem').filter({ hasText: 'The brief is due on Friday.' });
  await expect(received).toContainText(ana.name);
  await expect(pane(ana.page).getByText('Seen by 1')).toBeVisible();
  await sendMessage(ben.page, 'I take the facts.');
  await expect(pane(ana.page).getByText('I take the facts.')).toBeVisible();

  const address = new URL(ana.page.url()).pathname;
  await auditAddress(ana.page, address, (page) =>
    expect(page.locator('[data-thread]').getByText('I take the facts.')).toBeVisible(),
  );
});
