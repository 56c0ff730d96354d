// Members who know each other, each in their own browser context.
import { type Browser, type BrowserContext, expect, type Page } from '@playwright/test';
import { newMember } from './member';

export interface TestMember {
  id: string;
  name: string;
  context: BrowserContext;
  page: Page;
}

let made = 0;

/**
 * Members of one school that has no other members, so that each is suggested to the others first. Their names are
 * unique.
 */
export async function createClassmates(browser: Browser, ...names: string[]): Promise<TestMember[]> {
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

/** Reloads until the expectation holds: other services consume a fact later, and an open screen does not refetch. */
export async function reloadUntil(page: Page, path: string, expectation: () => Promise<void>) {
  await expect(async () => {
    await page.goto(path);
    await expectation();
  }).toPass({ timeout: 60_000 });
}

/** Requests and accepts a connection through the API. */
export async function connect(a: TestMember, b: TestMember) {
  const asked = await a.context.request.post('/api/connections', {
    data: { requesterId: a.id, recipientId: b.id, status: 'pending' },
  });
  expect(asked.status()).toBe(201);
  const { id } = (await asked.json()) as { id: string };
  const accepted = await b.context.request.patch(`/api/connections/${id}`, { data: { status: 'accepted' } });
  expect(accepted.status()).toBe(200);
}
