// Every screen, as visitor and member, in both languages and themes, on a phone and a desktop: accessible, complete, quiet.
import { AxeBuilder } from '@axe-core/playwright';
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { newMember } from './member';

const open = [
  '/',
  '/auth',
  '/auth?register=true',
  '/forgot-password',
  '/jobs',
  '/legal-news',
  '/resources',
  '/search',
  '/test',
  '/no/such/page',
];
const member = ['/', '/network', '/messages', '/jobs', '/search', '/profile/me'];

const languages = ['en', 'fil'];
const themes = ['light', 'dark'];
const widths = [360, 1280];

/** Console errors other than the 401 by which a visitor is known. */
function listen(page: Page): string[] {
  const heard: string[] = [];
  page.on('pageerror', (error) => heard.push(String(error)));
  page.on('console', (message) => {
    const expected = /status of (401|404)/.test(message.text());
    if (message.type() === 'error' && !expected) heard.push(message.text());
  });
  return heard;
}

async function inspect(
  context: BrowserContext,
  path: string,
  language: string,
  theme: string,
  width: number,
) {
  const page = await context.newPage();
  const heard = listen(page);
  await page.setViewportSize({ width, height: 800 });
  await page.addInitScript(
    ([chosenLanguage, chosenTheme]) => {
      localStorage.setItem('i18nextLng', chosenLanguage);
      localStorage.setItem('portia-theme', chosenTheme);
    },
    [language, theme] as const,
  );
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeAttached();
  await expect(page.getByRole('status', { name: /^(Loading|Naglo-load)$/ })).toHaveCount(0);

  await test.step(`${language} ${theme} ${width}`, async () => {
    await expect(page.locator('html')).toHaveAttribute('lang', language);
    expect(await page.title()).toContain('Portia');
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow, 'pixels beyond the right edge').toBeLessThanOrEqual(0);
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual(
      [],
    );
    expect(heard).toEqual([]);
  });
  await page.close();
}

async function everywhere(context: BrowserContext, path: string) {
  for (const language of languages)
    for (const theme of themes)
      for (const width of widths) await inspect(context, path, language, theme, width);
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
