// Account: password reset in its three variants, sessions, recovery codes, export, deletion and reactivation.
import { readFile } from 'node:fs/promises';
import { type Browser, type BrowserContext, expect, type Page } from '@playwright/test';
import { auditScreen, inEachLanguage, languages, openInLanguage } from './audit';
import { newMember, password } from './member';
import { test } from './test';

const newPassword = 'another horse';

/** A browser context without cookies or storage. */
const newBrowser = (browser: Browser) => browser.newContext();

const words = {
  en: {
    continue: 'Continue',
    newPassword: 'New Password',
    code: 'Recovery Code',
    make: /^Create (recovery|new) codes$/,
    done: 'Done',
    delete: 'Delete account',
  },
  fil: {
    continue: 'Magpatuloy',
    newPassword: 'Bagong Password',
    code: 'Recovery Code',
    make: /^Gumawa ng (mga bagong code|recovery code)$/,
    done: 'Tapos na',
    delete: 'Burahin ang account',
  },
};

async function openStepTwo(page: Page, username: string) {
  await page.goto('/forgot-password');
  await page.getByLabel('Username').fill(username);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByLabel('New Password', { exact: true })).toBeVisible();
}

async function typeTwice(page: Page, chosen: string) {
  await page.getByLabel('New Password', { exact: true }).fill(chosen);
  await page.getByLabel('Confirm Password', { exact: true }).fill(chosen);
  await page.getByRole('button', { name: 'Reset Password' }).click();
}

async function signIn(context: BrowserContext, username: string, known: string): Promise<number> {
  const answer = await context.request.post('/api/auth/login', { data: { username, password: known } });
  return answer.status();
}

const sessionStatus = async (context: BrowserContext) => (await context.request.get('/api/auth/me')).status();

test('a password is reset in two steps on a browser that has signed in before', async ({ page, context }) => {
  const { username } = await newMember(context, 'Teresa Magbanua');
  await page.goto('/');
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page.getByRole('heading', { name: 'Your Legal Career Starts Here' })).toBeVisible();

  await page.goto('/auth');
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('Username Required', { exact: true })).toBeVisible();
  await page.getByLabel('Username').fill('unknown.username');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('User not found', { exact: true })).toBeVisible();
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Username').press('Enter');

  await expect(page.getByLabel('New Password', { exact: true })).toBeFocused();
  await expect(page.getByLabel('Recovery Code')).toHaveCount(0);
  await typeTwice(page, '12345');
  await expect(page.getByText('Password Too Short', { exact: true })).toBeVisible();
  await page.getByLabel('New Password', { exact: true }).fill(newPassword);
  await page.getByRole('button', { name: 'Reset Password' }).click();
  await expect(page.getByText("Passwords Don't Match", { exact: true })).toBeVisible();
  await typeTwice(page, newPassword);
  await expect(page.getByText('Password Reset', { exact: true })).toBeVisible();
  await expect(page).toHaveURL(/\/auth$/);

  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('tabpanel').getByRole('button', { name: 'Login' }).click();
  await expect(page.getByText('Invalid username or password', { exact: true })).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill(newPassword);
  await page.getByLabel('Password', { exact: true }).press('Enter');
  await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible();
});

