// Rows of controls on a phone, also in Filipino, which has the longer words.
import { expect, type Locator } from '@playwright/test';
import { inEachLanguage } from './audit';
import { connect, createClassmates, type TestMember } from './classmates';
import { boxesOf, laidOut } from './geometry';
import { newMember } from './member';
import { test } from './test';

const widths = [360, 390, 412, 460];
const height = 780;

const kinds = {
  en: ['Photo', 'Video', 'Event', 'Article'],
  fil: ['Larawan', 'Video', 'Kaganapan', 'Artikulo'],
};

test('the kinds of a post are on one line inside the card of the composer', async ({ context }) => {
  await newMember(context, 'Isabel Reyes');
  await inEachLanguage(context, '/', async (page, language) => {
    const card = page.getByRole('region', { name: { en: 'Create a post', fil: 'Gumawa ng post' }[language] });
    for (const width of widths) {
      await page.setViewportSize({ width, height });
      const buttons = kinds[language].map((name) => card.getByRole('button', { name, exact: true }));
      await laidOut(async () => {
        const [frame, ...row] = await boxesOf([card, ...buttons]);
        expect(new Set(row.map(({ y }) => y)).size, `lines in ${language} at ${width}`).toBe(1);
        expect(row.at(-1)?.right).toBeLessThanOrEqual(frame?.right ?? Number.NaN);
      });
    }
  });
});

test('the buttons of a profile with a request are inside its card and as wide as their words', async ({
  browser,
}) => {
  const [ana, ben] = (await createClassmates(browser, 'Ana', 'Ben')) as [TestMember, TestMember];
  await ben.context.request.post('/api/connections', {
    data: { requesterId: ben.id, recipientId: ana.id, status: 'pending' },
  });
  await inEachLanguage(ana.context, `/profile/${ben.id}`, async (page, language) => {
    await page.setViewportSize({ width: 360, height });
    const card = page.getByRole('region', { name: ben.name });
    const accept = { en: 'Accept Connection', fil: 'Tanggapin ang Koneksyon' }[language];
    await expect(card.getByRole('button', { name: accept })).toBeVisible();
    const buttons = await card.getByRole('button').all();
    expect(buttons.length).toBeGreaterThanOrEqual(4);
    await laidOut(async () => {
      const [frame, ...row] = await boxesOf([card, ...buttons]);
      for (const { right } of row) expect(right).toBeLessThan(frame?.right ?? Number.NaN);
      for (const button of buttons)
        expect(await button.evaluate((drawn) => drawn.scrollWidth - drawn.clientWidth)).toBeLessThanOrEqual(
          0,
        );
    });
  });
});

test('the cell of the current screen in the bottom bar has the colour of the text', async ({ page }) => {
  await page.setViewportSize({ width: 360, height });
  await page.goto('/jobs');
  const bar = page.getByRole('navigation', { name: 'Primary' }).filter({ visible: true });
  const colourOf = (element: Locator) => element.evaluate((drawn) => getComputedStyle(drawn).color);
  const text = await colourOf(page.locator('body'));
  await expect.poll(() => colourOf(bar.getByRole('link', { name: 'Jobs' }))).toBe(text);
  expect(await colourOf(bar.getByRole('link', { name: 'Home' }))).not.toBe(text);
});

test('the button of the composer is inside its dialog at 320 px', async ({ context }) => {
  await newMember(context, 'Isabel Reyes');
  await inEachLanguage(context, '/', async (page, language) => {
    await page.setViewportSize({ width: 320, height });
    await page
      .getByRole('button', { name: { en: 'Start a post', fil: 'Magsimula ng post' }[language] })
      .click();
    const dialog = page.getByRole('dialog');
    const post = dialog.getByRole('button', { name: { en: 'Post', fil: 'I-post' }[language], exact: true });
    await laidOut(async () => {
      const [frame, button] = await boxesOf([dialog, post]);
      expect(button?.right).toBeLessThan(frame?.right ?? Number.NaN);
    });
  });
});

test('the header of a visitor keeps its margin at 320 px, also in a font of the system', async ({
  context,
}) => {
  await context.route('**/*.woff2', (route) => route.abort());
  await inEachLanguage(context, '/jobs', async (page, language) => {
    await page.setViewportSize({ width: 320, height });
    const register = page
      .getByRole('banner')
      .getByRole('link', { name: { en: 'Register', fil: 'Sumali' }[language] });
    await laidOut(async () => {
      const [box] = await boxesOf([register]);
      expect(box?.right).toBeLessThanOrEqual(320 - 16);
    });
  });
});

test('offline, the notice covers neither the newest message nor the composer', async ({ browser }) => {
  const [ana, ben] = (await createClassmates(browser, 'Ana', 'Ben')) as [TestMember, TestMember];
  await connect(ana, ben);
  const { page, context } = ana;
  await page.goto('/messages');
  await page.getByRole('tabpanel').getByRole('link', { name: ben.name }).click();
  const field = page.getByRole('textbox', { name: 'Message' });
  await field.fill('Sent on the train');
  await context.setOffline(true);
  await field.press('Enter');
  const notice = page.getByText('You are offline.');
  const message = page.locator('[data-thread]').getByText('Sent on the train');
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height });
    await laidOut(async () => {
      const [over, newest, composer] = await boxesOf([notice, message, field]);
      expect(over?.bottom, `bottom of the notice at ${width}`).toBeLessThan(newest?.y ?? 0);
      expect(over?.bottom).toBeLessThan(composer?.y ?? 0);
    });
  }
});

test('tabs begin where the title begins, and counts that come late leave the active one in view', async ({
  context,
}) => {
  await newMember(context, 'Isabel Reyes');
  const page = await context.newPage();
  await page.setViewportSize({ width: 360, height });
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(/\/api\/(users\/[^/]+\/connections|connections\?)/, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/network?tab=suggestions');
  const active = page.getByRole('tab', { name: 'Suggested Connections' });
  const isInView = async () => {
    const [box] = await boxesOf([active]);
    return box !== undefined && box.x >= 0 && box.x + box.width <= 360;
  };
  await expect.poll(isInView).toBe(true);
  answer();
  await expect(page.getByRole('tab', { name: 'Connection Requests 0' })).toBeAttached();
  await expect.poll(isInView).toBe(true);
  await page.getByRole('tab', { name: /^My Connections/ }).click();
  const title = page.getByRole('heading', { level: 1 });
  const text = page.getByRole('tab', { name: /^My Connections/ });
  await expect
    .poll(async () => {
      const start = await text.evaluate((tab) => {
        const range = document.createRange();
        range.selectNodeContents(tab);
        return range.getBoundingClientRect().x;
      });
      return Math.round(start - ((await title.boundingBox())?.x ?? Number.NaN));
    })
    .toBe(0);
});

test('the suggestions of a field at the lower edge are above the bottom bar, with the field', async ({
  context,
}) => {
  await newMember(context, 'Isabel Reyes');
  const page = await context.newPage();
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/welcome?step=school');
  const field = page.getByRole('combobox', { name: 'School' });
  await field.fill('ateneo');
  const list = page.getByRole('listbox', { name: 'School' });
  const bar = page.getByRole('navigation').filter({ has: page.getByRole('button', { name: 'More' }) });
  await laidOut(async () => {
    const [input, options, bottom] = await boxesOf([field, list, bar]);
    expect(options?.bottom).toBeLessThanOrEqual(bottom?.y ?? 0);
    expect(input?.y).toBeGreaterThan(64);
  });
});
