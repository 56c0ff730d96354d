// The eight looks of a screen (two languages, two themes, phone and desktop), and what every screen must be in each.
import { AxeBuilder } from '@axe-core/playwright';
import { type BrowserContext, expect, type Page, test } from '@playwright/test';

export interface Look {
  language: 'en' | 'fil';
  theme: 'light' | 'dark';
  width: 360 | 1280;
}

export const looks: Look[] = (['en', 'fil'] as const).flatMap((language) =>
  (['light', 'dark'] as const).flatMap((theme) =>
    ([360, 1280] as const).map((width) => ({ language, theme, width })),
  ),
);

/**
 * Whether axe inspects a screen in this look: half of them, chosen so that each two of language, theme and width meet
 * in every combination. axe takes seconds a look, and no rule of it depends on all three.
 */
function inspected({ language, theme, width }: Look): boolean {
  return [language === 'fil', theme === 'dark', width === 1280].filter(Boolean).length % 2 === 0;
}

const heard = new WeakMap<Page, string[]>();

/** A new page at an address, in one look, which remembers what goes wrong in it. */
export async function openIn(
  context: BrowserContext,
  path: string,
  { language, theme, width }: Look,
): Promise<Page> {
  const page = await context.newPage();
  const complaints: string[] = [];
  heard.set(page, complaints);
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    // The browser itself reports every refusal: by 401 a visitor is known, by 403 a reset is refused.
    const expected = /status of (401|403|404)/.test(message.text());
    if (message.type() === 'error' && !expected) complaints.push(message.text());
  });
  await page.setViewportSize({ width, height: 800 });
  await page.addInitScript(
    ([chosenLanguage, chosenTheme]) => {
      localStorage.setItem('i18nextLng', chosenLanguage);
      localStorage.setItem('portia-theme', chosenTheme);
    },
    [language, theme] as const,
  );
  await page.goto(path);
  return page;
}

/** Loaded, in its language, titled, nothing beyond the right edge, quiet, and in half of the looks accessible to axe. */
export async function expectClean(page: Page, look: Look): Promise<void> {
  const { language, theme, width } = look;
  await expect(page.getByRole('status', { name: /^(Loading|Naglo-load)$/ })).toHaveCount(0);
  await test.step(`${language} ${theme} ${width}`, async () => {
    await expect(page.locator('html')).toHaveAttribute('lang', language);
    expect(await page.title()).toContain('Portia');
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow, 'pixels beyond the right edge').toBeLessThanOrEqual(0);
    if (inspected(look)) {
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual(
        [],
      );
    }
    expect(heard.get(page)).toEqual([]);
  });
}

/** A dialog stands still: half faded in, every text lacks contrast. */
export async function settled(page: Page): Promise<void> {
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
        .map(({ finished }) => finished.catch(() => undefined)),
    ),
  );
}
