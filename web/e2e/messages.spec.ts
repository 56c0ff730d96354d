// Messages between two members in two browsers: live delivery, retries, requests, long histories, and the audit.
import { expect, type Page } from '@playwright/test';
import { auditAddress, auditScreen, dialogOpened, inEachLanguage } from './audit';
import { connect, createClassmates, type TestMember } from './classmates';
import { test } from './test';

const profile = ({ id }: TestMember) => `/profile/${id}`;
const row = (page: Page, { name }: TestMember) => page.getByRole('tabpanel').getByRole('link', { name });
const pane = (page: Page, { name }: TestMember) =>
  page.getByRole('region', { name: `Conversation with ${name}` });
const bubble = (page: Page, other: TestMember, words: string) =>
  pane(page, other).getByRole('listitem').filter({ hasText: words });
const field = (page: Page) => page.getByRole('textbox', { name: 'Message' });
const toast = (page: Page, words: string | RegExp) => page.getByText(words, { exact: true }).first();

async function sendMessage(page: Page, words: string) {
  await field(page).fill(words);
  await field(page).press('Enter');
}

/** The conversation between two members, as the Message button finds it. */
async function openConversation(from: TestMember, to: TestMember): Promise<string> {
  const answer = await from.context.request.post('/api/conversations', { data: { userId: to.id } });
  expect([200, 201]).toContain(answer.status());
  return ((await answer.json()) as { id: string }).id;
}

async function sendByApi(from: TestMember, id: string, content: string) {
  const data = { userId: from.id, conversationId: id, content };
  const answer = await from.context.request.post(`/api/conversations/${id}/messages`, { data });
  expect(answer.status()).toBe(201);
}

/** Waits until the tab receives events: later messages arrive without a reload. */
async function waitForStream(page: Page, open: () => Promise<unknown>) {
  const stream = page.waitForResponse((answer) => answer.url().endsWith('/api/live'));
  await open();
  expect((await stream).status()).toBe(200);
}

test('the Message button opens a thread, and an answer arrives without a reload', async ({ browser }) => {
  const [ana, ben] = (await createClassmates(browser, 'Ana', 'Ben')) as [TestMember, TestMember];
  await connect(ana, ben);
  await waitForStream(ben.page, () => ben.page.goto('/messages'));
  await expect(row(ben.page, ana)).toBeVisible();

  await waitForStream(ana.page, () => ana.page.goto(profile(ben)));
  await ana.page.getByRole('button', { name: 'Message' }).click();
  await expect(ana.page.getByText('No messages yet. Start the conversation!')).toBeVisible();
  await expect(ana.page.getByRole('button', { name: 'Send' })).toBeDisabled();
  await sendMessage(ana.page, 'Are you taking the clinic?');
  const asked = bubble(ana.page, ben, 'Are you taking the clinic?');
  await expect(asked.getByRole('img', { name: 'Sent' })).toBeVisible();

  // Ben's list and header show the message before he opens it.
  await expect(row(ben.page, ana)).toContainText('Are you taking the clinic?');
  await expect(ben.page.getByRole('banner').getByText('1 unread message')).toBeAttached();
  await expect(asked.getByRole('img', { name: 'Read' })).toHaveCount(0);

  await row(ben.page, ana).click();
  await expect(bubble(ben.page, ana, 'Are you taking the clinic?')).toBeVisible();
  await expect(asked.getByRole('img', { name: 'Read' })).toBeVisible();
  await expect(ben.page.getByRole('banner').getByText('1 unread message')).toHaveCount(0);

  await field(ben.page).pressSequentially('If my', { delay: 20 });
  await expect(ana.page.getByText('Typing...')).toBeVisible();
  await sendMessage(ben.page, 'If my schedule survives.');
  await expect(bubble(ana.page, ben, 'If my schedule survives.')).toBeVisible();
  await expect(ana.page.getByText('Typing...')).toHaveCount(0);
  // Both have the thread open: the message is read on arrival.
  await expect(
    bubble(ben.page, ana, 'If my schedule survives.').getByRole('img', { name: 'Read' }),
  ).toBeVisible();
  await ana.page.reload();
  await expect(pane(ana.page, ben).getByRole('listitem')).toHaveCount(2);
});

