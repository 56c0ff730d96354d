// What loading a screen costs: its JavaScript, and how far it moves (CLS) on a phone and a desktop.
import { newMember } from '../e2e/member';
import { test } from '../e2e/test';
import { screens, settle } from './screens';
import { printTable } from './table';

declare global {
  interface Window {
    shift: number;
    shifted: string[];
  }
}

/** The largest session window of layout shifts without input, as in web-vitals. */
function recordShifts(): void {
  window.shift = 0;
  window.shifted = [];
  let [sum, first, last] = [0, 0, 0];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & {
      value: number;
      hadRecentInput: boolean;
      sources: { node: Element | null }[];
    })[]) {
      if (entry.hadRecentInput) continue;
      if (entry.startTime - last > 1_000 || entry.startTime - first > 5_000)
        [sum, first] = [0, entry.startTime];
      last = entry.startTime;
      sum += entry.value;
      window.shift = Math.max(window.shift, sum);
      window.shifted.push(...entry.sources.map(({ node }) => `${node?.nodeName} ${node?.className ?? ''}`));
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

test('layout shifts and JavaScript', async ({ browser }) => {
  const shifts: (string | number)[][] = [];
  const scripts: (string | number)[][] = [];
  let shell = new Map<string, number>();
  for (const path of screens) {
    const row: (string | number)[] = [path];
    for (const width of [360, 1280]) {
      // A new browser: nothing is in its cache.
      const context = await browser.newContext({ viewport: { width, height: 800 } });
      await newMember(context, 'Isabel Reyes');
      const page = await context.newPage();
      await page.addInitScript(recordShifts);
      await page.goto(path);
      await settle(page);
      const { shift, shifted } = await page.evaluate(() => ({
        shift: window.shift,
        shifted: window.shifted,
      }));
      row.push(shift);
      if (shift > 0.01) process.stdout.write(`${path} at ${width}: ${[...new Set(shifted)].join(' | ')}\n`);
      if (width === 360) {
        const loaded = new Map(
          await page.evaluate(() =>
            (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
              .filter(({ name }) => /\.js$/.test(name))
              .map(({ name, encodedBodySize }): [string, number] => [name, encodedBodySize]),
          ),
        );
        const index = [...loaded].filter(([name]) =>
          /\/(index|rolldown-runtime|preload)-|theme\.js/.test(name),
        );
        shell = new Map(index);
        const own = [...loaded].filter(([name]) => !shell.has(name));
        const sum = (files: [string, number][]) => files.reduce((total, [, size]) => total + size, 0) / 1_000;
        scripts.push([path, sum(own), sum([...loaded]), loaded.size]);
      }
      await context.close();
    }
    shifts.push(row);
  }
  printTable(
    'JavaScript of each screen of a member until it has settled, kB',
    ['screen', 'beside the shell', 'all', 'files'],
    scripts,
  );
  printTable('Cumulative layout shift', ['screen', '360 px', '1280 px'], shifts);
});
