// Audits every screen as visitor and member, in both languages and themes, on a phone and a desktop. Three screens are audited
// elsewhere, with content: the news of a visitor (news.spec.ts), the jobs (jobs.spec.ts) and settings (notifications.spec.ts)
// of a member.
import { type BrowserContext, expect } from '@playwright/test';
import { auditScreen, type Language, languages, openInLanguage } from './audit';
import { newMember } from './member';
import { test } from './test';

const visitorPaths = [
  '/',
  '/auth',
  '/auth?register=true',
  '/forgot-password',
  '/jobs',
  '/jobs/019a0000-0000-7000-8000-0000000000ff',
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
  '/topics',
  '/topics/moot',
  '/test',
  '/no/such/page',
];
const memberPaths = [
  '/',
  '/network',
  '/messages',
  '/notifications',
  '/jobs?tab=applications',
  '/resources',
  '/search',
  '/saved-items',
  '/profile/:me',
  '/welcome',
  '/settings/privacy',
  '/settings/feed',
];

/** Opens a screen in one language and audits it. */
async function visit(context: BrowserContext, path: string, language: Language) {
  const page = await openInLanguage(context, path, language);
  await expect(page.getByRole('heading', { level: 1 })).toBeAttached();
  await auditScreen(page, language);
  await page.close();
}

async function visitInAllLanguages(context: BrowserContext, path: string) {
  for (const language of languages) await visit(context, path, language);
}

for (const path of visitorPaths) {
  test(`a visitor at ${path}`, async ({ context }) => {
    await visitInAllLanguages(context, path);
  });
}

for (const path of memberPaths) {
  test(`a member at ${path}`, async ({ context }) => {
    const { id } = await newMember(context, 'Lucía Fernández-Villanueva de la Cruz');
    await visitInAllLanguages(context, path.replace(':me', id));
  });
}
