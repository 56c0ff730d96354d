// Live screens: one member's action appears on the open screen of another within two seconds, and lists do not move.
import { type Browser, expect, type Page } from '@playwright/test';
import { auditAddress } from './audit';
import { connect, createClassmates, type TestMember } from './classmates';
import { test } from './test';

/** Milliseconds from the action to the change on the other screen. */
const soon = { timeout: 2_000 };

const profile = ({ id }: TestMember) => `/profile/${id}`;

async function pair(browser: Browser): Promise<[TestMember, TestMember]> {
  return (await createClassmates(browser, 'Ana', 'Ben')) as [TestMember, TestMember];
}

/**
 * Opens a screen and waits until the gateway knows what it shows. Another page of the member may have the stream, and the
 * screen before may still be registering.
 */
async function openLive(page: Page, path: string) {
  const shown = path.split('/').at(-1) || '"feed":true';
  const registered = page
    .context()
    .waitForEvent(
      'response',
      (answer) =>
        answer.url().endsWith('/interests') &&
        answer.status() === 200 &&
        !!answer.request().postData()?.includes(shown),
    );
  await page.goto(path);
  await registered;
}

/** Opens a screen that shows nothing to register, and waits for the stream. */
async function openStream(page: Page, path: string) {
  const stream = page.waitForResponse((answer) => answer.url().endsWith('/api/live'));
  await page.goto(path);
  await stream;
}

async function write(
  member: TestMember,
  method: 'post' | 'put' | 'patch' | 'delete',
  path: string,
  data?: object,
) {
  const answer = await member.context.request[method](path, { data });
  expect(answer.ok(), `${method} ${path}: ${answer.status()}`).toBe(true);
  const text = await answer.text();
  return (text ? JSON.parse(text) : {}) as { id: string };
}

const newPost = (member: TestMember, content: string, communityId?: string) =>
  write(member, 'post', '/api/posts', { userId: member.id, content, ...(communityId && { communityId }) });

test('connection: a request and its acceptance change both profiles and the lists', async ({ browser }) => {
  const [ana, ben] = await pair(browser);
  await openLive(ana.page, profile(ben));
  const benSecond = await ben.context.newPage();
  await openStream(ben.page, '/network?tab=requests');
  await openLive(benSecond, profile(ana));

  await ana.page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(ana.page.getByRole('button', { name: 'Connection Pending' })).toBeVisible();
  const request = ben.page.getByRole('tabpanel').getByRole('listitem').filter({ hasText: ana.name });
  await expect(request).toBeVisible(soon);
  await expect(ben.page.getByRole('tab', { name: 'Connection Requests 1' })).toBeVisible();
  await expect(benSecond.getByRole('button', { name: 'Accept Connection' })).toBeEnabled(soon);

  await request.getByRole('button', { name: 'Accept' }).click();
  await expect(ana.page.getByRole('button', { name: 'Connected' })).toBeVisible(soon);
  await expect(benSecond.getByRole('button', { name: 'Connected' })).toBeVisible(soon);
  await expect(ben.page.getByRole('tab', { name: 'My Connections 1' })).toBeVisible(soon);

  await ana.page.getByRole('button', { name: `Options for ${ben.name}` }).click();
  await ana.page.getByRole('menuitem', { name: 'Remove connection' }).click();
  await ana.page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(benSecond.getByRole('button', { name: 'Connect', exact: true })).toBeVisible(soon);
});

test('comment, reaction and post: an open post changes in place and disappears when it is deleted', async ({
  browser,
}) => {
  const [ana, ben] = await pair(browser);
  const words = `Moot court ${ana.name}`;
  const post = await newPost(ana, words);
  await openLive(ben.page, `/posts/${post.id}`);
  const card = ben.page.getByRole('article');

  await write(ana, 'post', `/api/posts/${post.id}/comments`, {
    userId: ana.id,
    content: 'Rehearsal at five.',
  });
  await expect(card.getByText('Rehearsal at five.')).toBeVisible(soon);
  await expect(card.getByText('1 comment')).toBeVisible();
  await write(ana, 'post', `/api/posts/${post.id}/likes`, { userId: ana.id, type: 'like' });
  await expect(card.getByText('1 like')).toBeVisible(soon);
  await write(ana, 'patch', `/api/posts/${post.id}`, { content: `${words}, room 4` });
  await expect(card.getByText(`${words}, room 4`)).toBeVisible(soon);
  await write(ana, 'delete', `/api/posts/${post.id}`);
  // The gateway sends a change of the same kind once a second.
  await expect(card).toHaveCount(0, { timeout: 3_000 });
});