test('a recovery code from the card after registration resets the password in another browser, once', async ({
  browser,
  page,
  context,
}) => {
  const username = `card.${Date.now().toString(36)}`;
  await page.goto('/auth?register=true');
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Full Name').fill('Juan Luna');
  await page.getByLabel('Full Name').press('Enter');
  const card = page.getByRole('region', { name: "Don't get locked out of your account" });
  await card.getByRole('button', { name: 'Create recovery codes' }).click();
  await expect(card.getByRole('listitem')).toHaveCount(8);
  const download = page.waitForEvent('download');
  await card.getByRole('button', { name: 'Download (.txt)' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe(`portia-recovery-codes-${username}.txt`);
  const saved = await readFile(await file.path(), 'utf8');
  const codes = await card.getByRole('listitem').allTextContents();
  for (const code of codes) expect(saved).toContain(code);
  const [code = ''] = codes;
  await card.getByRole('button', { name: 'Done' }).click();
  await expect(card).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Start a post...' })).toBeVisible();
  await expect(card).toHaveCount(0);

  const other = await newBrowser(browser);
  const there = await other.newPage();
  await openStepTwo(there, username);
  await there.getByLabel('Recovery Code').fill(code.toLowerCase().replaceAll('-', ' '));
  await typeTwice(there, newPassword);
  await expect(there).toHaveURL(/\/auth$/);
  expect(await sessionStatus(context), 'the session from before the reset').toBe(401);
  expect(await signIn(other, username, password)).toBe(401);
  expect(await signIn(other, username, newPassword)).toBe(200);

  const third = await newBrowser(browser);
  const again = await third.newPage();
  await openStepTwo(again, username);
  await again.getByLabel('Recovery Code').fill(code);
  await typeTwice(again, 'a third horse');
  await expect(again.getByText('Enter a recovery code that has not been used')).toBeVisible();
  expect(await signIn(third, username, newPassword), 'a used code changes nothing').toBe(200);
  await other.close();
  await third.close();
});

test('a reset in another browser without a code is refused with instructions', async ({
  browser,
  context,
}) => {
  const { username } = await newMember(context, 'Gabriela Silang');
  const other = await newBrowser(browser);
  const page = await other.newPage();
  await openStepTwo(page, username);
  await expect(page.getByText(/ask the operators of Portia for a reset link/)).toBeVisible();
  const refusal = page.waitForResponse('**/api/auth/reset-password');
  await typeTwice(page, newPassword);
  expect((await refusal).status()).toBe(403);
  await expect(page.getByText('Error', { exact: true })).toBeVisible();
  expect(await sessionStatus(context), 'the owner is still signed in').toBe(200);
  expect(await signIn(other, username, newPassword)).toBe(401);
  expect(await signIn(other, username, password)).toBe(200);
  await other.close();
});

test('a link with an invalid token opens step 2, is removed from the address, and is refused', async ({
  page,
  context,
}) => {
  const { username } = await newMember(context, 'Apolinario Mabini');
  await context.clearCookies();
  await page.goto(`/forgot-password#token=made-up&username=${username}`);
  await expect(page.getByText(`Choose a new password for ${username}.`)).toBeVisible();
  await expect(page).toHaveURL(/\/forgot-password$/);
  await page.goto('/jobs');
  await page.goBack();
  await expect(page).toHaveURL(/\/forgot-password$/);
  // The link opens in the loaded document.
  await expect(page.getByRole('heading', { name: 'Forgot password' })).toBeVisible();
  await page.goto(`/forgot-password#token=made-up&username=${username}`);
  await typeTwice(page, newPassword);
  await expect(page.getByText('Error', { exact: true })).toBeVisible();
  expect(await signIn(context, username, newPassword)).toBe(401);
});

test('changing the password ends all other sessions', async ({ browser, page, context }) => {
  const { username } = await newMember(context, 'Andres Bonifacio');
  const other = await newBrowser(browser);
  expect(await signIn(other, username, password)).toBe(200);
  await page.goto('/settings');
  await page.getByLabel('Current Password').fill('wrong password');
  await page.getByLabel('New Password', { exact: true }).fill(newPassword);
  await page.getByLabel('Confirm Password').fill(newPassword);
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByLabel('Current Password')).toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel('Current Password').fill(password);
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('Password changed', { exact: true })).toBeVisible();
  expect(await sessionStatus(context)).toBe(200);
  expect(await sessionStatus(other)).toBe(401);
  await other.close();
});

