// The eight variants of a screen (two languages, two themes, phone and desktop) and the audit of each.
import { AxeBuilder } from '@axe-core/playwright';
import { type BrowserContext, expect, type Page, test } from '@playwright/test';

export const languages = ['en', 'fil'] as const;
export type Language = (typeof languages)[number];

interface Look {
  language: Language;
  theme: 'light' | 'dark';
  width: 360 | 1280;
}

/** A page is loaded once per language, in the light theme at this width. The other variants change theme and window size. */
const loaded = { en: 1280, fil: 360 } as const;
const height = 800;

/** The variants of a language, starting with the one it is loaded in. */
function looksIn(language: Language): Look[] {
  const width = loaded[language];
  const other = width === 360 ? 1280 : 360;
  return [
    { language, theme: 'light', width },
    { language, theme: 'light', width: other },
    { language, theme: 'dark', width: other },
    { language, theme: 'dark', width },
  ];
}

/**
 * Whether axe inspects this variant. It inspects half of them: every pair of language, theme and width occurs in
 * each combination. axe takes seconds per variant, and none of its rules depends on all three.
 */
function inspected({ language, theme, width }: Look): boolean {
  return [language === 'fil', theme === 'dark', width === 1280].filter(Boolean).length % 2 === 0;
}

const heard = new WeakMap<Page, string[]>();

/** Opens an address in a new page in one language. The page records its errors. */
export async function openIn(context: BrowserContext, path: string, language: Language): Promise<Page> {
  const page = await context.newPage();
  const complaints: string[] = [];
  heard.set(page, complaints);
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    // The browser logs every refusal. 401 identifies a visitor, 403 a refused reset.
    const expected = /status of (401|403|404)/.test(message.text());
    if (message.type() === 'error' && !expected) complaints.push(message.text());
  });
  await page.setViewportSize({ width: loaded[language], height });
  await page.emulateMedia({ colorScheme: 'light' });
  await page.addInitScript((chosen) => localStorage.setItem('i18nextLng', chosen), language);
  await page.goto(path);
  return page;
}

/**
 * Expects the screen to be loaded, in its language, with a title. Expects every variant to have no horizontal overflow
 * and no console errors, and half of the variants to pass axe. Leaves the page in its first variant.
 */
export async function expectClean(page: Page, language: Language): Promise<void> {
  await expect(page.locator('html')).toHaveAttribute('lang', language);
  await expect(page).toHaveTitle(/Portia/);
  for (const look of looksIn(language)) {
    const { theme, width } = look;
    await test.step(`${language} ${theme} ${width}`, async () => {
      await turn(page, look);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overflow, 'pixels beyond the right edge').toBeLessThanOrEqual(0);
      if (inspected(look)) {
        // Legacy mode runs in the page itself: no screen contains a frame, and passed rules are not reported.
        // It applies the same rules in a third of the time.
        const inside = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
        const { violations } = await inside.analyze();
        expect(
          violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
        ).toEqual([]);
      }
      expect(heard.get(page)).toEqual([]);
    });
  }
  await turn(page, { language, theme: 'light', width: loaded[language] });
}

async function turn(page: Page, { theme, width }: Look): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await page.setViewportSize({ width, height });
  await expect(page.locator('html')).toHaveClass(theme === 'dark' ? /(^| )dark( |$)/ : /^(?!.*\bdark\b)/);
  await expect(page.getByRole('status', { name: /^(Loading|Naglo-load)$/ })).toHaveCount(0);
  await still(page);
}

/** Disables motion: in the middle of a transition every text lacks contrast. */
async function still(page: Page): Promise<void> {
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
        .map(({ finished }) => finished.catch(() => undefined)),
    ),
  );
}

/** Waits until the animations of a dialog have ended. */
export async function settled(page: Page): Promise<void> {
  await expect(page.getByRole('dialog')).toBeVisible();
  await still(page);
}
