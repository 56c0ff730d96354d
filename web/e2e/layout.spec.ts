// Sizes and positions from the specification that need real layout.
import { expect, type Locator, type Page } from '@playwright/test';
import { connect, createClassmates, type TestMember } from './classmates';
import { boxesOf, laidOut } from './geometry';
import { newMember } from './member';
import { test } from './test';

const box = async (page: Page, selector: string) => {
  const found = await page.locator(selector).first().boundingBox();
  if (!found) throw new Error(`${selector} is not laid out`);
  return found;
};

test('the header is 64 px high and stays at the top; the search box is 12rem wide', async ({
  page,
  context,
}) => {
  await newMember(context, 'Isabel Reyes');
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 600 });
    await page.goto('/');
    await expect(page.getByRole('button', { name: 'Start a post...' })).toBeVisible();
    expect((await box(page, 'header')).height).toBe(64);
    await page.mouse.move(width / 2, 300);
    await page.mouse.wheel(0, 400);
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(0);
    expect((await box(page, 'header')).y).toBe(0);
  }
  expect((await box(page, 'header input[type=search]')).width).toBe(12 * 16);
});

test('the current place is marked in gold', async ({ page }) => {
  await page.goto('/jobs');
  const link = page.getByRole('navigation', { name: 'Primary' }).getByRole('link', { name: 'Jobs' });
  // The header is drawn once more when the session is known.
  const colours = () =>
    link.evaluate((drawn) => {
      const sample = document.body.appendChild(document.createElement('i'));
      sample.style.backgroundColor = 'var(--gold)';
      return [getComputedStyle(drawn, '::after'), getComputedStyle(sample)].map(
        (look) => look.backgroundColor,
      );
    });
  await expect.poll(async () => new Set(await colours()).size).toBe(1);
  const [mark] = await colours();
  expect(mark).not.toBe('rgba(0, 0, 0, 0)');
});

test('home has three columns: the member, the posts, and people and events', async ({ page, context }) => {
  await newMember(context, 'Isabel Reyes');
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto('/');
  await laidOut(async () => {
    const [left, centre, right] = await boxesOf([
      page.getByRole('region', { name: 'Isabel Reyes' }),
      page.getByRole('button', { name: 'Start a post...' }),
      page.getByRole('region', { name: 'People you may know' }),
    ]);
    expect(left?.right).toBeLessThan(centre?.x ?? 0);
    expect(centre?.right).toBeLessThan(right?.x ?? 0);
  });
});

test('the conversations are on the left, the thread on the right', async ({ browser }) => {
  const [ana, ben] = (await createClassmates(browser, 'Ana', 'Ben')) as [TestMember, TestMember];
  await connect(ana, ben);
  const { page } = ana;
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto('/messages');
  const row = page.getByRole('tabpanel').getByRole('link', { name: ben.name });
  await row.click();
  const field = page.getByRole('textbox', { name: 'Message' });
  await expect(field).toBeVisible();
  await laidOut(async () => {
    const [list, thread] = await boxesOf([row, field]);
    expect(list?.right).toBeLessThan(thread?.x ?? 0);
  });
});

test('the comment box is at least 60 px high', async ({ page, context }) => {
  const { id } = await newMember(context, 'Isabel Reyes');
  const data = { userId: id, content: 'Draft three is done.' };
  const made = await context.request.post('/api/posts', { data });
  await page.goto(`/posts/${((await made.json()) as { id: string }).id}`);
  await page.getByRole('button', { name: 'Comment', exact: true }).click();
  const field = page.getByRole('textbox', { name: 'Comment' });
  await expect(field).toHaveCSS('min-height', '60px');
  expect((await field.boundingBox())?.height).toBeGreaterThanOrEqual(60);
});

/** A toast and its bounding box. */
async function showToast(page: Page) {
  await page.goto('/auth');
  await page.getByRole('tabpanel').getByRole('button', { name: 'Login' }).click();
  const shown = page.getByRole('listitem').filter({ hasText: 'Validation Error' });
  await expect(shown).toBeVisible();
  // Waits for the slide-in animation.
  await shown.evaluate((toast) => Promise.all(toast.getAnimations().map(({ finished }) => finished)));
  const place = await shown.boundingBox();
  if (!place) throw new Error('the toast is not laid out');
  return { shown, place };
}

