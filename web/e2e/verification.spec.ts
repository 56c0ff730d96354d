// Verified members and equal names: the mark, the hints, and the screen of a steward appointed by an operator.
import { type Browser, expect, type Page } from '@playwright/test';
import { portiaAdmin } from './admin';
import { auditScreen, dialogOpened, inEachLanguage } from './audit';
import { createClassmates, reloadUntil, type TestMember } from './classmates';
import { newMember } from './member';
import { test } from './test';

test('a namesake of a verified member is marked as another member, with a link', async ({ browser }) => {
  const context = await browser.newContext();
  // The demo contains Isabel Reyes, verified by her school.
  const { id } = await newMember(context, 'Isabel Reyes');
  const page = await (await browser.newContext()).newPage();
  await page.goto(`/profile/${id}`);
  const hint = page.getByRole('region', { name: /members? ha(s|ve) the same name$/ });
  await expect(hint).toBeVisible();
  const first = hint.getByRole('listitem').first();
  await expect(
    first.getByRole('img', { name: 'Verified by Ateneo de Manila University School of Law' }),
  ).toBeVisible();
  await first.getByRole('link', { name: 'Isabel Reyes' }).click();
  await expect(page.getByRole('heading', { level: 1, name: /^Isabel Reyes/ })).toBeVisible();
  await expect(
    page
      .getByRole('main')
      .getByRole('img', { name: /^Verified by Ateneo/ })
      .first(),
  ).toBeVisible();
  await expect(hint).toHaveCount(0);
});

/** A steward appointed by an operator, and two members of the school, which has no other members. */
async function createSchool(browser: Browser) {
  const [sofia, ana, ben] = (await createClassmates(browser, 'Sofia', 'Ana', 'Ben')) as [
    TestMember,
    TestMember,
    TestMember,
  ];
  const me = await sofia.context.request.get('/api/auth/me');
  const { username, school } = (await me.json()) as { username: string; school: string };
  await portiaAdmin('stewards', 'add', username, '--school', school);
  return { sofia, ana, ben, school };
}

const rowOf = (page: Page, { name }: TestMember) =>
  page.getByRole('main').getByRole('listitem').filter({ hasText: name });

test('a steward verifies a member of the school, and withdraws the verification', async ({ browser }) => {
  const { sofia, ana, ben, school } = await createSchool(browser);
  const { page } = sofia;
  const mark = (where: Page) =>
    where
      .getByRole('main')
      .getByRole('img', { name: `Verified by ${school}` })
      .first();
  const decide = async (action: 'Verify' | 'Withdraw', name: string, reason: string) => {
    await rowOf(page, ana).getByRole('button', { name }).click();
    const dialog = page.getByRole('dialog', { name });
    await dialog.getByRole('button', { name: action, exact: true }).click();
    await expect(dialog.getByText('Please state the reason.')).toBeVisible();
    await dialog.getByRole('textbox', { name: 'Reason' }).fill(reason);
    await dialog.getByRole('button', { name: action, exact: true }).click();
    await expect(dialog).toHaveCount(0);
  };

  // No role, no screen.
  await ben.page.goto('/school/members');
  await expect(ben.page.getByRole('heading', { name: '404 Page Not Found' })).toBeVisible();
  await page.goto('/');
  await page.getByRole('banner').getByRole('link', { name: 'School members' }).click();
  await expect(page.getByText(`You are the steward of ${school}.`)).toBeVisible();
  await expect(rowOf(page, ben)).toBeVisible();
  // The own name is not for the own decision.
  await expect(page.getByRole('button', { name: `Verify ${sofia.name}` })).toHaveCount(0);

  await decide('Verify', `Verify ${ana.name}`, 'In my seminar since August.');
  await expect(rowOf(page, ana)).toContainText('Verified by the school');
  await page.getByRole('radio', { name: 'Not verified' }).click();
  await expect(rowOf(page, ben)).toBeVisible();
  await expect(rowOf(page, ana)).toHaveCount(0);
  await reloadUntil(ben.page, `/profile/${ana.id}`, () =>
    expect(mark(ben.page)).toBeVisible({ timeout: 3_000 }),
  );

  await page.getByRole('radio', { name: 'Verified', exact: true }).click();
  await decide('Withdraw', `Withdraw the verification of ${ana.name}`, 'It was another Ana.');
  await expect(page.getByText('No members found')).toBeVisible();
  await reloadUntil(ben.page, `/profile/${ana.id}`, async () => {
    await expect(ben.page.getByRole('heading', { level: 1, name: ana.name })).toBeVisible({ timeout: 3_000 });
    await expect(mark(ben.page)).toHaveCount(0, { timeout: 3_000 });
  });
  await page.getByRole('tab', { name: 'Log' }).click();
  await expect(rowOf(page, ana)).toHaveCount(2);
  await expect(rowOf(page, ana).first()).toContainText('It was another Ana.');
  await expect(rowOf(page, ana).last()).toContainText('In my seminar since August.');
});

test('the screen of a steward', async ({ browser }) => {
  const { sofia, ana, ben } = await createSchool(browser);
  const body = { data: { fullName: ben.name, reason: 'In my seminar since August.' } };
  await expect(async () => {
    const answer = await sofia.context.request.post(`/api/school/members/${ben.id}/verify`, body);
    expect(answer.ok()).toBe(true);
  }).toPass();
  await inEachLanguage(sofia.context, '/school/members', async (page, language) => {
    await expect(rowOf(page, ben).getByRole('img')).toBeVisible();
    await auditScreen(page, language);
    await rowOf(page, ana).getByRole('button').click();
    await dialogOpened(page);
    await auditScreen(page, language);
    await page.goto('/school/members?tab=log');
    await expect(rowOf(page, ben)).toBeVisible();
    await auditScreen(page, language);
  });
});
