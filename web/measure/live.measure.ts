// From a press on the screen of one member to the frame that shows the change on the screen of another.
import { type Browser, expect, type Page } from '@playwright/test';
import { connect, createClassmates, type TestMember } from '../e2e/classmates';
import { newMember } from '../e2e/member';
import { test } from '../e2e/test';
import { percentile, printTable } from './table';

const samples = 40;

declare global {
  interface Window {
    /** The time of the last press or key, in milliseconds since 1970. */
    pressedAt: number;
    shownAt: Promise<number>;
  }
}

/** Both pages use the clock of this machine: the time of the event, not that of Playwright's command. */
function recordPresses(): void {
  for (const type of ['click', 'keydown'] as const)
    window.addEventListener(
      type,
      ({ timeStamp }) => {
        window.pressedAt = performance.timeOrigin + timeStamp;
      },
      true,
    );
}

/** Watches for a text inside an element; the time is that after the frame which draws it. */
function watch({ inside, words }: { inside: string; words: string }): void {
  window.shownAt = new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error(`"${words}" does not appear in ${inside}`)), 30_000);
    const isShown = () =>
      [...document.querySelectorAll(inside)].some(({ textContent }) => textContent?.includes(words));
    const observer = new MutationObserver(() => {
      if (!isShown()) return;
      observer.disconnect();
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve(performance.timeOrigin + performance.now());
        port2.postMessage(null);
      });
    });
    observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  });
}

interface Change {
  words: string;
  press: () => Promise<unknown>;
  /** Prepares the screens for the next sample. */
  restore?: () => Promise<void>;
}

async function measure(
  from: Page,
  to: Page,
  inside: string,
  change: (nr: number) => Change,
): Promise<number[]> {
  const times: number[] = [];
  // The first ones load code on both screens.
  for (let nr = -2; nr < samples; nr += 1) {
    const { words, press, restore } = change(nr + 2);
    await to.evaluate(watch, { inside, words });
    await press();
    const shown = await to.evaluate(() => window.shownAt);
    const pressed = await from.evaluate(() => window.pressedAt);
    if (nr >= 0) times.push(shown - pressed);
    await restore?.();
  }
  return times;
}

const rows: (string | number)[][] = [];
function add(name: string, times: number[]): void {
  rows.push([name, times.length, percentile(times, 0.5), percentile(times, 0.99)]);
}
test.afterAll(() =>
  printTable('Change to another screen, milliseconds', ['change', 'samples', 'p50', 'p99'], rows),
);

async function pair(browser: Browser): Promise<[TestMember, TestMember]> {
  const [ana, ben] = (await createClassmates(browser, 'Ana', 'Ben')) as [TestMember, TestMember];
  await ana.page.addInitScript(recordPresses);
  return [ana, ben];
}

/** Opens a screen and waits until the gateway sends its events. */
async function openLive(page: Page, path: string): Promise<void> {
  const stream = page.waitForResponse((answer) => answer.url().endsWith('/api/live'));
  await page.goto(path);
  await stream;
}

/** Sends a change of the member on the page as its client does. The time starts with the request. */
async function send(page: Page, method: string, path: string, data?: object): Promise<string> {
  return page.evaluate(
    async ([verb, address, body]) => {
      window.pressedAt = performance.timeOrigin + performance.now();
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(address, { method: verb, ...(body && { body, headers }) });
      if (!answer.ok) throw new Error(`${verb} ${address}: ${answer.status}`);
      return answer.text();
    },
    [method, path, data && JSON.stringify(data)] as const,
  );
}

/** The second in which a stream gets at most one event of a change passes, so that the next one is sent at once. */
const quietSecond = (page: Page) => page.waitForTimeout(1_100);

/** Opens a screen and waits until the gateway knows what it shows. */
async function openInterested(page: Page, path: string): Promise<void> {
  const registered = page
    .context()
    .waitForEvent('response', (answer) => answer.url().endsWith('/interests') && answer.ok());
  await page.goto(path);
  await registered;
}

async function create(member: TestMember, path: string, data: object): Promise<string> {
  const answer = await member.context.request.post(path, { data });
  expect(answer.ok(), `${path}: ${answer.status()}`).toBe(true);
  return ((await answer.json()) as { id: string }).id;
}

