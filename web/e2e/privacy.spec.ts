// The privacy settings as others meet them: a visitor, a member and a connection, each in their own browser.
import { type Browser, expect, type Page } from '@playwright/test';
import { connect, createClassmates, type TestMember } from './classmates';
import { test } from './test';

const profile = ({ id }: TestMember) => `/profile/${id}`;
const heading = (page: Page, { name }: TestMember) => page.getByRole('heading', { level: 1, name });
const bubble = (page: Page, words: string) =>
  page
    .getByRole('region', { name: /^Conversation with / })
    .getByRole('listitem')
    .filter({ hasText: words });
const message = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true });

/** The owner of the settings, a member and a connection. */
async function members(browser: Browser): Promise<[TestMember, TestMember, TestMember]> {
  const [ana, ben, cara] = (await createClassmates(browser, 'Ana', 'Ben', 'Cara')) as [
    TestMember,
    TestMember,
    TestMember,
  ];
  await connect(ana, cara);
  return [ana, ben, cara];
}

/** Changes a setting, and waits until it is stored. */
async function change({ page }: TestMember, press: (page: Page) => Promise<void>) {
  if (new URL(page.url(), 'http://none').pathname !== '/settings/privacy')
    await page.goto('/settings/privacy');
  const stored = page.waitForResponse(
    (answer) => answer.url().endsWith('/privacy') && answer.request().method() === 'PATCH',
  );
  await press(page);
  expect((await stored).status()).toBe(200);
}

const choose = (owner: TestMember, group: string, name: string) =>
  change(owner, async (page) => {
    const radio = page.getByRole('group', { name: group }).getByRole('radio', { name });
    await radio.click();
    await expect(radio).toBeChecked();
  });
const audience = (owner: TestMember, name: 'Everyone' | 'Members' | 'Connections') =>
  choose(owner, 'Who can see your profile', name);
const writers = (owner: TestMember, name: 'Everyone' | 'Connections' | 'No one new') =>
  choose(owner, 'Who can start a conversation with you', name);
const turn = (owner: TestMember, name: string, on: boolean) =>
  change(owner, async (page) => {
    await page.getByRole('switch', { name }).click();
    await expect(page.getByRole('switch', { name })).toBeChecked({ checked: on });
  });

test('the profile is seen by everyone, by members, or by connections, and search engines are asked to leave', async ({
  browser,
}) => {
  const [ana, ben, cara] = await members(browser);
  const visitor = await (await browser.newContext()).newPage();
  const robots = async () => {
    const answer = await visitor.goto(profile(ana));
    expect(answer?.status()).toBe(200);
    return answer?.headers()['x-robots-tag'];
  };
  const about = (page: Page) => page.getByRole('main').getByText('No bio information provided yet.');

  await test.step('everyone', async () => {
    await expect.poll(robots).toBeUndefined();
    await expect(heading(visitor, ana)).toBeVisible();
    await expect(about(visitor)).toBeVisible();
    await turn(ana, 'Search engines', false);
    await expect.poll(robots).toBe('noindex');
    // A person still sees it.
    await expect(heading(visitor, ana)).toBeVisible();
    await turn(ana, 'Search engines', true);
    await expect.poll(robots).toBeUndefined();
  });

  await test.step('members', async () => {
    await audience(ana, 'Members');
    await expect.poll(robots).toBe('noindex');
    await expect(visitor.getByText('Error loading profile')).toBeVisible();
    await expect(visitor.getByText(ana.name)).toHaveCount(0);
    await ben.page.goto(profile(ana));
    await expect(heading(ben.page, ana)).toBeVisible();
    await expect(about(ben.page)).toBeVisible();
  });

  await test.step('connections', async () => {
    await audience(ana, 'Connections');
    await visitor.goto(profile(ana));
    await expect(visitor.getByText('Error loading profile')).toBeVisible();
    await ben.page.goto(profile(ana));
    await expect(ben.page.getByText(`${ana.name} limits who sees this profile`)).toBeVisible();
    await expect(about(ben.page)).toHaveCount(0);
    await expect(ben.page.getByRole('tab', { name: 'Activity' })).toHaveCount(0);
    await cara.page.goto(profile(ana));
    await expect(heading(cara.page, ana)).toBeVisible();
    await expect(about(cara.page)).toBeVisible();
    // Strangers do not find the member; connections do.
    const found = async ({ page }: TestMember) => {
      await page.goto(`/search?q=${encodeURIComponent(ana.name)}`);
      await expect(
        page
          .getByRole('tabpanel')
          .getByText(/No people found matching|1L at School/)
          .first(),
      ).toBeVisible();
      return page.getByRole('tabpanel').getByRole('link', { name: ana.name, exact: true }).count();
    };
    await expect.poll(() => found(ben)).toBe(0);
    await expect.poll(() => found(cara)).toBeGreaterThan(0);
  });

  await test.step('everyone again', async () => {
    await audience(ana, 'Everyone');
    await ana.page.reload();
    const group = ana.page.getByRole('group', { name: 'Who can see your profile' });
    await expect(group.getByRole('radio', { name: 'Everyone' })).toBeChecked();
    await expect.poll(robots).toBeUndefined();
    await expect(about(visitor)).toBeVisible();
  });
});

