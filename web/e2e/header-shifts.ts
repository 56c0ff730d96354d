// Layout shifts whose source is in the header.
import type { BrowserContext, Page } from '@playwright/test';

/** Records them from the first frame of every document. */
export const recordHeaderShifts = (on: Page | BrowserContext) =>
  on.addInitScript(() => {
    const shifts: string[] = [];
    Object.assign(window, { headerShifts: shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as unknown as { sources: { node: Node | null }[] }[])
        for (const { node } of entry.sources)
          if (node?.parentElement?.closest('header')) shifts.push(node.parentElement.outerHTML);
    }).observe({ type: 'layout-shift', buffered: true });
  });

/** The elements that moved in the document so far. */
export const headerShifts = (page: Page) =>
  page.evaluate(() => (window as unknown as { headerShifts: string[] }).headerShifts);
