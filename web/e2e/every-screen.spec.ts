// Audits every screen as visitor and member, in both languages and themes, on a phone and a desktop.
import { type BrowserContext, expect, test } from '@playwright/test';
import { expectClean, type Language, languages, openIn } from './looks';
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
  '/about',
  '/privacy',
  '/terms',
  '/cookies',
  '/copyright',
  '/brand',
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
  '/saved-items',
  '/profile/:me',
  '/settings',
];

/** Opens a screen in one language and audits it. */
async function visit(context: BrowserContext, path: string, language: Language) {
  const page = await openIn(context, path, language);
  await expect(page.getByRole('heading', { level: 1 })).toBeAttached();
  await expectClean(page, language);
  await page.close();
}

async function everywhere(context: BrowserContext, path: string) {
  for (const language of languages) await visit(context, path, language);
}

for (const path of open) {
  test(`a visitor at ${path}`, async ({ context }) => {
    await everywhere(context, path);
  });
}

for (const path of member) {
  test(`a member at ${path}`, async ({ context }) => {
    const { id } = await newMember(context, 'Lucía Fernández-Villanueva de la Cruz');
    await everywhere(context, path.replace(':me', id));
  });
}
