// Verified members and equal names: the mark, the hints, the notification row, and the audit of the screen of a steward.
import { expect } from '@playwright/test';
import { auditScreen, languages, openInLanguage } from './audit';
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

const member = (name: string, at: number, more: object = {}) => ({
  user: {
    id: `019a0000-0000-7000-8000-0000000000a${at}`,
    fullName: name,
    headline: 'Law student',
    avatarUrl: null,
    ...more,
  },
  username: name.toLowerCase().replace(' ', '.'),
  graduationYear: '2027',
  verifiedAt: null,
  decidable: true,
});

for (const language of languages)
  test(`the screen of a steward in ${language}`, async ({ context }) => {
    await newMember(context, 'Steward of Tests', { school: 'Test Law School' });
    // Only an operator appoints a steward, at the command line: the role and the lists are answered here.
    await context.route('**/api/auth/me', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ json: { ...(await answer.json()), stewardOf: 'Test Law School' } });
    });
    const school = 'Test Law School';
    await context.route('**/api/school/members*', (route) =>
      route.fulfill({
        json: [
          member('Ana Cruz', 1),
          {
            ...member('Ben Soriano', 2, { verified: true, verifiedSchool: school }),
            verifiedAt: '2026-11-20T08:00:00Z',
          },
        ],
      }),
    );
    const page = await openInLanguage(context, '/school/members', language);
    await expect(
      page.getByRole('listitem').filter({ hasText: 'Ben Soriano' }).getByRole('img'),
    ).toBeVisible();
    await auditScreen(page, language);
  });
