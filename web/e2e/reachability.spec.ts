// Reachability of every screen: keyboard only, narrowest phone, 200 % zoom, reduced motion.
import { type BrowserContext, expect, type Page } from '@playwright/test';
import { connect, createClassmates, type TestMember } from './classmates';
import { laidOut } from './geometry';
import { newMember } from './member';
import { test } from './test';

const visitorPaths = [
  '/',
  '/auth',
  '/auth?register=true',
  '/forgot-password',
  '/jobs',
  '/legal-news',
  '/resources',
  '/communities',
  '/events',
  '/search?q=law',
  '/status',
  '/about',
  '/privacy',
  '/terms',
  '/cookies',
  '/copyright',
  '/brand',
];
const memberPaths = [
  '/',
  '/network',
  '/network?tab=requests',
  '/messages',
  '/notifications',
  '/jobs',
  '/jobs?tab=applications',
  '/legal-news',
  '/resources',
  '/communities',
  '/events',
  '/search?q=law&type=posts',
  '/saved-items',
  '/profile/:me',
  '/settings',
];

async function loaded(page: Page, path: string) {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeAttached();
  await expect(page.getByRole('status', { name: /^(Loading|Naglo-load)$/ })).toHaveCount(0);
}

/** Visible elements that can be pressed, selected or filled, except items of groups with arrow-key navigation. */
const reachable =
  'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, [tabindex="0"]:not([role=tablist])';

/** The elements that were never focused, the elements that had no visible focus, and the words of the first one. */
interface Walk {
  missed: string[];
  unseen: string[];
  first: string;
}

/** Walks through the page with Tab until it returns to the top. */
async function tabThrough(page: Page): Promise<Walk> {
  await page.evaluate((selector) => {
    const name = (element: Element) => element.outerHTML.slice(0, 120);
    const shown = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true }) &&
      element.getAttribute('tabindex') !== '-1' &&
      !element.closest('[inert], [aria-hidden=true]');
    const wanted = new Set([...document.querySelectorAll(selector)].filter(shown));
    const seen = new Set<Element>();
    const unseen: string[] = [];
    let first = '';
    let isDone = false;
    // The release of Tab arrives where the focus is: a list of tabs has given it to one of them.
    document.addEventListener(
      'keyup',
      () => {
        const at = document.activeElement;
        isDone ||= !at || at === document.body || seen.has(at);
        if (isDone || !at) return;
        if (seen.size === 0) first = at.textContent ?? '';
        seen.add(at);
        // Radio buttons with one name are one tab stop.
        const others =
          at instanceof HTMLInputElement && at.type === 'radio' ? document.getElementsByName(at.name) : [];
        for (const other of others) seen.add(other);
        // The label of a radio button may show the focus ring.
        const marked = [at, at.closest('label')].some((one) => {
          const { outlineStyle, boxShadow } = one
            ? getComputedStyle(one)
            : { outlineStyle: 'none', boxShadow: 'none' };
          return outlineStyle !== 'none' || boxShadow !== 'none';
        });
        if (!marked || at.getBoundingClientRect().width === 0) unseen.push(name(at));
      },
      { capture: true },
    );
    Object.assign(window, {
      walked: () =>
        isDone && {
          missed: [...wanted].filter((one) => !seen.has(one) && one.isConnected && shown(one)).map(name),
          unseen,
          first,
        },
    });
  }, reachable);
  // The page notes each stop. Most of the time of a walk was the question after each key where the focus is.
  for (let n = 0; n < 600; n += 20) {
    const keys = Array.from({ length: 20 }, () => [page.keyboard.down('Tab'), page.keyboard.up('Tab')]);
    await Promise.all(keys.flat());
    const walk = await page.evaluate(() => (window as unknown as { walked: () => false | Walk }).walked());
    if (walk) return walk;
  }
  throw new Error('Tab does not return to the top');
}

async function expectAllReachable(context: BrowserContext, paths: string[]) {
  const page = await context.newPage();
  await page.setViewportSize({ width: 1280, height: 800 });
  for (const path of paths)
    await test.step(path, async () => {
      await loaded(page, path);
      const { missed, unseen, first } = await tabThrough(page);
      expect(first, 'the first stop').toBe('Skip to content');
      expect({ missed, unseen }).toEqual({ missed: [], unseen: [] });
    });
}

test('a visitor reaches everything by Tab with a visible focus', async ({ context }) => {
  test.slow();
  await expectAllReachable(context, visitorPaths);
});