async function openPost(ana: TestMember, ben: TestMember): Promise<void> {
  const id = await create(ana, '/api/posts', { userId: ana.id, content: `Moot court ${ana.name}` });
  for (const { page } of [ana, ben]) await openInterested(page, `/posts/${id}`);
}

test('comments', async ({ browser }) => {
  const [ana, ben] = await pair(browser);
  await openPost(ana, ben);
  const field = ana.page.getByRole('textbox', { name: 'Comment' });
  const send = ana.page.locator('form').filter({ has: field }).locator('button[type=submit]');
  const times = await measure(ana.page, ben.page, 'article', (nr) => ({
    words: `Sample number ${nr}.`,
    press: async () => {
      await field.fill(`Sample number ${nr}.`);
      await send.click();
    },
    restore: async () => {
      await expect(field).toHaveValue('');
      await quietSecond(ben.page);
    },
  }));
  add('comment', times);
});

test('reactions', async ({ browser }) => {
  const [ana, ben] = await pair(browser);
  await openPost(ana, ben);
  const like = ana.page.getByRole('article').locator('[data-shortcut=like]');
  const times = await measure(ana.page, ben.page, 'article', (nr) => ({
    words: nr % 2 === 0 ? '1 like' : '0 likes',
    press: () => like.click(),
    restore: () => quietSecond(ben.page),
  }));
  add('reaction', times);
});

test('posts', async ({ browser }) => {
  const [ana, ben] = await pair(browser);
  await ana.page.goto('/');
  await openLive(ben.page, '/');
  await expect(ben.page.getByRole('article').first()).toBeVisible();
  const pill = ben.page.getByRole('button', { name: /^\d+ new posts?$/ });
  const dialog = ana.page.getByRole('dialog', { name: 'Create a post' });
  const times = await measure(ana.page, ben.page, 'button', (nr) => ({
    words: 'new post',
    press: async () => {
      await ana.page.getByRole('button', { name: 'Start a post' }).click();
      await dialog.getByRole('textbox', { name: 'Post' }).fill(`Sample ${nr} of ${ana.name}`);
      await dialog.getByRole('button', { name: 'Post', exact: true }).click();
    },
    restore: async () => {
      await expect(dialog).toHaveCount(0);
      await pill.click();
      await expect(pill).toHaveCount(0);
      await expect(ben.page.getByText(`Sample ${nr} of ${ana.name}`)).toBeVisible();
    },
  }));
  add('post (the button of new posts)', times);
});

test('messages', async ({ browser }) => {
  const [ana, ben] = await pair(browser);
  await connect(ana, ben);
  const id = await create(ana, '/api/conversations', { userId: ben.id });
  for (const { page } of [ana, ben]) await openLive(page, `/messages/${id}`);
  const field = ana.page.getByRole('textbox', { name: 'Message' });
  const times = await measure(ana.page, ben.page, 'main li', (nr) => ({
    words: `Sample number ${nr}.`,
    press: async () => {
      await field.fill(`Sample number ${nr}.`);
      await field.press('Enter');
    },
  }));
  add('message', times);
});

test('connection requests', async ({ browser }) => {
  const [ana, ben] = await pair(browser);
  await openLive(ana.page, `/profile/${ben.id}`);
  await openLive(ben.page, '/network?tab=requests');
  const requests = ben.page.getByRole('tabpanel').getByRole('listitem').filter({ hasText: ana.name });
  const button = ana.page.getByRole('button', { name: 'Connect', exact: true });
  let id = '';
  const times = await measure(ana.page, ben.page, '[role=tabpanel] li', () => ({
    words: ana.name,
    press: async () => {
      const created = ana.page.waitForResponse((answer) => answer.status() === 201);
      await button.click();
      ({ id } = (await (await created).json()) as { id: string });
    },
    // The sender takes it back.
    restore: async () => {
      expect((await ana.context.request.delete(`/api/connections/${id}`)).ok()).toBe(true);
      await expect(requests).toHaveCount(0);
      await expect(button).toBeVisible();
    },
  }));
  add('connection request', times);
});

