// Moderation of communities: a moderator removes a post and bans its author, who is told why and cannot join again.
import { type BrowserContext, expect, type Page } from '@playwright/test';
import { auditScreen, dialogOpened, inEachLanguage } from './audit';
import { boxesOf, laidOut } from './geometry';
import { newMember } from './member';
import { test } from './test';

const unique = () => `${Date.now().toString(36)}${Math.floor(Math.random() * 1e6).toString(36)}`;

async function createCommunity(context: BrowserContext, name: string): Promise<string> {
  const answer = await context.request.post('/api/communities', { data: { name } });
  expect(answer.status()).toBe(201);
  return ((await answer.json()) as { id: string }).id;
}

async function join(context: BrowserContext, id: string) {
  expect((await context.request.put(`/api/communities/${id}/membership`)).status()).toBe(200);
}

/** The same words follow in the announcement for screen readers. */
const toast = (page: Page, words: string | RegExp) => page.getByText(words, { exact: true }).first();

/** Feed learns of the membership within two seconds. */
async function createPost(context: BrowserContext, userId: string, communityId: string, content: string) {
  await expect(async () => {
    const data = { userId, content, communityId };
    expect((await context.request.post('/api/posts', { data })).status()).toBe(201);
  }).toPass();
}

async function removePost(page: Page, author: string, community: string) {
  await page.getByRole('button', { name: `Options for ${author}` }).click();
  // With all its items, the menu is higher than the space below and above its button.
  await expect(page.getByRole('menuitem', { name: `Remove from ${community}` })).toBeVisible();
  await laidOut(async () => {
    const [menu] = await boxesOf([page.getByRole('menu')]);
    expect(menu?.y).toBeGreaterThanOrEqual(0);
  });
  await page.getByRole('menuitem', { name: `Remove from ${community}` }).click();
  const dialog = page.getByRole('dialog', { name: 'Remove this post?' });
  await dialog.getByLabel('Reason').selectOption('Off topic');
  await dialog.getByRole('button', { name: 'Remove' }).click();
}