test('a member ends another session, then all sessions', async ({ browser, page, context }) => {
  const { username } = await newMember(context, 'Emilio Jacinto');
  const other = await newBrowser(browser);
  expect(await signIn(other, username, password)).toBe(200);
  await page.goto('/settings');
  const sessions = page.getByRole('region', { name: 'Sessions' });
  await expect(sessions.getByRole('listitem')).toHaveCount(2);
  await expect(sessions.getByText('This browser', { exact: true })).toHaveCount(1);
  await sessions.getByRole('button', { name: /^End / }).click();
  await expect(page.getByText('Session ended', { exact: true })).toBeVisible();
  await expect(sessions.getByRole('listitem')).toHaveCount(1);
  expect(await sessionStatus(other)).toBe(401);
  expect(await sessionStatus(context)).toBe(200);

  const cookies = await context.cookies();
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await expect(page.getByRole('heading', { name: 'Your Legal Career Starts Here' })).toBeVisible();
  await context.addCookies(cookies);
  expect(await sessionStatus(context), 'the cookie of an ended session').toBe(401);
  await other.close();
});

test('the export is a ZIP', async ({ page, context }) => {
  const { username } = await newMember(context, 'Leonor Rivera');
  await page.goto('/settings');
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export my data' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe(`portia-${username}.zip`);
  const bytes = await readFile(await file.path());
  expect(bytes.subarray(0, 4).toString('latin1')).toBe('PK\u0003\u0004');
  // A complete ZIP ends with its central directory.
  expect(bytes.includes(Buffer.from('PK\u0005\u0006', 'latin1'))).toBe(true);
  expect(bytes.includes(Buffer.from('index.html', 'latin1'))).toBe(true);
});

test('a deleted account is restored completely by signing in', async ({ page, context }) => {
  const { username, id } = await newMember(context, 'Josefa Llanes');
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Delete account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete account' });
  await dialog.getByRole('textbox').fill('another.member');
  await dialog.getByRole('textbox').press('Enter');
  await expect(dialog.getByText('This is not your username')).toBeVisible();
  await dialog.getByRole('textbox').fill(username);
  await dialog.getByRole('textbox').press('Enter');
  await expect(page.getByText('Account deleted', { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Your Legal Career Starts Here' })).toBeVisible();
  expect(await sessionStatus(context)).toBe(401);
  // The profile service learns of the change through the outbox.
  await expect.poll(async () => (await context.request.get(`/api/users/${id}/profile`)).status()).toBe(404);

  await page.goto('/auth');
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Password', { exact: true }).press('Enter');
  await expect(page.getByText('Welcome back', { exact: true })).toBeVisible();
  await expect.poll(async () => (await context.request.get(`/api/users/${id}/profile`)).status()).toBe(200);
  await page.getByRole('link', { name: 'My Profile' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Josefa Llanes' })).toBeVisible();
});

test('step 2 in another browser passes the audit in every variant', async ({ browser, context }) => {
  const { username } = await newMember(context, 'Melchora Aquino');
  const other = await newBrowser(browser);
  await inEachLanguage(other, '/forgot-password', async (page, language) => {
    const text = words[language];
    await page.getByLabel('Username').fill(username);
    await page.getByRole('button', { name: text.continue }).click();
    await expect(page.getByLabel(text.newPassword, { exact: true })).toBeVisible();
    // Also of a member without codes: the answer does not tell.
    await expect(page.getByLabel(text.code)).toHaveCount(1);
    await page.getByLabel(text.newPassword, { exact: true }).fill('correct horse');
    await auditScreen(page, language);
  });
});

for (const language of languages) {
  const text = words[language];

  test(`settings with new codes and the deletion dialog pass the audit in every variant: ${language}`, async ({
    context,
  }) => {
    await newMember(context, 'Marcela Agoncillo');
    const page = await openInLanguage(context, '/settings', language);
    await page.getByRole('button', { name: text.make }).click();
    await expect(page.getByRole('button', { name: text.done, exact: true })).toBeVisible();
    await auditScreen(page, language);
    await page.getByRole('button', { name: text.delete }).click();
    await expect(page.getByRole('dialog', { name: text.delete })).toBeVisible();
    await auditScreen(page, language);
  });
}
