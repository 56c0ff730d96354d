// The screens that are measured, and when one of them has settled.
import type { Page } from '@playwright/test';

export const screens = [
  '/',
  '/jobs',
  '/legal-news',
  '/resources',
  '/network',
  '/communities',
  '/events',
  '/topics',
  '/messages',
  '/notifications',
  '/saved-items',
  '/search?q=law',
  '/settings',
] as const;

/** Milliseconds without a change after which a screen has settled. */
const quiet = 700;

/** Waits until the screen has a heading and nothing in it has changed for a while: lists, pictures and late columns are there. */
export async function settle(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor({ state: 'attached' });
  await page.evaluate(
    (pause) =>
      new Promise<void>((resolve) => {
        const done = () => {
          observer.disconnect();
          resolve();
        };
        let timer = setTimeout(done, pause);
        const observer = new MutationObserver(() => {
          clearTimeout(timer);
          timer = setTimeout(done, pause);
        });
        observer.observe(document.body, {
          subtree: true,
          childList: true,
          attributes: true,
          characterData: true,
        });
      }),
    quiet,
  );
}