test('on a phone the bars do not cover the focused element', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  for (const path of ['/jobs', '/resources', '/brand'])
    await test.step(path, async () => {
      await loaded(page, path);
      const hidden: string[] = [];
      for (let n = 0; n < 40; n += 1) {
        await page.keyboard.press('Tab');
        const name = await page.evaluate(() => {
          const at = document.activeElement;
          const bars = [document.querySelector('header'), document.querySelector('nav.fixed')];
          // The skip link overlays the header.
          if (!at || at === document.body || at.matches('[href="#main"]')) return null;
          if (bars.some((bar) => bar?.contains(at))) return null;
          const { top, bottom } = at.getBoundingClientRect();
          const [above, below] = bars.map((bar) => bar?.getBoundingClientRect());
          const seen = top < (below?.top ?? 0) && bottom > (above?.bottom ?? 0);
          return seen ? null : at.outerHTML.slice(0, 120);
        });
        if (name) hidden.push(name);
      }
      expect(hidden).toEqual([]);
    });
});

test('a member reaches everything by Tab with a visible focus', async ({ context }) => {
  test.slow();
  const { id } = await newMember(context, 'Isabel Reyes');
  await expectAllReachable(
    context,
    memberPaths.map((path) => path.replace(':me', id)),
  );
});

test('the main tasks work without a mouse', async ({ browser }) => {
  const [ana, ben] = (await createClassmates(browser, 'Ana', 'Ben')) as [TestMember, TestMember];
  await connect(ana, ben);
  const { page } = ana;
  const { keyboard } = page;
  const words = `Without a mouse, ${Date.now().toString(36)}`;
  await page.setViewportSize({ width: 1280, height: 800 });
  const to = async (name: string | RegExp, role: 'button' | 'link' | 'textbox' | 'menuitem' = 'button') => {
    const target = page.getByRole(role, { name }).first();
    await expect(target).toBeVisible();
    for (let n = 0; n < 200; n += 1) {
      if (await target.evaluate((element) => element === document.activeElement)) return;
      await keyboard.press('Tab');
    }
    throw new Error(`${name} is not reached`);
  };
  await loaded(page, '/');
  // Skips the header.
  await keyboard.press('Tab');
  await keyboard.press('Enter');
  await to('Start a post...');
  await keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Create a post' }).getByRole('textbox')).toBeFocused();
  await keyboard.type(words);
  await keyboard.press('Control+Enter');
  const post = page.getByRole('article').filter({ hasText: words });
  await expect(post).toBeVisible();
  // The dialog returns the focus to the button that opened it.
  await expect(page.getByRole('button', { name: 'Start a post...' })).toBeFocused();

  await to('Like');
  await keyboard.press('Space');
  await expect(post.getByText('1 like')).toBeVisible();
  await to('Share');
  await keyboard.press('Enter');
  await expect(page.getByRole('menuitem').first()).toBeFocused();
  await keyboard.press('Escape');
  await expect(post.getByRole('button', { name: 'Share' })).toBeFocused();

  await loaded(page, `/profile/${ben.id}`);
  await to('Message');
  await keyboard.press('Enter');
  await to('Message', 'textbox');
  await keyboard.type('Hello from the keyboard.');
  await keyboard.press('Enter');
  await expect(page.getByText('Hello from the keyboard.').last()).toBeVisible();
});

// Zooming to 200 % in a 1280 x 800 window halves the pixels in both directions.
const phone = { width: 320, height: 640 };
const zoomed = { width: 640, height: 400 };

/** Opens each screen in a small window, in the other one per language, and then gives it the size of the other one. */
async function expectNoOverflow(context: BrowserContext, paths: string[]) {
  const page = await context.newPage();
  for (const [language, sizes] of [
    ['en', [phone, zoomed]],
    ['fil', [zoomed, phone]],
  ] as const) {
    await page.addInitScript((chosen) => localStorage.setItem('i18nextLng', chosen), language);
    for (const path of paths)
      await test.step(`${language} ${path}`, async () => {
        for (const [at, size] of sizes.entries()) {
          await page.setViewportSize(size);
          if (at === 0) await loaded(page, path);
          const beyond = await page.evaluate(async () => {
            // Listeners of the size run before the first of the frames, and the second shows what they changed.
            for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
            return document.documentElement.scrollWidth - window.innerWidth;
          });
          expect(beyond, `pixels beyond the right edge of ${size.width}`).toBeLessThanOrEqual(0);
        }
      });
  }
}

test('320 pixels wide and at 200 % a visitor has no horizontal overflow', async ({ context }) => {
  test.slow();
  await expectNoOverflow(context, visitorPaths);
});

test('320 pixels wide and at 200 % a member has no horizontal overflow', async ({ context }) => {
  test.slow();
  const { id } = await newMember(context, 'Lucía Fernández-Villanueva de la Cruz');
  await expectNoOverflow(
    context,
    memberPaths.map((path) => path.replace(':me', id)),
  );
});