test('a change between the first request and the registration is not lost', async ({ browser }) => {
  const [ana, ben] = await pair(browser);
  const post = await newPost(ana, `Clinic ${ana.name}`);
  await ben.page.route(
    '**/api/live/*/interests',
    async (route) => {
      await write(ana, 'post', `/api/posts/${post.id}/comments`, { userId: ana.id, content: 'In between.' });
      await route.continue();
    },
    { times: 1 },
  );
  await openLive(ben.page, `/posts/${post.id}`);
  await expect(ben.page.getByText('In between.')).toBeVisible(soon);
});

test('a post between the first request and the registration waits behind the button', async ({ browser }) => {
  const [ana, ben] = await pair(browser);
  const community = await write(ana, 'post', '/api/communities', { name: `Society ${ana.name}` });
  await write(ben, 'put', `/api/communities/${community.id}/membership`);
  await expect(async () => {
    await newPost(ana, 'Before.', community.id);
  }).toPass();
  let isPublished = false;
  await ben.page.route('**/api/live/*/interests', async (route) => {
    if (!isPublished && route.request().postData()?.includes(community.id)) {
      isPublished = true;
      await expect(ben.page.getByRole('article').first()).toBeVisible();
      await newPost(ana, 'In between.', community.id);
    }
    await route.continue();
  });
  await openLive(ben.page, `/communities/${community.id}`);
  await expect(ben.page.getByRole('button', { name: '1 new post', exact: true })).toBeVisible();
});

test('new posts wait behind a button in the feed, in a community and on a profile', async ({ browser }) => {
  const [ana, ben] = await pair(browser);
  const community = await write(ana, 'post', '/api/communities', { name: `Society ${ana.name}` });
  await write(ben, 'put', `/api/communities/${community.id}/membership`);
  for (const [path, communityId] of [
    ['/', undefined],
    [`/communities/${community.id}`, community.id],
    [`/profile/${ana.id}`, undefined],
  ] as const) {
    await expect(async () => {
      await newPost(ana, `Before ${path}`, communityId);
    }).toPass();
    await openLive(ben.page, path);
    const first = ben.page.getByRole('article').first();
    await expect(first).toBeVisible();
    const before = await first.textContent();
    const words = `Fresh ${ana.name} in ${path}`;
    await newPost(ana, words, communityId);
    const pill = ben.page.getByRole('button', { name: /^\d+ new posts?$/ });
    // Posts of other members too: a list that has some searches again after five seconds.
    await expect(pill).toBeVisible();
    // The list has not moved.
    expect(await first.textContent()).toBe(before);
    await expect(ben.page.getByText(words)).toHaveCount(0);
    // The button shows what was found so far: posts of others may be found first.
    await expect(async () => {
      if (await pill.isVisible()) await pill.click();
      await expect(ben.page.getByText(words)).toBeVisible({ timeout: 1_000 });
      await expect(pill).toHaveCount(0, { timeout: 1_000 });
    }).toPass();
  }
});

test('the button is accessible in both languages and themes, on a phone and a desktop', async ({
  browser,
}) => {
  const [ana, ben] = await pair(browser);
  await newPost(ana, 'First');
  const registered = ben.context.waitForEvent('response', (answer) => answer.url().endsWith('/interests'));
  await auditAddress(ben.page, '/', async (page) => {
    await registered;
    await expect(page.getByRole('article').first()).toBeVisible();
    await newPost(ana, 'Fresh');
    await expect(page.getByRole('button', { name: /new post|bagong post/ })).toBeVisible();
  });
});