test('toasts are at the top of a small screen and at the bottom right of a large screen', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 800 });
  const { place: above } = await showToast(page);
  expect(above.y).toBeLessThan(64);
  await page.setViewportSize({ width: 1280, height: 800 });
  const { place: below } = await showToast(page);
  expect(below.x).toBeGreaterThan(640);
  expect(below.x + below.width).toBeGreaterThan(1240);
  expect(below.y + below.height).toBeGreaterThan(760);
});

test('a swipe of 50 px to the right closes a toast', async ({ page }) => {
  const { shown, place } = await showToast(page);
  const [x, y] = [place.x + 40, place.y + place.height / 2];
  const swipe = async (by: number) => {
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + by / 2, y, { steps: 4 });
    await page.mouse.move(x + by, y, { steps: 4 });
    await page.mouse.up();
  };
  await swipe(40);
  await expect(shown).toBeVisible();
  await swipe(90);
  await expect(shown).toHaveCount(0);
});

test('photos are encoded as JPEG with a quality of 0.8, the small one with 0.5', async ({
  page,
  context,
}) => {
  const { id } = await newMember(context, 'Isabel Reyes');
  await page.goto(`/profile/${id}`);
  const picture = await page.evaluate(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 900, height: 600 });
    canvas.getContext('2d')?.fillRect(0, 0, 450, 600);
    const file = canvas.toDataURL('image/png').split(',')[1] ?? '';
    const write = HTMLCanvasElement.prototype.toDataURL;
    const asked: unknown[] = [];
    Object.assign(window, { asked });
    HTMLCanvasElement.prototype.toDataURL = function (type, quality) {
      asked.push([this.width, this.height, type, quality]);
      const written = write.call(this, type, quality);
      return this.width === 400 ? `${written.replace(/=+$/, '')}${'A'.repeat(500_000)}` : written;
    };
    return file;
  });
  await page.getByRole('button', { name: 'Edit Profile' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Profile' });
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: Buffer.from(picture, 'base64') });
  await expect(dialog.locator('img')).toHaveAttribute('src', /^data:image\/jpeg/);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
  expect(await page.evaluate(() => (window as unknown as { asked: unknown[] }).asked)).toEqual([
    [400, 267, 'image/jpeg', 0.8],
    [200, 200, 'image/jpeg', 0.5],
  ]);
});

