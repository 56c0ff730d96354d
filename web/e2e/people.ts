// Members who know each other, each in a browser of their own.
import { type Browser, type BrowserContext, expect, type Page } from '@playwright/test';
import { newMember } from './member';

export interface Someone {
  id: string;
  name: string;
  context: BrowserContext;
  page: Page;
}

let made = 0;

/**
 * Members of one school without other members, so that each is suggested to the others first, and with unique
 * names.
 */
export async function classmates(browser: Browser, ...names: string[]): Promise<Someone[]> {
  made += 1;
  const tag = `${process.pid.toString(36)}${Date.now().toString(36)}${made}`;
  const school = `School ${tag}`;
  return Promise.all(
    names.map(async (first) => {
      const name = `${first} ${tag}`;
      const context = await browser.newContext();
      const { id } = await newMember(context, name, { school, headline: `1L at ${school}` });
      return { id, name, context, page: await context.newPage() };
    }),
  );
}

/** What other services hear of takes them a moment, and a screen that is open does not ask again by itself. */
export async function eventually(page: Page, path: string, seen: () => Promise<void>) {
  await expect(async () => {
    await page.goto(path);
    await seen();
  }).toPass({ timeout: 60_000 });
}

/** Asked and accepted, through the calls of the screens. */
export async function connect(a: Someone, b: Someone) {
  const asked = await a.context.request.post('/api/connections', {
    data: { requesterId: a.id, recipientId: b.id, status: 'pending' },
  });
  expect(asked.status()).toBe(201);
  const { id } = (await asked.json()) as { id: string };
  const accepted = await b.context.request.patch(`/api/connections/${id}`, { data: { status: 'accepted' } });
  expect(accepted.status()).toBe(200);
}