test('a moderator removes a post and bans its author, who is told why', async ({ context, browser }) => {
  const [moderating, writing] = [await browser.newContext(), await browser.newContext()];
  await newMember(context, 'Isabel Reyes');
  const { id: moderator } = await newMember(moderating, 'Priya Raghavan');
  const { id: author } = await newMember(writing, 'Marco Villanueva');
  const name = `Law Review ${unique()}`;
  const id = await createCommunity(context, name);
  await join(moderating, id);
  await join(writing, id);

  const page = await context.newPage();
  await page.goto(`/communities/${id}?tab=members`);
  await page.getByRole('button', { name: 'Options for Priya Raghavan' }).click();
  await page.getByRole('menuitem', { name: 'Make moderator' }).click();
  await expect(page.getByRole('region', { name: 'Members' }).getByText('Moderator')).toBeVisible();

  const words = `Cheap outlines, ${unique()}.`;
  await createPost(writing, author, id, words);
  // Feed has applied the role of the moderator once it accepts a later change of the same community.
  await createPost(moderating, moderator, id, `Welcome, ${unique()}.`);
  const theirs = await moderating.newPage();
  await theirs.goto(`/communities/${id}`);
  await expect(theirs.getByText(words)).toBeVisible();
  await removePost(theirs, 'Marco Villanueva', name);
  await expect(toast(theirs, 'Post removed')).toBeVisible();
  await expect(theirs.getByText(words)).toHaveCount(0);

  await theirs.getByRole('tab', { name: /Members/ }).click();
  const options = theirs.getByRole('button', { name: 'Options for Marco Villanueva' });
  await options.click();
  await theirs.getByRole('menuitem', { name: 'Remove from the community' }).click();
  const dialog = theirs.getByRole('dialog', { name: 'Remove Marco Villanueva?' });
  await dialog.getByRole('checkbox').check();
  await dialog.getByRole('button', { name: 'Remove and ban' }).click();
  await expect(toast(theirs, 'Marco Villanueva was removed and banned')).toBeVisible();
  await expect(options).toHaveCount(0);
  await theirs.getByRole('tab', { name: 'Manage' }).click();
  await expect(theirs.getByText('Priya Raghavan banned Marco Villanueva')).toBeVisible();
  // Opening the tab loads the log anew; feed's removal is in it a moment later.
  await expect(async () => {
    await theirs.getByRole('tab', { name: 'About' }).click();
    await theirs.getByRole('tab', { name: 'Manage' }).click();
    await expect(theirs.getByText('Priya Raghavan removed a post by Marco Villanueva')).toBeVisible({
      timeout: 2_000,
    });
  }).toPass();

  const reader = await writing.newPage();
  await reader.goto('/notifications');
  await expect(
    reader.getByText(`Your content was removed from ${name} by its moderators: off topic.`),
  ).toBeVisible();
  await reader.goto(`/communities/${id}`);
  await reader.getByRole('button', { name: `Join ${name}` }).click();
  const refusal = /: 403: You cannot join this community, because its moderators have banned you\.$/;
  await expect(toast(reader, refusal)).toBeVisible();
  expect((await writing.request.get(`/api/communities/${id}/log`)).status()).toBe(403);

  await theirs.getByRole('button', { name: 'End ban: Marco Villanueva' }).click();
  await expect(theirs.getByText('No member is banned.')).toBeVisible();
  await join(writing, id);

  // The owner transfers the community, and the new owner dissolves it.
  await page.getByRole('button', { name: 'Options for Priya Raghavan' }).click();
  await page.getByRole('menuitem', { name: 'Transfer the community' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Transfer' }).click();
  await expect(toast(page, `Priya Raghavan now owns ${name}`)).toBeVisible();
  await theirs.reload();
  await theirs.getByRole('button', { name: 'Dissolve' }).click();
  await theirs.getByRole('dialog').getByRole('textbox').fill(name);
  await theirs.getByRole('dialog').getByRole('button', { name: 'Dissolve' }).click();
  await expect(theirs).toHaveURL(/\/communities$/);
  expect((await context.request.get(`/api/communities/${id}`)).status()).toBe(404);
});

test('the tab Manage and its dialogs pass the audit in every variant', async ({ context, browser }) => {
  test.slow();
  const other = await browser.newContext();
  await newMember(context, 'Lucía Fernández-Villanueva de la Cruz');
  const { id: member } = await newMember(other, 'Maximiliano Bartholomew Featherstonehaugh');
  const { id: banned } = await newMember(other, 'Priya Raghavan');
  const id = await createCommunity(
    context,
    `The Society for the Advancement of Appellate Advocacy ${unique()}`,
  );
  const of = (path: string) => `/api/communities/${id}${path}`;
  await join(other, id);
  expect((await context.request.delete(of(`/members/${banned}?reason=spam`))).status()).toBe(204);
  await other.clearCookies();
  await newMember(other, 'Marco Villanueva');
  await join(other, id);
  expect((await context.request.delete(of(`/members/${member}?reason=harassment`))).status()).toBe(204);
  await inEachLanguage(context, `/communities/${id}?tab=manage`, async (page, language) => {
    await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible();
    await auditScreen(page, language);
    await page.getByRole('button', { name: /^(Dissolve|Buwagin)$/ }).click();
    await dialogOpened(page);
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^(Dissolve|Buwagin)$/ })
      .click();
    await expect(page.getByRole('dialog').locator('[aria-invalid=true]')).toHaveCount(1);
    await auditScreen(page, language);
    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: /Members|Kasapi/ }).click();
    await page.getByRole('button', { name: /Marco/ }).click();
    await page.getByRole('menuitem', { name: /^(Remove|Alisin)/ }).click();
    await dialogOpened(page);
    await auditScreen(page, language);
  });
});
