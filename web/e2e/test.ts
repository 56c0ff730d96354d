// The test function of every spec. It closes what a test opened: pages left open keep their live streams and timers, and
// slow down all later tests of the worker.
import { type BrowserContext, test as base, type TestInfo } from '@playwright/test';

/** Attaches a screenshot of each open page if the test failed. Playwright's own would take one of every page that is closed. */
async function attachScreens(contexts: readonly BrowserContext[], info: TestInfo): Promise<void> {
  if (info.status === info.expectedStatus) return;
  const pages = contexts.flatMap((context) => context.pages());
  for (const [at, page] of pages.entries()) {
    const path = info.outputPath(`page-${at + 1}.png`);
    const taken = await page.screenshot({ path, timeout: 5_000 }).catch(() => undefined);
    if (taken) await info.attach(`page ${at + 1}`, { path, contentType: 'image/png' });
  }
}

export const test = base.extend<{ closeContexts: undefined }>({
  context: async ({ context, browser }, use, info) => {
    await use(context);
    await attachScreens(browser.contexts(), info);
  },
  closeContexts: [
    async ({ browser }, use, info) => {
      // The contexts of `beforeAll` belong to several tests.
      const shared = new Set(browser.contexts());
      await use(undefined);
      const opened = browser.contexts().filter((context) => !shared.has(context));
      await attachScreens(opened, info);
      await Promise.all(opened.map((context) => context.close()));
    },
    { auto: true },
  ],
});
