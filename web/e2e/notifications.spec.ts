// Notifications with several members in several browsers: live, grouped, withdrawn, muted, and the audit.
import { type APIResponse, type Browser, type BrowserContext, expect, type Page } from '@playwright/test';
import { auditAddress, auditScreen, dialogOpened, inEachLanguage } from './audit';
import { newMember } from './member';
import { test } from './test';

interface TestMember {
  id: string;
  name: string;
  context: BrowserContext;
}

async function createMembers(browser: Browser, ...names: string[]): Promise<TestMember[]> {
  return Promise.all(
    names.map(async (name) => {
      const context = await browser.newContext();
      const { id } = await newMember(context, name);
      return { id, name, context };
    }),
  );
}

/** Repeats a call until it succeeds: a service refuses some calls until it has consumed earlier facts. */
async function retryUntilStatus(call: () => Promise<APIResponse>, status = 201): Promise<{ id: string }> {
  let answer: APIResponse | undefined;
  await expect(async () => {
    answer = await call();
    expect(answer.status()).toBe(status);
  }).toPass({ timeout: 30_000 });
  return status === 204 ? { id: '' } : ((await answer?.json()) as { id: string });
}

const post = ({ context, id }: TestMember, content: string) =>
  retryUntilStatus(() => context.request.post('/api/posts', { data: { userId: id, content } }));
const like = ({ context, id }: TestMember, postId: string) =>
  context.request.post(`/api/posts/${postId}/likes`, { data: { userId: id, type: 'like' } });
const unlike = ({ context }: TestMember, postId: string) =>
  context.request.delete(`/api/posts/${postId}/likes`);
const comment = ({ context, id }: TestMember, postId: string, content: string) =>
  retryUntilStatus(() =>
    context.request.post(`/api/posts/${postId}/comments`, { data: { userId: id, content } }),
  );
const requestConnection = ({ context, id }: TestMember, other: TestMember) =>
  retryUntilStatus(() =>
    context.request.post('/api/connections', {
      data: { requesterId: id, recipientId: other.id, status: 'pending' },
    }),
  );
const accept = ({ context }: TestMember, connectionId: string) =>
  retryUntilStatus(
    () => context.request.patch(`/api/connections/${connectionId}`, { data: { status: 'accepted' } }),
    200,
  );
const endorse = ({ context }: TestMember, other: TestMember, skill: string) =>
  retryUntilStatus(
    () => context.request.post(`/api/users/${other.id}/endorsements`, { data: { skill } }),
    200,
  );
const skills = ({ context, id }: TestMember, ...names: string[]) =>
  retryUntilStatus(
    () =>
      context.request.put(`/api/users/${id}/profile`, {
        data: { userId: id, bio: '', experiences: [], education: [], skills: names },
      }),
    200,
  );

/** A page with an open event stream. */
async function openLivePage({ context }: TestMember, path: string): Promise<Page> {
  const page = await context.newPage();
  const line = page.waitForResponse(/\/api\/live$/);
  await page.goto(path);
  await line;
  return page;
}

const notificationsButton = (page: Page) => page.getByRole('button', { name: /^(Notifications|Mga abiso)/ });
const expectNoUnread = (page: Page) =>
  expect(notificationsButton(page)).toHaveAccessibleName('Notifications');
const expectUnread = (page: Page, unread: number) =>
  expect(notificationsButton(page)).toHaveAccessibleName(`Notifications, ${unread} unread`);
const row = (page: Page, words: string) => page.getByRole('listitem').filter({ hasText: words });

/** Annotates the test with the delay from an action to its notification. */
async function measureDelay(what: string, act: () => Promise<unknown>, seen: () => Promise<unknown>) {
  await act();
  const since = Date.now();
  await seen();
  test.info().annotations.push({ type: what, description: `${Date.now() - since} ms` });
}

