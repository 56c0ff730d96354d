// From a press to the next frame (INP) on a phone, with the processor slowed down four times.
import { expect, type Locator, type Page } from '@playwright/test';
import { newMember } from '../e2e/member';
import { test } from '../e2e/test';
import { settle } from './screens';
import { percentile, printTable } from './table';

const slowdown = 4;
const repetitions = 7;

declare global {
  interface Window {
    durations: Map<number, number>;
  }
}

/** Records the duration of every interaction: that of its slowest event. */
function recordInteractions(): void {
  window.durations = new Map();
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { interactionId = 0, duration } = entry as PerformanceEventTiming;
      if (interactionId > 0)
        window.durations.set(interactionId, Math.max(duration, window.durations.get(interactionId) ?? 0));
    }
  }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit);
}

/** The slowest interaction since the last call. An event below 16 ms has no entry. */
async function slowest(page: Page): Promise<number> {
  return page.evaluate(async () => {
    // Entries follow the frame that the interaction waited for.
    for (let frames = 0; frames < 20 && (frames < 5 || window.durations.size === 0); frames += 1)
      await new Promise((resolve) => requestAnimationFrame(resolve));
    const longest = Math.max(16, ...window.durations.values());
    window.durations.clear();
    return longest;
  });
}

interface Action {
  press: (page: Page) => Promise<void>;
  /** What the action shows or hides. */
  done: (page: Page) => Promise<void>;
}

const shown = (locator: (page: Page) => Locator) => (page: Page) => expect(locator(page)).toBeVisible();
const gone = (locator: (page: Page) => Locator) => (page: Page) => expect(locator(page)).toHaveCount(0);
const dialog = (page: Page) => page.getByRole('dialog');
const menu = (page: Page) => page.getByRole('menu');
const place = (name: string) => (page: Page) =>
  page.getByRole('navigation').getByRole('link', { name, exact: true }).filter({ visible: true }).click();
const pressEscape = (page: Page) => page.keyboard.press('Escape');

/** In this order: each one starts where the one before ended. */
const actions: Record<string, Action> = {
  like: {
    press: (page) => page.locator('[data-shortcut=like]').first().click(),
    done: async (page) => {
      await settle(page);
    },
  },
  'open the composer': {
    press: (page) => page.getByRole('button', { name: 'Start a post' }).click(),
    done: shown((page) => dialog(page).getByRole('textbox', { name: 'Post' })),
  },
  'type in the composer': {
    press: (page) => page.keyboard.type('Moot', { delay: 50 }),
    done: (page) => expect(dialog(page).getByRole('textbox', { name: 'Post' })).toHaveValue('Moot'),
  },
  'empty the composer': {
    press: async (page) => {
      await page.keyboard.press('Control+a');
      await page.keyboard.press('Delete');
    },
    done: (page) => expect(dialog(page).getByRole('textbox', { name: 'Post' })).toHaveValue(''),
  },
  'close the composer': { press: pressEscape, done: gone(dialog) },
  'open the menu of a post': {
    press: (page) =>
      page
        .getByRole('article')
        .first()
        .getByRole('button', { name: /^Options/ })
        .first()
        .click(),
    done: shown(menu),
  },
  'close the menu': { press: pressEscape, done: gone(menu) },
  'open the palette': { press: (page) => page.keyboard.press('Control+k'), done: shown(dialog) },
  'close the palette': { press: pressEscape, done: gone(dialog) },
  'home to jobs': {
    press: place('Jobs'),
    done: (page) => expect(page).toHaveURL(/\/jobs$/),
  },
  'jobs to home': {
    press: place('Home'),
    done: shown((page) => page.getByRole('article').first()),
  },
};

test('interactions', async ({ context }) => {
  await newMember(context, 'Isabel Reyes');
  const page = await context.newPage();
  await page.setViewportSize({ width: 412, height: 823 });
  await page.addInitScript(recordInteractions);
  await page.goto('/');
  await expect(page.locator('html')).toHaveAttribute('data-shortcuts');
  await settle(page);
  const browser = await context.newCDPSession(page);
  await browser.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  const times = new Map<string, number[]>(Object.keys(actions).map((name) => [name, []]));
  // The first round loads code, and is measured as the others.
  for (let round = 0; round < repetitions; round += 1)
    for (const [name, { press, done }] of Object.entries(actions)) {
      await slowest(page);
      await press(page);
      await done(page);
      times.get(name)?.push(await slowest(page));
      await settle(page);
    }
  printTable(
    `Interaction to next paint at ${slowdown} x CPU, milliseconds`,
    ['interaction', 'samples', 'first', 'p75', 'max'],
    [...times].map(([name, all]) => [
      name,
      all.length,
      all[0] ?? Number.NaN,
      percentile(all, 0.75),
      percentile(all, 1),
    ]),
  );
});