test('nothing moves with reduced motion', async ({ context }) => {
  await newMember(context, 'Isabel Reyes');
  const page = await context.newPage();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const moving = () =>
    page.evaluate(() =>
      document
        .getAnimations()
        .filter(({ effect }) => Number(effect?.getComputedTiming().activeDuration ?? 0) > 20)
        .map((one) => (one as CSSAnimation).animationName ?? 'transition')
        // The progress spinner keeps turning, slowly: a spinner at rest looks broken.
        .filter((name) => name !== 'spin'),
    );
  for (const path of ['/', '/network', '/jobs', '/messages', '/settings']) {
    await page.goto(path);
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
    // Also while the page loads.
    expect(await moving(), path).toEqual([]);
    await expect(page.getByRole('heading', { level: 1 })).toBeAttached();
    expect(await moving(), path).toEqual([]);
  }
  await page.goto('/');
  await page.getByRole('button', { name: 'Start a post...' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(await moving()).toEqual([]);
  await page.keyboard.press('Escape');
  expect(await moving()).toEqual([]);
});

/** The sides at which the focus ring of the focused element is cut off by an ancestor or fades out. */
async function clippedSides(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const focused = document.activeElement;
    if (!focused) return ['nothing is focused'];
    const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(focused);
    if (outlineStyle === 'none' || Number.parseFloat(outlineWidth) < 2) return ['there is no ring'];
    const beyond = Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset);
    const box = focused.getBoundingClientRect();
    const ring = {
      left: box.left - beyond,
      top: box.top - beyond,
      right: box.right + beyond,
      bottom: box.bottom + beyond,
    };
    const clipped: string[] = [];
    for (let one = focused.parentElement; one; one = one.parentElement) {
      const { overflowX, overflowY, maskImage } = getComputedStyle(one);
      if (overflowX === 'visible' && overflowY === 'visible' && maskImage === 'none') continue;
      // The page itself scrolls.
      if (one === document.body || one === document.documentElement) continue;
      const outer = one.getBoundingClientRect();
      const left = outer.left + one.clientLeft;
      const top = outer.top + one.clientTop;
      // A mask fades in over its first length and out over its last one.
      const [start = 0, end = 0] =
        maskImage === 'none' ? [] : (maskImage.match(/[\d.]+(?=px)/g) ?? []).map(Number);
      const name = one.getAttribute('role') ?? one.tagName;
      const half = 0.5;
      if (ring.left < left + start - half) clipped.push(`left of ${name}`);
      if (ring.right > left + one.clientWidth - end + half) clipped.push(`right of ${name}`);
      if (ring.top < top - half) clipped.push(`top of ${name}`);
      if (ring.bottom > top + one.clientHeight + half) clipped.push(`bottom of ${name}`);
    }
    return clipped;
  });
}

test('the focus ring of each tab is whole, also in a scrolled row', async ({ context }) => {
  const { id } = await newMember(context, 'Isabel Reyes');
  const page = await context.newPage();
  let scrolled = 0;
  for (const [language, widths] of [
    ['en', [320, 1280]],
    ['fil', [320]],
  ] as const) {
    await page.addInitScript((chosen) => localStorage.setItem('i18nextLng', chosen), language);
    for (const path of [
      '/search?q=law',
      '/network',
      '/jobs',
      '/resources',
      '/saved-items',
      '/messages',
      `/profile/${id}`,
    ])
      for (const [nr, width] of widths.entries())
        await test.step(`${language} ${path} at ${width} px`, async () => {
          await page.setViewportSize({ width, height: 740 });
          if (nr === 0) await loaded(page, path);
          const row = page.getByRole('tablist').first();
          const tabs = row.getByRole('tab', { disabled: false });
          // As with Tab: the keyboard shows the ring.
          await page.keyboard.press('Tab');
          await row.getByRole('tab', { selected: true }).focus();
          const count = await tabs.count();
          expect(count).toBeGreaterThan(1);
          const keys = [
            'Home',
            ...Array(count - 1).fill('ArrowRight'),
            ...Array(count - 1).fill('ArrowLeft'),
          ];
          let at = 0;
          for (const key of keys as string[]) {
            await page.keyboard.press(key);
            at = key === 'Home' ? 0 : key === 'ArrowRight' ? at + 1 : at - 1;
            await expect(tabs.nth(at)).toBeFocused();
            await laidOut(async () =>
              expect(await clippedSides(page), `tab ${at + 1} after ${key}`).toEqual([]),
            );
            if ((await row.evaluate(({ scrollLeft }) => scrollLeft)) > 0) scrolled += 1;
          }
        });
  }
  expect(scrolled, 'tabs in a scrolled row').toBeGreaterThan(4);
});
