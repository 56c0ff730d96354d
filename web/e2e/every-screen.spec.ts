// Every screen, as visitor and member, in both languages and themes, on a phone and a desktop: accessible, complete, quiet.
import { type BrowserContext, expect, test } from '@playwright/test';
import { expectClean, type Look, looks, openIn } from './looks';
import { newMember } from './member';

const open = [
  '/',
  '/auth',
  '/auth?register=true',
  '/forgot-password',
  '/jobs',
  '/jobs/019a0000-0000-7000-8000-0000000000ff',
  '/legal-news',
  '/legal-news/019a0000-0000-7000-8000-0000000000ff',
  '/resources',
  '/resources?type=case-brief',
  '/resources/casebriefs',
  '/resources/019a0000-0000-7000-8000-0000000000ff',
  '/status',
  '/search',
  '/communities',
  '/events',
  '/test',
  '/no/such/page',
];
const member = [
  '/',
  '/network',
  '/messages',
  '/notifications',
  '/jobs',
  '/jobs?tab=applications',
  '/resources',
  '/search',
  '/profile/me',
  '/settings',
];

/** Opens a screen of its own page in one of its looks, and inspects it. */
async function visit(context: BrowserContext, path: string, look: Look) {
  const page = await openIn(context, path, look);
  await expect(page.getByRole('heading', { level: 1 })).toBeAttached();
  await expectClean(page, look);
  await page.close();
}

async function everywhere(context: BrowserContext, path: string) {
  for (const look of looks) await visit(context, path, look);
}

for (const path of open) {
  test(`a visitor at ${path}`, async ({ context }) => {
    await everywhere(context, path);
  });
}

for (const path of member) {
  test(`a member at ${path}`, async ({ context }) => {
    const { id } = await newMember(context, 'Lucía Fernández-Villanueva de la Cruz');
    await everywhere(context, path.replace('me', id));
  });
}
