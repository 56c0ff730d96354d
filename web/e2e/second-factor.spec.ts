// The second factor: an authenticator app that is set up, asked for at sign-in and removed, and the proof that sensitive actions need.
import { createHmac } from 'node:crypto';
import { expect } from '@playwright/test';
import { ageSession } from './aged-session';
import { auditScreen, languages, openInLanguage } from './audit';
import { newMember, password } from './member';
import { test } from './test';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const step = 30;

/** The code that an app shows (RFC 6238), `later` steps of 30 seconds from now. */
function codeOf(secret: string, later = 0): string {
  const bits = [...secret].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from(bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []);
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 1000 / step) + later));
  const hash = createHmac('sha1', key).update(counter).digest();
  const number = hash.readUInt32BE((hash.at(-1) ?? 0) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}

const words = {
  en: {
    app: 'Authenticator app',
    setUp: 'Set up authenticator app',
    code: 'Code from the app',
    confirm: 'Confirm',
    codes: 'Store your recovery codes',
    stored: 'I have stored them',
    proof: 'Confirm that it is you',
    make: /^Create (recovery|new) codes$/,
  },
  fil: {
    app: 'Authenticator app',
    setUp: 'I-set up ang authenticator app',
    code: 'Code mula sa app',
    confirm: 'Kumpirmahin',
    codes: 'I-save ang mga recovery code mo',
    stored: 'Na-save ko na ang mga ito',
    proof: 'Kumpirmahin na ikaw ito',
    make: /^Gumawa ng (mga bagong code|recovery code)$/,
  },
};

test('an authenticator app is set up, asked for at the next sign-in, and removed', async ({
  page,
  context,
}) => {
  const { username } = await newMember(context, 'Gregoria de Jesus');
  await page.goto('/settings');
  const section = page.getByRole('region', { name: words.en.app });
  const created = page.waitForResponse(
    (answer) => answer.url().endsWith('/api/auth/totp') && answer.status() === 201,
  );
  await section.getByRole('button', { name: words.en.setUp }).click();
  const { secret } = (await (await created).json()) as { secret: string };
  const dialog = page.getByRole('dialog', { name: words.en.setUp });
  await expect(dialog.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
  await dialog.getByLabel(words.en.code).fill('000000');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(dialog.getByText('This code is not valid.')).toBeVisible();
  await dialog.getByLabel(words.en.code).fill(codeOf(secret));
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  // A member without recovery codes gets them in the same dialog.
  const codes = page.getByRole('dialog', { name: words.en.codes });
  await expect(codes.getByRole('listitem')).toHaveCount(8);
  await expect(codes.getByRole('button', { name: 'Done' })).toBeDisabled();
  await codes.getByRole('checkbox', { name: 'I have stored them' }).check();
  await codes.getByRole('button', { name: 'Done' }).click();
  await expect(section.getByText(/^Set up on /)).toBeVisible();

  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page.getByRole('heading', { name: 'Your Legal Career Starts Here' })).toBeVisible();
  await page.goto('/auth');
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Password', { exact: true }).press('Enter');
  const code = page.getByLabel('Code', { exact: true });
  await expect(code).toBeFocused();
  await code.fill('000000');
  await code.press('Enter');
  await expect(page.getByText('Login failed', { exact: true })).toBeVisible();
  // The present code was used by the set-up.
  await code.fill(codeOf(secret, 1));
  await code.press('Enter');
  await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible();

  await page.goto('/settings');
  await section.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(section.getByRole('button', { name: words.en.setUp })).toBeVisible();
  const again = await context.request.post('/api/auth/login', { data: { username, password } });
  expect(again.status()).toBe(200);
});

test('a sensitive action asks for the password and goes on', async ({ page, context }) => {
  await newMember(context, 'Trinidad Tecson');
  await page.goto('/settings');
  const codes = page.getByRole('region', { name: 'Recovery codes' });
  await expect(codes.getByRole('button', { name: words.en.make })).toBeVisible();
  await ageSession(page, 'POST', '/api/auth/recovery-codes');
  await codes.getByRole('button', { name: words.en.make }).click();
  const dialog = page.getByRole('dialog', { name: words.en.proof });
  await expect(dialog.getByLabel('Password', { exact: true })).toBeFocused();
  await dialog.getByLabel('Password', { exact: true }).fill('wrong password');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByText('This is not your password.')).toBeVisible();
  await dialog.getByLabel('Password', { exact: true }).fill(password);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(codes.getByRole('listitem')).toHaveCount(8);
  const [code = ''] = await codes.getByRole('listitem').allTextContents();

  await ageSession(page, 'GET', '/api/auth/reauthenticate');
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export my data' }).click();
  await dialog.getByRole('button', { name: 'Use a code instead' }).click();
  await dialog.getByLabel('Code', { exact: true }).fill(code);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await download;
});

for (const language of languages) {
  const text = words[language];

  test(`the dialogs of the second factor pass the audit in every variant: ${language}`, async ({
    context,
  }) => {
    await newMember(context, 'Agueda Kahabagan');
    const page = await openInLanguage(context, '/settings', language);
    const created = page.waitForResponse(
      (answer) => answer.url().endsWith('/api/auth/totp') && answer.status() === 201,
    );
    await page.getByRole('button', { name: text.setUp }).click();
    const { secret } = (await (await created).json()) as { secret: string };
    await expect(page.getByLabel(text.code)).toBeVisible();
    await auditScreen(page, language);
    await page.getByLabel(text.code).fill(codeOf(secret));
    await page.getByRole('button', { name: text.confirm, exact: true }).click();
    const codes = page.getByRole('dialog', { name: text.codes });
    await expect(codes.getByRole('listitem')).toHaveCount(8);
    await auditScreen(page, language);
    await codes.getByRole('checkbox', { name: text.stored }).check();
    await codes.getByRole('button').last().click();
    await expect(codes).toHaveCount(0);
    await ageSession(page, 'POST', '/api/auth/recovery-codes');
    await page.getByRole('button', { name: text.make }).click();
    await expect(page.getByRole('dialog', { name: text.proof })).toBeVisible();
    await auditScreen(page, language);
  });
}
