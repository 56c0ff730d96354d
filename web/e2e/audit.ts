// The variants of a screen (two languages, two themes, phone and desktop) and the audit of each.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type BrowserContext, expect, type Page } from '@playwright/test';
import type * as Axe from 'axe-core';
import { test } from './test';

export const languages = ['en', 'fil'] as const;
export type Language = (typeof languages)[number];

interface Variant {
  theme: 'light' | 'dark';
  width: 360 | 1280;
}

/**
 * The variants that are audited, of every screen. They contain every combination of any two of language, theme and width. The
 * horizontal overflow depends on language and width, and no rule of axe depends on all three.
 */
const audited: Record<Language, readonly [Variant, Variant]> = {
  en: [
    { theme: 'light', width: 360 },
    { theme: 'dark', width: 1280 },
  ],
  fil: [
    { theme: 'light', width: 1280 },
    { theme: 'dark', width: 360 },
  ],
};

/** A page is opened in this variant, in which a test works with the screen. */
const initial: Record<Language, Variant> = {
  en: { theme: 'light', width: 1280 },
  fil: { theme: 'light', width: 360 },
};
const height = 800;

/** Rules that axe leaves off by default: visible texts are part of the names, and targets are 24 px or have space around them. */
const optionalRules = ['label-content-name-mismatch', 'target-size'];

/**
 * The rows of a list that the other tests lengthen. axe asks what is behind every text, in a time that grows faster than the page:
 * it takes seven seconds for a home with twenty posts. The first rows have the structure of all.
 */
const rows = 5;

/** Requests fewer rows of long lists. "Show more" stays below them. Runs in the page. */
function shortenLists(limit: number): void {
  const send = window.fetch;
  window.fetch = (input, init) => {
    const address = new URL(input instanceof Request ? input.url : input, location.href);
    const method = input instanceof Request ? input.method : (init?.method ?? 'GET');
    const { pathname, searchParams } = address;
    const isLong =
      /^\/api\/(posts|topics\/[^/]+\/posts|jobs|events|communities)$/.test(pathname) ||
      (pathname === '/api/search' && searchParams.get('type') === 'posts');
    if (method !== 'GET' || !isLong || searchParams.has('limit')) return send(input, init);
    searchParams.set('limit', String(limit));
    return send(input instanceof Request ? new Request(address, input) : address, init);
  };
}

const consoleErrors = new WeakMap<Page, string[]>();

async function openPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await prepare(page);
  return page;
}

async function prepare(page: Page): Promise<void> {
  recordErrors(page);
  await page.addInitScript(shortenLists, rows);
}

function recordErrors(page: Page): void {
  const errors: string[] = [];
  consoleErrors.set(page, errors);
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    // The browser logs every refusal. 401 identifies a visitor, 403 a refused reset, 429 a registration from a busy network.
    const expected = /status of (401|403|404|429)/.test(message.text());
    if (message.type() === 'error' && !expected) errors.push(message.text());
  });
}

async function load(page: Page, path: string, language: Language, variant: Variant): Promise<void> {
  await emulate(page, variant);
  // Of several scripts the last one decides.
  await page.addInitScript((chosen) => localStorage.setItem('i18nextLng', chosen), language);
  await page.goto(path);
}

/** Opens an address in a new page in one language. The page records its errors. */
export async function openInLanguage(
  context: BrowserContext,
  path: string,
  language: Language,
): Promise<Page> {
  const page = await openPage(context);
  await load(page, path, language, initial[language]);
  return page;
}

/**
 * Loads an address in each language and visits it, in one page: a document that follows another one of Portia costs half of one
 * in a new page.
 */
export async function inEachLanguage(
  context: BrowserContext,
  path: string | ((language: Language) => string),
  visit: (page: Page, language: Language) => Promise<void>,
): Promise<void> {
  const page = await openPage(context);
  for (const language of languages)
    await test.step(language, async () => {
      await load(page, typeof path === 'string' ? path : path(language), language, initial[language]);
      await visit(page, language);
    });
  await page.close();
}

/**
 * Loads an address in English and audits it; then chooses Filipino on the open screen, as a member does, and audits it again.
 * `shown` waits for the content, in either language.
 */
export async function auditAddress(
  page: Page,
  path: string,
  shown: (page: Page) => Promise<void>,
): Promise<void> {
  if (!consoleErrors.has(page)) await prepare(page);
  await load(page, path, 'en', audited.en[0]);
  await shown(page);
  await auditVariants(page, 'en');
  await chooseFilipino(page);
  await shown(page);
  await auditVariants(page, 'fil');
}

async function chooseFilipino(page: Page): Promise<void> {
  await page.getByRole('banner').getByRole('button', { name: 'Pumili ng wika: English' }).click();
  await page.getByRole('menuitemradio', { name: 'Filipino' }).click();
  await expect(page.getByRole('menu')).toHaveCount(0);
  // What is below the chosen item is not hovered.
  await page.mouse.move(0, 0);
}

/**
 * Expects the screen to be loaded, in its language, with a title. Expects its variants in this language to have no horizontal
 * overflow and no console errors, and to pass axe. Leaves the page in the variant in which it was opened.
 */
export async function auditScreen(page: Page, language: Language): Promise<void> {
  await auditVariants(page, language);
  await applyVariant(page, initial[language]);
}

async function auditVariants(page: Page, language: Language): Promise<void> {
  await expect(page.locator('html')).toHaveAttribute('lang', language);
  await expect(page).toHaveTitle(/Portia/);
  for (const variant of audited[language])
    await test.step(`${language} ${variant.theme} ${variant.width}`, async () => {
      await applyVariant(page, variant);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overflow, 'pixels beyond the right edge').toBeLessThanOrEqual(0);
      expect(await violations(page)).toEqual([]);
      expect(consoleErrors.get(page)).toEqual([]);
    });
}

let sourceOfAxe: Promise<string> | undefined;

/** The violations that axe finds in the document. No screen contains a frame. */
async function violations(page: Page): Promise<string[]> {
  // The half megabyte of axe is sent to a document once, not for every variant.
  if (!(await page.evaluate(() => 'axe' in window))) {
    sourceOfAxe ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    await page.evaluate(`${await sourceOfAxe}; undefined`);
  }
  return page.evaluate(async (optional) => {
    const { axe } = window as unknown as { axe: typeof Axe };
    const found = await axe.run({
      // Rules that passed are not described.
      resultTypes: ['violations'],
      rules: Object.fromEntries(optional.map((rule) => [rule, { enabled: true }])),
    });
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  }, optionalRules);
}

async function emulate(page: Page, { theme, width }: Variant): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await page.setViewportSize({ width, height });
}

async function applyVariant(page: Page, variant: Variant): Promise<void> {
  await emulate(page, variant);
  await expect(page.locator('html')).toHaveClass(
    variant.theme === 'dark' ? /(^| )dark( |$)/ : /^(?!.*\bdark\b)/,
  );
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