test('a profile begins with its cover, and the picture overlaps its edge', async ({ page, context }) => {
  const { id } = await newMember(context, 'Isabel Reyes');
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`/profile/${id}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Isabel Reyes' })).toBeVisible();
  const cover = await box(page, 'main .brand-ornament');
  const picture = await box(page, 'main .ring-card');
  const name = await box(page, 'main h1');
  expect(cover.height).toBeGreaterThanOrEqual(128);
  expect(cover.width).toBeGreaterThan(600);
  expect(picture.y).toBeLessThan(cover.y + cover.height);
  expect(picture.y + picture.height).toBeGreaterThan(cover.y + cover.height);
  expect(name.y).toBeGreaterThan(cover.y + cover.height);
});

test('on a tablet the right column is directly under the left one, regardless of the length of the posts', async ({
  page,
  context,
}) => {
  const { id: userId } = await newMember(context, 'Isabel Reyes');
  for (let n = 0; n < 6; n += 1) {
    const data = { userId, content: `Note ${n}\n\n\n\n\n\n\n\nto self.` };
    expect((await context.request.post('/api/posts', { data })).status()).toBe(201);
  }
  await page.setViewportSize({ width: 768, height: 1024 });
  await page.goto('/');
  await expect(page.getByRole('article').nth(5)).toBeVisible();
  const regions = ['Your Legal Communities', 'People you may know'].map((name) =>
    page.getByRole('region', { name }),
  );
  await laidOut(async () => {
    const [communities, people] = await boxesOf(regions);
    const below = (people?.y ?? Number.NaN) - (communities?.bottom ?? 0);
    expect(below).toBeGreaterThan(0);
    expect(below).toBeLessThanOrEqual(24);
  });
});

test('long names and words break no screen, and text is drawn in its own direction', async ({ browser }) => {
  test.slow();
  const long = (start: string) => `${start}${'Wolfeschlegelsteinhausenbergerdorff'.repeat(3)}`.slice(0, 75);
  const [ana, ben] = (await createClassmates(browser, long('Ana'), 'Ben')) as [TestMember, TestMember];
  await connect(ana, ben);
  const data = { userId: ana.id, content: `שלום ${'w'.repeat(300)}` };
  const post = await ana.context.request.post('/api/posts', { data });
  expect(post.status()).toBe(201);
  const { id } = (await post.json()) as { id: string };
  const { page } = ben;
  const screens = [
    '/',
    `/posts/${id}`,
    `/profile/${ana.id}`,
    '/network?tab=connections',
    '/messages',
    `/search?q=${encodeURIComponent(ana.name)}`,
  ];
  for (const path of screens) {
    await page.goto(path);
    await expect(page.getByRole('main').getByText(ana.name.slice(0, 30)).first()).toBeVisible();
    for (const width of [360, 768, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await laidOut(async () => {
        const beyond = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        expect(beyond, `${path} at ${width} px`).toBeLessThanOrEqual(0);
      });
    }
  }
  await page.goto(`/posts/${id}`);
  await expect(page.getByText('שלום')).toHaveCSS('direction', 'rtl');
});

/** Where the visible headings, texts, links and controls of an element begin, by a name that no press changes. */
async function placesIn(element: Locator) {
  return element.evaluate((root) => {
    const known = window as unknown as { numbered?: Map<Element, number> };
    known.numbered ??= new Map();
    const { numbered } = known;
    const places: Record<string, number[]> = {};
    for (const one of root.querySelectorAll('h1, h2, h3, p, a, button, li, section, dt, dd, time')) {
      if (!one.checkVisibility({ visibilityProperty: true })) continue;
      if (!numbered.has(one)) numbered.set(one, numbered.size);
      const { x, y } = one.getBoundingClientRect();
      places[`${numbered.get(one)} ${one.tagName}`] = [x, y + window.scrollY].map(Math.round);
    }
    return places;
  });
}

test('attending and leaving an event moves nothing', async ({ browser }) => {
  const [ana, ben] = (await createClassmates(browser, 'Ana', 'Ben')) as [TestMember, TestMember];
  const day = 86_400_000;
  const made = await ana.context.request.post('/api/events', {
    data: {
      title: `Finals ${ana.name}`,
      startDate: new Date(Date.now() + day).toISOString(),
      endDate: new Date(Date.now() + day + 3_600_000).toISOString(),
      timeZone: 'Asia/Manila',
    },
  });
  expect(made.status()).toBe(201);
  const { id } = (await made.json()) as { id: string };
  const { page } = ben;
  for (const path of ['/events', `/events/${id}`])
    for (const width of [360, 1280])
      await test.step(`${path} at ${width} px`, async () => {
        await page.setViewportSize({ width, height: 800 });
        await page.goto(path);
        const main = page.getByRole('main');
        const attend = main.getByRole('button', { name: `Attend Finals ${ana.name}` });
        await expect(attend).toBeVisible();
        await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0);
        await page.evaluate(() => document.fonts.ready);
        const before = await placesIn(main);
        expect(Object.keys(before).length).toBeGreaterThan(5);
        await attend.click();
        const leave = main.getByRole('button', { name: `Leave Finals ${ana.name}` });
        await expect(leave).toBeVisible();
        await expect(page.getByText('You are attending').first()).toBeVisible();
        expect(await placesIn(main)).toMatchObject(before);
        const left = page.waitForResponse(
          (answer) => answer.request().method() === 'DELETE' && answer.url().endsWith('/attendance'),
        );
        await leave.click();
        await expect(attend).toBeVisible();
        expect(await placesIn(main)).toMatchObject(before);
        // The next screen would abort it.
        expect((await left).ok()).toBe(true);
      });
});