test('one stream per browser: another tab receives its events and takes over', async ({ browser }) => {
  const [ana, ben] = (await createClassmates(browser, 'Ana', 'Ben')) as [TestMember, TestMember];
  await connect(ana, ben);
  const id = await openConversation(ben, ana);
  const streams: Page[] = [];
  ana.context.on('request', (request) => {
    if (request.url().endsWith('/api/live')) streams.push(request.frame().page());
  });
  await waitForStream(ana.page, () => ana.page.goto(`/messages/${id}`));
  const second = await ana.context.newPage();
  await second.goto('/messages');
  await expect(row(second, ben)).toBeVisible();
  await expect(ana.page.getByText('No messages yet.')).toBeVisible();
  await sendByApi(ben, id, 'To every tab.');
  await expect(bubble(ana.page, ben, 'To every tab.')).toBeVisible();
  await expect(row(second, ben)).toContainText('To every tab.');
  expect(streams).toEqual([ana.page]);

  const takenOver = second.waitForResponse((answer) => answer.url().endsWith('/api/live'));
  await ana.page.close();
  await takenOver;
  await sendByApi(ben, id, 'To the last one.');
  await expect(row(second, ben)).toContainText('To the last one.');
});

test('a lost message is sent again, a message with a lost response is not, and each is shown once', async ({
  browser,
}) => {
  const [ana, ben] = (await createClassmates(browser, 'Ana', 'Ben')) as [TestMember, TestMember];
  await connect(ana, ben);
  const id = await openConversation(ana, ben);
  await ana.page.goto(`/messages/${id}`);
  await waitForStream(ben.page, () => ben.page.goto(`/messages/${id}`));
  const failure = ana.page.getByText('Failed to send message. Please try again.');

  await test.step('it never left', async () => {
    await ana.page.route('**/api/conversations/*/messages', (route) => route.abort());
    await sendMessage(ana.page, 'Never left.');
    await expect(failure).toBeVisible();
    await ana.page.unroute('**/api/conversations/*/messages');
    await ana.page.getByRole('button', { name: 'Retry' }).click();
    await expect(bubble(ana.page, ben, 'Never left.').getByRole('img', { name: /Sent|Read/ })).toBeVisible();
    await expect(bubble(ben.page, ana, 'Never left.')).toHaveCount(1);
  });

  await test.step('it arrived, and the answer was lost', async () => {
    await ana.page.route('**/api/conversations/*/messages', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await sendMessage(ana.page, 'Answer lost.');
    await expect(bubble(ben.page, ana, 'Answer lost.')).toBeVisible();
    // Her own event stream delivers the message, so no retry is left.
    await expect(bubble(ana.page, ben, 'Answer lost.').getByRole('img', { name: /Sent|Read/ })).toBeVisible();
    await expect(failure).toHaveCount(0);
    await ana.page.unroute('**/api/conversations/*/messages');
  });

  for (const one of [ana, ben]) {
    await one.page.reload();
    const shown = pane(one.page, one === ana ? ben : ana).getByRole('listitem');
    await expect(shown).toHaveCount(2);
    await expect(shown.nth(0)).toContainText('Never left.');
    await expect(shown.nth(1)).toContainText('Answer lost.');
  }
});

test('no message is missing after the stream reconnects', async ({ browser }) => {
  const [ana, ben] = (await createClassmates(browser, 'Ana', 'Ben')) as [TestMember, TestMember];
  await connect(ana, ben);
  const id = await openConversation(ben, ana);
  await sendByApi(ben, id, 'Before.');
  await waitForStream(ana.page, () => ana.page.goto(`/messages/${id}`));
  await expect(bubble(ana.page, ben, 'Before.')).toBeVisible();
  await ana.context.setOffline(true);
  await sendByApi(ben, id, 'Meanwhile.');
  await ana.context.setOffline(false);
  await expect(bubble(ana.page, ben, 'Meanwhile.')).toBeVisible({ timeout: 30_000 });
});

test('a request: writing to a member without a connection', async ({ browser }) => {
  const [ana, ben] = (await createClassmates(browser, 'Ana', 'Ben')) as [TestMember, TestMember];
  await waitForStream(ben.page, () => ben.page.goto('/messages'));
  await waitForStream(ana.page, () => ana.page.goto(profile(ben)));
  await ana.page.getByRole('button', { name: 'Message' }).click();
  await sendMessage(ana.page, 'May I ask you something?');
  await expect(ana.page.getByText(`${ben.name} has not accepted your request yet.`)).toBeVisible();

  await ben.page.getByRole('tab', { name: 'Requests 1' }).click();
  await row(ben.page, ana).click();
  await expect(ben.page.getByText(`${ana.name} is not one of your connections.`)).toBeVisible();
  await ben.page.getByRole('button', { name: 'Accept' }).click();
  await expect(ben.page.getByText(`${ana.name} is not one of your connections.`)).toHaveCount(0);
  await expect(ben.page.getByRole('tab', { name: 'Inbox' })).toHaveAttribute('aria-selected', 'true');
  await expect(row(ben.page, ana)).toBeVisible();
  await expect(ana.page.getByText(`${ben.name} has not accepted your request yet.`)).toHaveCount(0);
  await sendMessage(ben.page, 'Of course.');
  await expect(bubble(ana.page, ben, 'Of course.')).toBeVisible();
});

test('an unanswered request is limited to five messages', async ({ browser }) => {
  const [ana, ben] = (await createClassmates(browser, 'Ana', 'Ben')) as [TestMember, TestMember];
  const id = await openConversation(ana, ben);
  await ana.page.goto(`/messages/${id}`);
  for (const nth of [1, 2, 3, 4, 5]) await sendMessage(ana.page, `Hello, ${nth}.`);
  await expect(
    ana.page.getByText(`${ben.name} needs to accept your request before you can write more.`),
  ).toBeVisible();
  await expect(field(ana.page)).toHaveCount(0);
});

test('a request is deleted, another sender is blocked', async ({ browser }) => {
  const [ana, ben, carla] = (await createClassmates(browser, 'Ana', 'Ben', 'Carla')) as [
    TestMember,
    TestMember,
    TestMember,
  ];
  const fromBen = await openConversation(ben, ana);
  await sendByApi(ben, fromBen, 'Buy my outline.');
  const fromCarla = await openConversation(carla, ana);
  await sendByApi(carla, fromCarla, 'Buy mine.');
  await waitForStream(ana.page, () => ana.page.goto('/messages?folder=requests'));
  await row(ana.page, ben).click();
  await ana.page.getByRole('button', { name: 'Delete' }).click();
  await ana.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(toast(ana.page, 'Conversation deleted')).toBeVisible();
  await expect(row(ana.page, ben)).toHaveCount(0);

  await row(ana.page, carla).click();
  await ana.page.getByRole('button', { name: 'Block' }).click();
  await ana.page.getByRole('dialog').getByRole('button', { name: 'Block' }).click();
  await expect(toast(ana.page, 'Member blocked')).toBeVisible();
  await expect(ana.page.getByText('No message requests.')).toBeVisible();
  await expect(async () => {
    const data = { userId: carla.id, conversationId: fromCarla, content: 'Hello?' };
    const answer = await carla.context.request.post(`/api/conversations/${fromCarla}/messages`, { data });
    expect(answer.status()).toBe(404);
  }).toPass({ timeout: 20_000 });
  await carla.page.goto(`/messages/${fromCarla}`);
  await expect(carla.page.getByText('Error loading messages')).toBeVisible();
});

test('the list is searched by name', async ({ browser }) => {
  const [ana, ben, carla] = (await createClassmates(browser, 'Ana', 'Bénédicte', 'Carla')) as [
    TestMember,
    TestMember,
    TestMember,
  ];
  await connect(ana, ben);
  await connect(ana, carla);
  await ana.page.goto('/messages');
  await expect(row(ana.page, carla)).toBeVisible();
  await ana.page.getByRole('searchbox', { name: 'Search messages' }).fill('carl');
  await expect(row(ana.page, ben)).toHaveCount(0);
  await expect(row(ana.page, carla)).toBeVisible();
  await ana.page.getByRole('searchbox', { name: 'Search messages' }).fill('unknown name');
  await expect(ana.page.getByText('No conversation with that name.')).toBeVisible();
});

/** A measure, once it is stable: a row has its estimated height until it is drawn. */
async function stableValue(measure: () => Promise<number>): Promise<number> {
  let last = Number.NaN;
  await expect
    .poll(async () => {
      const before = last;
      last = await measure();
      return last === before;
    })
    .toBe(true);
  return last;
}

test.describe('a long history', () => {
  let ana: TestMember;
  let ben: TestMember;
  let id: string;

  test.beforeAll(async ({ browser }) => {
    [ana, ben] = (await createClassmates(browser, 'Ana', 'Ben')) as [TestMember, TestMember];
    await connect(ana, ben);
    id = await openConversation(ana, ben);
    for (let nth = 1; nth <= 120; nth += 1)
      await sendByApi(nth % 3 ? ben : ana, id, `Line ${nth}. ${'And so on. '.repeat(nth % 7)}`.trim());
  });

  for (const width of [360, 1280]) {
    test(`opens at its end and keeps its scroll position while older messages load, ${width} px`, async () => {
      const page = await ana.context.newPage();
      await page.setViewportSize({ width, height: 800 });
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.route(/\/api\/conversations\/[^/]+\?(.*&)?cursor=/, async (route) => {
        await held;
        await route.continue();
      });
      await page.goto(`/messages/${id}`);
      const thread = pane(page, ben);
      const line = (nth: number) => thread.getByText(new RegExp(`Line ${nth}\\.`));
      await expect(line(120)).toBeInViewport();

      await test.step('a page comes in above', async () => {
        await thread.evaluate((element) => element.scrollTo({ top: 0 }));
        await expect(line(103)).toBeInViewport();
        const height = await thread.evaluate(({ scrollHeight }) => scrollHeight);
        const place = async () => (await line(103).boundingBox())?.y ?? Number.NaN;
        const before = await stableValue(place);
        release();
        await expect.poll(() => thread.evaluate(({ scrollHeight }) => scrollHeight)).toBeGreaterThan(height);
        await expect.poll(async () => Math.abs((await place()) - before)).toBeLessThanOrEqual(2);
        await expect(line(103)).toBeInViewport();
      });

      await test.step('up to the first line; only what is in sight is drawn', async () => {
        await expect(async () => {
          await thread.evaluate((element) => element.scrollTo({ top: 0 }));
          await expect(line(1)).toBeInViewport({ timeout: 1_000 });
        }).toPass();
        await expect(thread.getByRole('button', { name: 'Show earlier messages' })).toHaveCount(0);
        expect(await thread.getByRole('listitem').count()).toBeLessThan(60);
      });

      await test.step('what is new waits below', async () => {
        const words = `News at ${width}.`;
        await sendByApi(ben, id, words);
        await page.getByRole('button', { name: 'New messages' }).click();
        await expect(bubble(page, ben, words)).toBeInViewport();
        await expect(page.getByRole('button', { name: 'New messages' })).toHaveCount(0);
      });
      await page.close();
    });
  }
});

test('signing out in one tab ends the others', async ({ browser }) => {
  const [ana] = (await createClassmates(browser, 'Ana')) as [TestMember];
  await waitForStream(ana.page, () => ana.page.goto('/messages'));
  const other = await ana.context.newPage();
  await other.goto('/');
  await other.getByRole('button', { name: 'Log out' }).click();
  await expect(ana.page).toHaveURL(/\/auth$/);
});

test.describe('the audit in every variant', () => {
  let ana: TestMember;
  let ben: TestMember;
  let carla: TestMember;
  let dan: TestMember;
  const ids: Record<'ben' | 'carla' | 'dan', string> = { ben: '', carla: '', dan: '' };

  test.beforeAll(async ({ browser }) => {
    const names = ['Ana', 'Ben', 'Carla Fernández-Villanueva de la Cruz', 'Dan'];
    [ana, ben, carla, dan] = (await createClassmates(browser, ...names)) as [
      TestMember,
      TestMember,
      TestMember,
      TestMember,
    ];
    await connect(ana, ben);
    ids.ben = await openConversation(ana, ben);
    await sendByApi(
      ben,
      ids.ben,
      'Are you taking the immigration clinic next term? The sign-up sheet is already half full.',
    );
    await sendByApi(ana, ids.ben, 'Yes, if my schedule survives the moot.');
    await sendByApi(ana, ids.ben, 'I put my name down this morning, second from the bottom.');
    await sendByApi(ben, ids.ben, 'https://example.org/'.padEnd(200, 'a-very-long-address-without-a-space/'));
    ids.carla = await openConversation(carla, ana);
    await sendByApi(carla, ids.carla, 'May I ask you about the review?');
    ids.dan = await openConversation(ana, dan);
    await sendByApi(ana, ids.dan, 'Hello, Dan.');
  });

  const screens: [string, (page: Page) => Promise<void>, () => string][] = [
    ['the list', async (page) => expect(page.getByText(ben.name).first()).toBeVisible(), () => '/messages'],
    [
      'a thread',
      async (page) => expect(page.getByText('Yes, if my schedule survives the moot.').last()).toBeVisible(),
      () => `/messages/${ids.ben}`,
    ],
    [
      'requests',
      async (page) => expect(page.getByText(carla.name).first()).toBeVisible(),
      () => '/messages?folder=requests',
    ],
    [
      'a request',
      async (page) => expect(page.getByRole('button', { name: /^(Accept|Tanggapin)$/ })).toBeVisible(),
      () => `/messages/${ids.carla}?folder=requests`,
    ],
    [
      'a pending request',
      async (page) => expect(page.getByText('Hello, Dan.').last()).toBeVisible(),
      () => `/messages/${ids.dan}`,
    ],
    [
      'an unknown thread',
      async (page) => expect(page.getByRole('alert')).toBeVisible(),
      () => '/messages/019a0000-0000-7000-8000-0000000000ff',
    ],
  ];
  for (const [screen, shown, path] of screens) {
    test(screen, async () => {
      await auditAddress(ana.page, path(), shown);
    });
  }

  test('a failed message, and the confirmation before a conversation is deleted', async () => {
    await inEachLanguage(ana.context, `/messages/${ids.ben}`, async (page, language) => {
      await page.route('**/api/conversations/*/messages', (route) =>
        route.request().method() === 'POST'
          ? route.fulfill({ status: 403, json: { error: 'No.', code: 'TEST', fields: {} } })
          : route.fallback(),
      );
      await page.getByRole('textbox', { name: /^(Message|Mensahe)$/ }).fill('Lost.');
      await page.keyboard.press('Enter');
      // The message of the previous language still waits on this device.
      await expect(page.getByRole('alert').first()).toBeVisible();
      await auditScreen(page, language);
      await page
        .getByRole('button', { name: /^(Options for this conversation|Mga opsyon sa usapang ito)/ })
        .click();
      await page.getByRole('menuitem', { name: /^(Delete conversation|Burahin ang usapan)$/ }).click();
      await dialogOpened(page);
      await auditScreen(page, language);
    });
  });
});
