// The eight variants of a screen (two languages, two themes, phone and desktop) and the audit of each.
import { AxeBuilder } from '@axe-core/playwright';
import { type BrowserContext, expect, type Page } from '@playwright/test';
import { test } from './test';

export const languages = ['en', 'fil'] as const;
export type Language = (typeof languages)[number];

interface Variant {
  language: Language;
  theme: 'light' | 'dark';
  width: 360 | 1280;
}

/** A page is loaded once per language, in the light theme at this width. The other variants change theme and window size. */
const initialWidth = { en: 1280, fil: 360 } as const;
const height = 800;

/** The variants of a language, starting with the one it is loaded in. */
function variantsOf(language: Language): Variant[] {
  const width = initialWidth[language];
  const other = width === 360 ? 1280 : 360;
  return [
    { language, theme: 'light', width },
    { language, theme: 'light', width: other },
    { language, theme: 'dark', width: other },
    { language, theme: 'dark', width },
  ];
}

/**
 * Whether axe inspects this variant. It inspects half of them: they contain every combination of any two of language, theme
 * and width. axe takes seconds per variant, and none of its rules depends on all three.
 */
function usesAxe({ language, theme, width }: Variant): boolean {
  return [language === 'fil', theme === 'dark', width === 1280].filter(Boolean).length % 2 === 0;
}

/** Rules that axe leaves off by default: visible texts are part of the names, and targets are 24 px or have space around them. */
const optionalRules = ['label-content-name-mismatch', 'target-size'];

const consoleErrors = new WeakMap<Page, string[]>();

/** Opens an address in a new page in one language. The page records its errors. */
export async function openInLanguage(
  context: BrowserContext,
  path: string,
  language: Language,
): Promise<Page> {
  const page = await context.newPage();
  const errors: string[] = [];
  consoleErrors.set(page, errors);
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    // The browser logs every refusal. 401 identifies a visitor, 403 a refused reset, 429 a registration from a busy network.
    const expected = /status of (401|403|404|429)/.test(message.text());
    if (message.type() === 'error' && !expected) errors.push(message.text());
  });
  await page.setViewportSize({ width: initialWidth[language], height });
  await page.emulateMedia({ colorScheme: 'light' });
  await page.addInitScript((chosen) => localStorage.setItem('i18nextLng', chosen), language);
  await page.goto(path);
  return page;
}

/**
 * Expects the screen to be loaded, in its language, with a title. Expects every variant to have no horizontal overflow
 * and no console errors, and half of the variants to pass axe. Leaves the page in its first variant.
 */
export async function auditScreen(page: Page, language: Language): Promise<void> {
  await expect(page.locator('html')).toHaveAttribute('lang', language);
  await expect(page).toHaveTitle(/Portia/);
  for (const variant of variantsOf(language)) {
    const { theme, width } = variant;
    await test.step(`${language} ${theme} ${width}`, async () => {
      await applyVariant(page, variant);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overflow, 'pixels beyond the right edge').toBeLessThanOrEqual(0);
      if (usesAxe(variant)) {
        // Legacy mode runs in the page itself: no screen contains a frame, and passed rules are not reported.
        // It applies the same rules in a third of the time.
        const axe = new AxeBuilder({ page, ...(await sourceOfAxe(page)) }).setLegacyMode().options({
          resultTypes: ['violations'],
          rules: Object.fromEntries(optionalRules.map((rule) => [rule, { enabled: true }])),
        });
        const { violations } = await axe.analyze();
        expect(
          violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
        ).toEqual([]);
      }
      expect(consoleErrors.get(page)).toEqual([]);
    });
  }
  await applyVariant(page, { language, theme: 'light', width: initialWidth[language] });
}

/** The half megabyte of axe is sent to a document once, not for every variant. */
async function sourceOfAxe(page: Page): Promise<{ axeSource?: string }> {
  return (await page.evaluate(() => 'axe' in window)) ? { axeSource: 'void 0' } : {};
}

async function applyVariant(page: Page, { theme, width }: Variant): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await page.setViewportSize({ width, height });
  await expect(page.locator('html')).toHaveClass(theme === 'dark' ? /(^| )dark( |$)/ : /^(?!.*\bdark\b)/);
  await expect(page.getByRole('status', { name: /^(Loading|Naglo-load)$/ })).toHaveCount(0);
  await waitForAnimations(page);
}

/**
 * Waits until all finite animations have ended: in the middle of a transition every text lacks contrast. Animations
 * that follow a scroll position, such as the fade of tabs, have no end.
 */
async function waitForAnimations(page: Page): Promise<void> {
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter(
          ({ timeline, effect }) =>
            timeline === document.timeline &&
            effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY,
        )
        .map(({ finished }) => finished.catch(() => undefined)),
    ),
  );
}

/** Waits until the animations of a dialog have ended. */
export async function dialogOpened(page: Page): Promise<void> {
  await expect(page.getByRole('dialog')).toBeVisible();
  await waitForAnimations(page);
}
