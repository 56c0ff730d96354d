// A registration from a network with many others: the browser solves a proof of work in a worker and goes on by itself.
import { createHash } from 'node:crypto';
import { expect } from '@playwright/test';
import { auditScreen, languages, openInLanguage } from './audit';
import { test } from './test';

const salt = '00ff00ff?expires=1800000000&';
const number = 54_321;
const challenge = createHash('sha256').update(`${salt}${number}`).digest('hex');

const words = {
  en: { username: 'Username', password: 'Password', name: 'Full Name', register: 'Register' },
  fil: { username: 'Username', password: 'Password', name: 'Buong Pangalan', register: 'Mag-register' },
};
const notes = { en: /a short check first/, fil: /maikling pagsusuri/ };

for (const language of languages)
  test(`a proof of work is solved with an accessible status: ${language}`, async ({ context }) => {
    const text = words[language];
    const page = await openInLanguage(context, '/auth?register=true', language);
    // A fresh server admits thousands without a proof: the first request is refused as from a busy network.
    const json = {
      title: 'Too Many Requests',
      status: 429,
      error: 'There are many registrations from your network. Please try again in a few minutes.',
      code: 'PROOF_OF_WORK_REQUIRED',
      fields: {},
      requestId: null,
      challenge: { algorithm: 'SHA-256', challenge, maxnumber: 60_000, salt, signature: '00' },
    };
    const refused = { status: 429, contentType: 'application/problem+json', json };
    await page.route('**/api/auth/register', (route) => route.fulfill(refused), { times: 1 });
    // The worker waits until the status has been looked at.
    let start: () => void = () => undefined;
    const looked = new Promise<void>((resolve) => {
      start = resolve;
    });
    await page.route('**/proof-of-work-worker-*.js', async (route) => {
      await looked;
      await route.continue();
    });
    const panel = page.getByRole('tabpanel');
    const username = `pow.${process.pid}.${Date.now().toString(36)}`;
    await panel.getByLabel(text.username, { exact: true }).fill(username);
    await panel.getByLabel(text.password, { exact: true }).fill('correct horse');
    await panel.getByLabel(text.name, { exact: true }).fill('Pura Villanueva');
    await panel.getByRole('button', { name: text.register, exact: true }).click();
    await expect(panel.getByRole('status').filter({ hasText: notes[language] })).toBeVisible();
    await auditScreen(page, language);
    const registered = page.waitForResponse(
      (answer) => answer.url().endsWith('/api/auth/register') && answer.status() === 201,
    );
    start();
    const { proofOfWork } = (await registered).request().postDataJSON() as { proofOfWork: string };
    expect(JSON.parse(atob(proofOfWork))).toEqual({
      algorithm: 'SHA-256',
      challenge,
      number,
      salt,
      signature: '00',
    });
    await expect(page).not.toHaveURL(/\/auth/);
  });
