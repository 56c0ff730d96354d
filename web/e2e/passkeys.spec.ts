// Passkeys with Chromium's virtual authenticator: add, sign in, rename, remove, and the proof of a password reset.
import { expect, type Page } from '@playwright/test';
import { ageSession } from './aged-session';
import { auditScreen, dialogOpened, inEachLanguage } from './audit';
import { newMember } from './member';
import { test } from './test';

// Browsers have no passkeys for an IP address.
const base = new URL(process.env.PORTIA_URL ?? 'http://127.0.0.1:8080');
if (base.hostname === '127.0.0.1') base.hostname = 'localhost';
test.use({ baseURL: base.origin });

/** Adds an authenticator like a phone's: it stores the key and verifies its user. */
async function addAuthenticator(page: Page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const options = {
    protocol: 'ctap2' as const,
    transport: 'internal' as const,
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  };
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', { options });
  return {
    setVerified: (isUserVerified: boolean) =>
      devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    count: async () =>
      (await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
  };
}

const section = (page: Page) => page.getByRole('region', { name: 'Passkeys' });

async function addPasskey(page: Page, name: string) {
  await page.goto('/settings');
  await section(page).getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(section(page).getByText(name, { exact: true })).toBeVisible();
}

async function signOut(page: Page) {
  await page.goto('/');
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page.getByRole('heading', { name: 'Your Legal Career Starts Here' })).toBeVisible();
}

test('a passkey is added, signs in, is renamed and removed', async ({ page, context }) => {
  await newMember(context, 'Leona Florentino');
  const device = await addAuthenticator(page);
  await addPasskey(page, 'My phone');
  expect(await device.count()).toBe(1);
  await expect(section(page).getByText('Never used')).toBeVisible();

  // The device has a passkey of this account already.
  await section(page).getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Again');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('This device already has a passkey for your account.').first()).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();

  await signOut(page);
  await page.goto('/auth');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible();

  await page.goto('/settings');
  await expect(section(page).getByText('Last used')).toBeVisible();
  await section(page).getByRole('button', { name: 'Rename My phone' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Old phone');
  await page.getByRole('button', { name: 'Save' }).click();
  await section(page).getByRole('button', { name: 'Remove Old phone' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(section(page).getByText('You have no passkeys yet.')).toBeVisible();

  // The key on the device is worth nothing now.
  await signOut(page);
  await page.goto('/auth');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page.getByText('Invalid username or password', { exact: true })).toBeVisible();
});

test('a passkey proves the account for a new password', async ({ browser, page, context }) => {
  const { username } = await newMember(context, 'Emilio Jacinto');
  const device = await addAuthenticator(page);
  await addPasskey(page, 'Security key');
  // The browser is not trusted any more: only its cookies know the account.
  await context.clearCookies();
  await page.goto('/forgot-password');
  await page.getByLabel('Username').fill(username);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Use a passkey instead' }).click();
  await page.getByLabel('New Password', { exact: true }).fill('another horse');
  await page.getByLabel('Confirm Password', { exact: true }).fill('another horse');

  // A device that does not verify its user proves nothing.
  await device.setVerified(false);
  await page.getByRole('button', { name: 'Reset Password' }).click();
  await expect(page.getByRole('button', { name: 'Reset Password' })).toBeEnabled();
  await device.setVerified(true);
  await page.getByRole('button', { name: 'Reset Password' }).click();
  await expect(page.getByText('Password Reset', { exact: true })).toBeVisible();
  const other = await browser.newContext();
  const answer = await other.request.post('/api/auth/login', {
    data: { username, password: 'another horse' },
  });
  expect(answer.status()).toBe(200);
});

test('a passkey proves again in a session', async ({ page, context }) => {
  await newMember(context, 'Josefa Llanes Escoda');
  await addAuthenticator(page);
  await addPasskey(page, 'My phone');
  await ageSession(page, 'POST', '/api/auth/recovery-codes');
  const codes = page.getByRole('region', { name: 'Recovery codes' });
  await codes.getByRole('button', { name: /^Create (recovery|new) codes$/ }).click();
  const proved = page.waitForResponse(
    (answer) => answer.url().endsWith('/api/auth/reauthenticate') && answer.status() === 204,
  );
  await page
    .getByRole('dialog', { name: 'Confirm that it is you' })
    .getByRole('button', { name: 'Use a passkey' })
    .click();
  await proved;
  await expect(codes.getByRole('listitem')).toHaveCount(8);
});

const words = {
  en: { rename: 'Rename My phone', remove: 'Remove My phone', cancel: 'Cancel' },
  fil: {
    rename: 'Palitan ang pangalan ng My phone',
    remove: 'Alisin ang My phone',
    cancel: 'Kanselahin',
  },
};

test('the passkeys and their dialogs have no accessibility violations', async ({ page, context }) => {
  await newMember(context, 'Melchora Aquino');
  await addAuthenticator(page);
  await addPasskey(page, 'My phone');
  await page.close();
  await inEachLanguage(context, '/settings', async (shown, language) => {
    const { rename, remove, cancel } = words[language];
    for (const name of [rename, remove]) {
      await shown.getByRole('button', { name, exact: true }).click();
      await dialogOpened(shown);
      await auditScreen(shown, language);
      await shown.getByRole('button', { name: cancel, exact: true }).click();
    }
    // At the top: a button half under the header would be too small a target.
    await shown.reload();
    await expect(shown.getByText('My phone', { exact: true })).toBeVisible();
    await auditScreen(shown, language);
  });
});