test('who may start a conversation', async ({ browser }) => {
  const [ana, ben, cara] = await members(browser);
  /** Presses Message on the profile and sends; what the member then reads. */
  const refused = (page: Page) => page.getByText(/This member does not accept new messages\./).first();
  const write = async ({ page }: TestMember, words: string) => {
    await page.goto(profile(ana));
    await page.getByRole('button', { name: 'Message' }).click();
    await expect(message(page).or(refused(page)).first()).toBeVisible();
    if (await message(page).isVisible()) {
      await message(page).fill(words);
      await message(page).press('Enter');
    }
  };

  await test.step('connections only: a stranger is refused, a connection is not', async () => {
    await writers(ana, 'Connections');
    await expect(async () => {
      await write(ben, 'May I ask you something?');
      await expect(refused(ben.page)).toBeVisible({ timeout: 2_000 });
    }).toPass();
    await write(cara, 'Are you taking the clinic?');
    await expect(
      bubble(cara.page, 'Are you taking the clinic?').getByRole('img', { name: 'Sent' }),
    ).toBeVisible();
  });

  await test.step('no one new: a connection is refused until the member writes', async () => {
    await writers(ana, 'No one new');
    await expect(async () => {
      await write(cara, 'Still there?');
      await expect(refused(cara.page)).toBeVisible({ timeout: 2_000 });
    }).toPass();
    await ana.page.goto('/messages');
    await ana.page.getByRole('tabpanel').getByRole('link', { name: cara.name }).click();
    await message(ana.page).fill('Yes, I am.');
    await message(ana.page).press('Enter');
    await expect(bubble(cara.page, 'Yes, I am.')).toBeVisible();
    await write(cara, 'See you there.');
    await expect(bubble(ana.page, 'See you there.')).toBeVisible();
  });

  await test.step('everyone again: a stranger sends a request', async () => {
    await writers(ana, 'Everyone');
    await expect(async () => {
      await write(ben, 'May I ask you now?');
      await expect(bubble(ben.page, 'May I ask you now?').getByRole('img', { name: 'Sent' })).toBeVisible({
        timeout: 2_000,
      });
    }).toPass();
    await ana.page.goto('/messages?folder=requests');
    await expect(ana.page.getByRole('tabpanel').getByRole('link', { name: ben.name })).toBeVisible();
  });
});

test('comments and reactions leave the Activity tab for others', async ({ browser }) => {
  const [ana, ben] = await members(browser);
  const data = { userId: ben.id, content: `Who argues first? ${ben.name}` };
  const { id } = (await (await ben.context.request.post('/api/posts', { data })).json()) as { id: string };
  const liked = await ana.context.request.post(`/api/posts/${id}/likes`, {
    data: { userId: ana.id, type: 'like' },
  });
  expect(liked.ok()).toBe(true);
  const visitor = await (await browser.newContext()).newPage();
  const activity = async (page: Page) => {
    await page.goto(profile(ana));
    await page.getByRole('tab', { name: 'Activity' }).click();
    const like = page.getByRole('tabpanel').getByRole('listitem').filter({ hasText: data.content });
    await expect(like.or(page.getByText('Recent activity will appear here.'))).toBeVisible();
    return like.count();
  };
  await expect.poll(() => activity(visitor)).toBe(1);
  await turn(ana, 'Activity', false);
  await expect.poll(() => activity(visitor)).toBe(0);
  expect(await activity(ben.page)).toBe(0);
  // The member sees their own.
  expect(await activity(ana.page)).toBe(1);
  await turn(ana, 'Activity', true);
  await expect.poll(() => activity(ben.page)).toBe(1);
});

test('without read receipts neither side learns what was read', async ({ browser }) => {
  const [ana, ben, cara] = await members(browser);
  const answer = await cara.context.request.post('/api/conversations', { data: { userId: ana.id } });
  const { id } = (await answer.json()) as { id: string };
  const state = (page: Page, words: string, name: 'Sent' | 'Read') =>
    bubble(page, words).getByRole('img', { name });
  const send = async (page: Page, words: string) => {
    await message(page).fill(words);
    await message(page).press('Enter');
  };
  const open = async ({ page }: TestMember) => {
    const stream = page.waitForResponse((response) => response.url().endsWith('/api/live'));
    await page.goto(`/messages/${id}`);
    await stream;
  };

  await turn(ana, 'Read receipts', false);
  // Messaging applies the settings in their order: it knows the first once it knows the second.
  await writers(ana, 'Connections');
  const asked = await ben.context.request.post('/api/conversations', { data: { userId: ana.id } });
  const request = ((await asked.json()) as { id?: string }).id;
  if (request)
    await expect
      .poll(async () => {
        const data = { userId: ben.id, conversationId: request, content: 'May I ask you something?' };
        const path = `/api/conversations/${request}/messages`;
        return (await (await ben.context.request.post(path, { data })).json()) as object;
      })
      .toMatchObject({ code: 'MESSAGES_CLOSED' });
  else expect(asked.status()).toBe(403);

  await open(cara);
  await open(ana);
  await send(cara.page, 'Are you taking the clinic?');
  await expect(bubble(ana.page, 'Are you taking the clinic?')).toBeVisible();
  await send(ana.page, 'If my schedule survives.');
  await expect(bubble(cara.page, 'If my schedule survives.')).toBeVisible();
  await send(cara.page, 'Tell me.');
  await expect(bubble(ana.page, 'Tell me.')).toBeVisible();
  // Both have read, live and after a reload.
  for (const reloads of [false, true]) {
    if (reloads) for (const { page } of [cara, ana]) await page.reload();
    await expect(state(cara.page, 'Are you taking the clinic?', 'Sent')).toBeVisible();
    await expect(state(cara.page, 'Tell me.', 'Sent')).toBeVisible();
    await expect(state(ana.page, 'If my schedule survives.', 'Sent')).toBeVisible();
    for (const { page } of [cara, ana]) await expect(page.getByRole('img', { name: 'Read' })).toHaveCount(0);
  }
  // The count of the reader follows nevertheless.
  await expect(ana.page.getByRole('banner').getByText(/unread message/)).toHaveCount(0);
});