test('notifications arrive without a reload, are grouped, and are withdrawn with their cause', async ({
  browser,
}) => {
  const [ana, ben, carla] = (await createMembers(browser, 'Ana Cruz', 'Ben Soriano', 'Carla Tan')) as [
    TestMember,
    TestMember,
    TestMember,
  ];
  const { id } = await post(ana, 'Office hours moved to Thursday.');
  const page = await openLivePage(ana, `/profile/${ana.id}`);
  await expectNoUnread(page);
  await measureDelay(
    'like to notification',
    () => like(ben, id),
    () => expectUnread(page, 1),
  );
  await like(carla, id);
  await notificationsButton(page).click();
  await expect(row(page, 'Carla Tan and Ben Soriano liked your post')).toBeVisible();
  await expect(row(page, 'liked your post').getByText('Unread.')).toBeAttached();
  await expectNoUnread(page);

  await measureDelay(
    'unlike to list',
    () => unlike(carla, id),
    () => expect(row(page, 'Ben Soriano liked your post')).not.toContainText('Carla'),
  );
  await unlike(ben, id);
  await expect(page.getByText('No notifications yet.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expectNoUnread(page);

  await measureDelay(
    'comment to notification',
    () => comment(ben, id, 'Which room?'),
    () => expectUnread(page, 1),
  );
  await comment(ana, id, 'The usual one.');
  await notificationsButton(page).click();
  await row(page, 'Ben Soriano commented on your post').getByRole('link').click();
  await expect(page).toHaveURL(`/posts/${id}`);
  await expect(page.getByText('Which room?')).toBeVisible();
  await expectNoUnread(page);
});

test('both sides are notified from the request to the endorsement', async ({ browser }) => {
  const [ana, ben] = (await createMembers(browser, 'Ana Cruz', 'Ben Soriano')) as [TestMember, TestMember];
  await skills(ana, 'Moot court');
  const anas = await openLivePage(ana, '/jobs');
  const bens = await openLivePage(ben, '/jobs');
  let connection = { id: '' };
  await measureDelay(
    'request to notification',
    async () => {
      connection = await requestConnection(ben, ana);
    },
    () => expectUnread(anas, 1),
  );
  await notificationsButton(anas).click();
  await row(anas, 'Ben Soriano sent you a connection request').getByRole('link').click();
  await expect(anas).toHaveURL('/network?tab=requests');
  await expect(anas.getByRole('button', { name: 'Accept' })).toBeVisible();

  await measureDelay(
    'acceptance to notification',
    () => accept(ana, connection.id),
    () => expectUnread(bens, 1),
  );
  await notificationsButton(bens).click();
  await row(bens, 'Ana Cruz accepted your connection request').getByRole('link').click();
  await expect(bens).toHaveURL(`/profile/${ana.id}`);
  await expect(bens.getByRole('button', { name: 'Connected' })).toBeVisible();

  await measureDelay(
    'endorsement to notification',
    () => endorse(ben, ana, 'Moot court'),
    () => expectUnread(anas, 1),
  );
  await notificationsButton(anas).click();
  await expect(row(anas, 'Ben Soriano endorsed you for Moot court')).toBeVisible();
  // An answered request has no buttons.
  await expect(row(anas, 'sent you a connection request')).toHaveCount(0);
});

test('notifications seen in one tab are seen in all tabs', async ({ browser }) => {
  const [ana, ben] = (await createMembers(browser, 'Ana Cruz', 'Ben Soriano')) as [TestMember, TestMember];
  const { id } = await post(ana, 'Office hours moved to Thursday.');
  const first = await openLivePage(ana, '/jobs');
  const second = await ana.context.newPage();
  await second.goto('/notifications');
  await expect(second.getByText('No notifications yet.')).toBeVisible();
  await like(ben, id);
  await expectUnread(first, 1);
  await expectUnread(second, 1);
  await expect(second.getByRole('main').getByText('Ben Soriano')).toBeVisible();
  await second.getByRole('button', { name: 'Mark all as read' }).click();
  await expectNoUnread(second);
  await expectNoUnread(first);
});

test('a disabled kind and a blocked member send no notifications', async ({ browser }) => {
  const [ana, ben, carla] = (await createMembers(browser, 'Ana Cruz', 'Ben Soriano', 'Carla Tan')) as [
    TestMember,
    TestMember,
    TestMember,
  ];
  const { id } = await post(ana, 'Office hours moved to Thursday.');
  const page = await openLivePage(ana, '/settings');
  const card = page.getByRole('region', { name: 'Notifications', exact: true });
  const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH');
  await card.getByRole('switch', { name: 'Likes', exact: true }).click();
  expect((await saved).status()).toBe(200);
  await page.reload();
  await expect(card.getByRole('switch', { name: 'Likes', exact: true })).not.toBeChecked();
  await expect(card.getByRole('switch', { name: 'Comments', exact: true })).toBeChecked();

  await like(ben, id);
  await comment(carla, id, 'Which room?');
  await expectUnread(page, 1);
  await notificationsButton(page).click();
  await expect(row(page, 'Carla Tan commented on your post')).toBeVisible();
  await expect(row(page, 'liked')).toHaveCount(0);
  await page.keyboard.press('Escape');

  await retryUntilStatus(() => ana.context.request.put(`/api/blocks/${carla.id}`), 204);
  await page.goto('/notifications');
  await expect(async () => {
    await page.reload();
    await expect(page.getByText('No notifications yet.')).toBeVisible({ timeout: 8_000 });
  }).toPass({ timeout: 60_000 });
  await expectNoUnread(page);
});

test.describe('many notifications pass the audit in every variant', () => {
  let ana: TestMember;
  let page: Page;

  test.beforeAll(async ({ browser }) => {
    test.setTimeout(180_000);
    const names = [
      'Ana Cruz',
      'Ben Soriano',
      'Carla Fernández-Villanueva de la Cruz',
      'Dan Reyes',
      'Eve Lim',
    ];
    const all = (await createMembers(browser, ...names)) as [
      TestMember,
      TestMember,
      TestMember,
      TestMember,
      TestMember,
    ];
    const [, ben, carla, dan, eve] = all;
    ana = all[0];
    const unique = Date.now().toString(36);
    await skills(ana, 'Appellate advocacy and oral argument');
    const { id } = await post(ana, 'Office hours moved to Thursday.');
    for (const person of [ben, carla, dan, eve]) await like(person, id);
    await comment(dan, id, 'Which room?');
    await comment(carla, id, 'The usual one.');
    await accept(ben, (await requestConnection(ana, ben)).id);
    await requestConnection(eve, ana);
    await endorse(ben, ana, 'Appellate advocacy and oral argument');
    const community = await retryUntilStatus(() =>
      ana.context.request.post('/api/communities', { data: { name: `Constitutional Law Circle ${unique}` } }),
    );
    await retryUntilStatus(
      () => carla.context.request.put(`/api/communities/${community.id}/membership`),
      200,
    );
    const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    const event = (title: string) => ({
      title,
      startDate: day(2),
      endDate: day(3),
      timeZone: 'Asia/Manila',
      location: 'Main Courtroom',
    });
    const announce = (who: TestMember, title: string) =>
      retryUntilStatus(() => who.context.request.post('/api/events', { data: event(title) }));
    const attend = (who: TestMember, eventId: string) =>
      retryUntilStatus(() => who.context.request.put(`/api/events/${eventId}/attendance`), 200);
    const mine = await announce(ana, `Moot court finals ${unique}`);
    await attend(dan, mine.id);
    const theirs = await announce(ben, `Clerkship applications, explained by clerks ${unique}`);
    const gone = await announce(ben, `Two days of trial advocacy with the public defenders ${unique}`);
    await attend(ana, theirs.id);
    await attend(ana, gone.id);
    // Messaging consumes the attendance before the change of the event.
    await retryUntilStatus(
      () =>
        ben.context.request.patch(`/api/events/${theirs.id}`, {
          data: { location: 'Room 204, second floor' },
        }),
      200,
    );
    await retryUntilStatus(() => ben.context.request.delete(`/api/events/${gone.id}`), 204);
    await expect(async () => {
      const answer = await ana.context.request.get('/api/notifications');
      expect(((await answer.json()) as unknown[]).length).toBe(9);
    }).toPass({ timeout: 30_000 });
    page = await ana.context.newPage();
  });

  test('the list of all notifications', async () => {
    await auditAddress(page, '/notifications', () =>
      expect(page.getByRole('main').getByRole('listitem')).toHaveCount(9),
    );
  });

  test('the popover', async () => {
    await inEachLanguage(ana.context, '/jobs', async (page, language) => {
      await notificationsButton(page).click();
      await expect(page.getByRole('dialog').getByRole('listitem')).toHaveCount(9);
      await dialogOpened(page);
      await auditScreen(page, language);
    });
  });

  test('the switches', async () => {
    const settings = await (await ana.context.request.get('/api/notifications/settings')).json();
    await auditAddress(page, '/settings', async () => {
      await expect(page.getByRole('heading', { level: 1 })).toBeAttached();
      // One per kind, and the switches of link previews, single-key shortcuts and this device.
      await expect(page.getByRole('switch')).toHaveCount(Object.keys(settings).length + 3);
    });
  });
});