test('acceptances', async ({ browser }) => {
  const [ana, ben] = await pair(browser);
  await ana.page.goto('/');
  await openInterested(ben.page, `/profile/${ana.id}`);
  const data = { requesterId: ben.id, recipientId: ana.id, status: 'pending' };
  let id = await create(ben, '/api/connections', data);
  const times = await measure(ana.page, ben.page, 'main button', () => ({
    words: 'Connected',
    press: () => send(ana.page, 'PATCH', `/api/connections/${id}`, { status: 'accepted' }),
    restore: async () => {
      await send(ana.page, 'DELETE', `/api/connections/${id}`);
      await expect(ben.page.getByRole('button', { name: 'Connect', exact: true })).toBeVisible();
      id = await create(ben, '/api/connections', data);
      await expect(ben.page.getByRole('button', { name: 'Connection Pending' })).toBeVisible();
      await quietSecond(ben.page);
    },
  }));
  add('acceptance of a connection', times);
});

test('memberships', async ({ browser }) => {
  const [ana, ben] = await pair(browser);
  const id = await create(ana, '/api/communities', { name: `Society ${ana.name}` });
  await openInterested(ben.page, `/communities/${id}`);
  await ana.page.goto('/');
  await send(ana.page, 'GET', `/api/communities/${id}`);
  const third = await browser.newContext();
  await newMember(third, 'Carla Reyes');
  const page = await third.newPage();
  await page.goto('/');
  const times = await measure(page, ben.page, 'main', (nr) => ({
    words: nr % 2 === 0 ? '2 members' : '1 member',
    press: () => send(page, nr % 2 === 0 ? 'PUT' : 'DELETE', `/api/communities/${id}/membership`),
    restore: () => quietSecond(ben.page),
  }));
  add('membership', times);
  await third.close();
});

test('attendances', async ({ browser }) => {
  const [ana, ben] = await pair(browser);
  const day = 86_400_000;
  const id = await create(ana, '/api/events', {
    title: `Finals ${ana.name}`,
    startDate: new Date(Date.now() + day).toISOString(),
    endDate: new Date(Date.now() + day + 3_600_000).toISOString(),
    timeZone: 'Asia/Manila',
  });
  await openInterested(ana.page, `/events/${id}`);
  await ben.page.goto('/');
  const attendee = ana.page.getByRole('main').getByText(ben.name);
  const times = await measure(ben.page, ana.page, 'main', () => ({
    words: ben.name,
    press: () => send(ben.page, 'PUT', `/api/events/${id}/attendance`),
    restore: async () => {
      await send(ben.page, 'DELETE', `/api/events/${id}/attendance`);
      await expect(attendee).toHaveCount(0);
      await quietSecond(ana.page);
    },
  }));
  add('attendance of an event', times);
});

test('applications', async ({ browser }) => {
  const [ana] = await pair(browser);
  const other = await browser.newContext({ storageState: await ana.context.storageState() });
  const page = await other.newPage();
  await openLive(page, '/jobs?tab=applications');
  await ana.page.goto('/');
  const jobs = (await (await ana.context.request.get('/api/jobs')).json()) as { id: string; title: string }[];
  const id = await create(ana, `/api/jobs/${jobs[0]?.id}/apply`, {});
  await expect(page.getByRole('tabpanel').getByRole('article')).toBeVisible();
  const times = await measure(ana.page, page, '[role=tabpanel] article', (nr) => ({
    words: `Sample number ${nr}.`,
    press: () => send(ana.page, 'PATCH', `/api/jobs/applications/${id}`, { notes: `Sample number ${nr}.` }),
  }));
  add('application, on the other device', times);
  await other.close();
});

test('profiles', async ({ browser }) => {
  const [ana, ben] = await pair(browser);
  await openInterested(ben.page, `/profile/${ana.id}`);
  await ana.page.goto('/');
  const times = await measure(ana.page, ben.page, 'main', (nr) => ({
    words: `Sample number ${nr}.`,
    press: () => send(ana.page, 'PATCH', `/api/users/${ana.id}`, { headline: `Sample number ${nr}.` }),
    restore: () => quietSecond(ben.page),
  }));
  add('profile', times);
});