test('membership: a member who joins is counted on the open page, and on the other devices', async ({
  browser,
}) => {
  const [ana, ben] = await pair(browser);
  const community = await write(ana, 'post', '/api/communities', { name: `Guild ${ana.name}` });
  await openLive(ana.page, `/communities/${community.id}`);
  await openLive(ben.page, `/communities/${community.id}`);
  await expect(ana.page.getByText(/^1 member/).first()).toBeVisible();
  await write(ben, 'put', `/api/communities/${community.id}/membership`);
  await expect(ana.page.getByText(/^2 members/).first()).toBeVisible(soon);
  await expect(ben.page.getByRole('button', { name: /^Leave/ })).toBeVisible(soon);
});

test('event: a new attendee is counted on the open page', async ({ browser }) => {
  const [ana, ben] = await pair(browser);
  const day = 86_400_000;
  const event = await write(ana, 'post', '/api/events', {
    title: `Finals ${ana.name}`,
    startDate: new Date(Date.now() + day).toISOString(),
    endDate: new Date(Date.now() + day + 3_600_000).toISOString(),
    timeZone: 'Asia/Manila',
  });
  await openLive(ana.page, `/events/${event.id}`);
  await openLive(ben.page, `/events/${event.id}`);
  await write(ben, 'put', `/api/events/${event.id}/attendance`);
  await expect(ana.page.getByText(ben.name).first()).toBeAttached(soon);
  await expect(ben.page.getByRole('button', { name: /^Leave/ }).first()).toBeVisible(soon);
});

test('application: an application on one device appears on the other', async ({ browser }) => {
  const [ana] = await pair(browser);
  const other = await browser.newContext({ storageState: await ana.context.storageState() });
  const page = await other.newPage();
  await openStream(page, '/jobs?tab=applications');
  await expect(page.getByRole('tabpanel')).toBeVisible();
  const jobs = (await (await ana.context.request.get('/api/jobs')).json()) as { id: string; title: string }[];
  const job = jobs[0] as { id: string; title: string };
  await write(ana, 'post', `/api/jobs/${job.id}/apply`, {});
  await expect(page.getByRole('tabpanel').getByText(job.title).first()).toBeVisible(soon);
  await other.close();
});

test('profile: a changed headline appears on the open profile', async ({ browser }) => {
  const [ana, ben] = await pair(browser);
  await openLive(ben.page, profile(ana));
  await write(ana, 'patch', `/api/users/${ana.id}`, { headline: 'Clerk of the moot court' });
  await expect(ben.page.getByText('Clerk of the moot court')).toBeVisible(soon);
});

test('a blocked member learns nothing of the other', async ({ browser }) => {
  const [ana, ben, cara] = (await createClassmates(browser, 'Ana', 'Ben', 'Cara')) as [
    TestMember,
    TestMember,
    TestMember,
  ];
  await connect(ana, ben);
  const post = await newPost(ana, `Private thoughts ${ana.name}`);
  await openLive(ben.page, `/posts/${post.id}`);
  const requests = await ben.context.newPage();
  await requests.goto('/network?tab=requests');
  await expect(requests.getByText("You don't have any pending invitations.")).toBeVisible();
  await write(ana, 'put', `/api/blocks/${ben.id}`);
  // Feed applies the block a moment later, and so does the gateway: it has when a later event of the same source arrives.
  await expect(async () => {
    expect((await ben.context.request.get(`/api/posts/${post.id}`)).status()).toBe(404);
  }).toPass();
  await write(cara, 'post', '/api/connections', {
    requesterId: cara.id,
    recipientId: ben.id,
    status: 'pending',
  });
  await expect(requests.getByRole('tab', { name: 'Connection Requests 1' })).toBeVisible();
  await requests.close();
  const reads: string[] = [];
  ben.page.on('request', (request) => reads.push(request.url()));
  await write(ana, 'patch', `/api/posts/${post.id}`, { content: 'Not for Ben' });
  // A later event of the same source reaches Ben, the edit did not.
  const other = await newPost(ben, `Own ${ben.name}`);
  await openLive(ben.page, `/posts/${other.id}`);
  await write(ana, 'post', `/api/posts/${post.id}/likes`, { userId: ana.id, type: 'like' });
  await write(ben, 'post', `/api/posts/${other.id}/likes`, { userId: ben.id, type: 'like' });
  await expect(ben.page.getByText('1 like')).toBeVisible();
  expect(reads.filter((url) => url.includes(post.id) && url.includes('/api/'))).toEqual([]);
});
