// The controls of the home feeds: follows, hidden posts, mutes, the reasons for a post, and the choice of the feed.
import { expect, type Page } from '@playwright/test';
import { auditAddress, auditScreen, dialogOpened, inEachLanguage } from './audit';
import { createClassmates, reloadUntil, type TestMember } from './classmates';
import { test } from './test';

type Feed = 'All posts' | 'Following' | 'My school' | 'My communities';

async function write(by: TestMember, content: string, more: object = {}): Promise<string> {
  const answer = await by.context.request.post('/api/posts', { data: { userId: by.id, content, ...more } });
  expect(answer.status()).toBe(201);
  return ((await answer.json()) as { id: string }).id;
}

/** A post keeps the school of its author at that time: waits until feed knows it. */
async function untilSchoolIsKnown(author: TestMember) {
  await expect(async () => {
    const id = await write(author, 'Which school is this?');
    const answer = await author.context.request.get('/api/posts?feed=school');
    const posts = (await answer.json()) as { id: string }[];
    expect((await author.context.request.delete(`/api/posts/${id}`)).status()).toBe(204);
    expect(posts.map((one) => one.id)).toContain(id);
  }).toPass();
}

const feedChoice = (page: Page) => page.getByRole('combobox', { name: 'Feed:' });
const sortChoice = (page: Page) => page.getByRole('combobox', { name: 'Sort by:' });
const post = (page: Page, words: string) => page.getByRole('article').filter({ hasText: words });

async function choose(page: Page, feed: Feed) {
  await feedChoice(page).click();
  await page.getByRole('option', { name: feed }).click();
  await expect(feedChoice(page)).toHaveText(feed);
}

/** Chooses an item of the menu of a post. */
async function fromMenu(page: Page, { name }: TestMember, words: string, item: string | RegExp) {
  await post(page, words)
    .getByRole('button', { name: `Options for ${name}` })
    .click();
  await page.getByRole('menuitem', { name: item }).click();
}

/** Opens home with the feed of the school until it contains these words: feed learns of the school a moment later. */
async function openSchoolFeed(page: Page, words: string) {
  await page.goto('/');
  await choose(page, 'My school');
  await reloadUntil(page, '/', () => expect(post(page, words)).toBeVisible({ timeout: 3_000 }));
}

test('each feed has its posts, a follow adds a member without a connection, and the choice is remembered', async ({
  browser,
}) => {
  const [ana, ben, carla] = (await createClassmates(browser, 'Ana', 'Ben', 'Carla')) as [
    TestMember,
    TestMember,
    TestMember,
  ];
  const { page } = ana;
  const toSchool = `A note on the clinic by ${ben.name}`;
  const ofCarla = `A note on the moot by ${carla.name}`;
  const inGuild = `Minutes of the guild by ${carla.name}`;
  const made = await carla.context.request.post('/api/communities', {
    data: { name: `Guild ${carla.name}` },
  });
  const communityId = ((await made.json()) as { id: string }).id;
  expect((await ana.context.request.put(`/api/communities/${communityId}/membership`)).ok()).toBe(true);
  await untilSchoolIsKnown(ben);
  await untilSchoolIsKnown(carla);
  await write(ben, toSchool);
  await write(carla, ofCarla);
  await expect(async () => {
    await write(carla, inGuild, { communityId });
  }).toPass();

  await test.step('school', async () => {
    await openSchoolFeed(page, toSchool);
    await expect(post(page, ofCarla)).toBeVisible();
    await expect(post(page, inGuild)).toHaveCount(0);
  });

  await test.step('communities, with the reason', async () => {
    await choose(page, 'My communities');
    await reloadUntil(page, '/', () => expect(post(page, inGuild)).toBeVisible({ timeout: 3_000 }));
    await expect(post(page, toSchool)).toHaveCount(0);
    await fromMenu(page, carla, inGuild, 'Why am I seeing this?');
    const dialog = page.getByRole('dialog', { name: 'Why am I seeing this?' });
    await expect(dialog.getByText(`It is in Guild ${carla.name}, which you belong to.`)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
  });

  await test.step('following has the communities, and a member who is followed from the menu of a post', async () => {
    await choose(page, 'Following');
    await expect(post(page, inGuild)).toBeVisible();
    await expect(post(page, toSchool)).toHaveCount(0);
    await choose(page, 'My school');
    await fromMenu(page, ben, toSchool, `Follow ${ben.name}`);
    await expect(page.getByText(`You follow ${ben.name}`, { exact: true }).first()).toBeVisible();
    await choose(page, 'Following');
    await reloadUntil(page, '/', () => expect(post(page, toSchool)).toBeVisible({ timeout: 3_000 }));
    await expect(post(page, ofCarla)).toHaveCount(0);
    // A follow is no request.
    const requests = await ben.context.request.get(`/api/connections?recipientId=${ben.id}&status=pending`);
    expect(await requests.json()).toEqual([]);
  });

  await test.step('the choice and the reasons after a reload', async () => {
    await page.reload();
    await expect(feedChoice(page)).toHaveText('Following');
    await expect(post(page, toSchool)).toBeVisible();
    await fromMenu(page, ben, toSchool, 'Why am I seeing this?');
    const dialog = page.getByRole('dialog', { name: 'Why am I seeing this?' });
    await expect(dialog.getByRole('listitem')).toHaveText([
      `You follow ${ben.name}.`,
      `${ben.name} was at your school when they wrote it.`,
    ]);
    await dialog.getByRole('link', { name: 'Feed settings' }).click();
    await expect(page).toHaveURL('/settings/feed');
  });

  await test.step('the settings end the follow', async () => {
    await page.getByRole('button', { name: `Unfollow ${ben.name}` }).click();
    await expect(page.getByText('You do not follow any members.')).toBeVisible();
    await reloadUntil(page, '/', async () => {
      await expect(post(page, inGuild)).toBeVisible({ timeout: 3_000 });
      await expect(post(page, toSchool)).toHaveCount(0, { timeout: 1_000 });
    });
  });

  await test.step('the order of all posts: top, and relevant again', async () => {
    await choose(page, 'All posts');
    for (const [name, sort] of [
      ['Top', 'top'],
      ['Most relevant', 'relevant'],
    ] as const) {
      await sortChoice(page).click();
      await page.getByRole('option', { name }).click();
      await expect(sortChoice(page)).toHaveText(name);
      // Ends what the old page still asks.
      await page.goto('about:blank');
      const answered = page.waitForResponse(
        (answer) => new URL(answer.url()).searchParams.get('sort') === sort,
      );
      await page.goto('/');
      const answer = await answered;
      await expect(sortChoice(page)).toHaveText(name);
      const served = (await answer.json()) as { id: string; likeCount: number }[];
      // A list is drawn in slices: its beginning is enough.
      await expect(page.getByRole('article').nth(1)).toBeVisible();
      const shown = await page
        .getByRole('article')
        .evaluateAll((articles) => articles.map((article) => article.getAttribute('data-post')));
      expect(shown).toEqual(served.slice(0, shown.length).map(({ id }) => id));
      const likes = served.map(({ likeCount }) => likeCount);
      const falling = likes.toSorted((a, b) => b - a);
      if (sort === 'top') expect(likes).toEqual(falling);
      else expect(likes).not.toEqual(falling);
    }
  });
});

test('what is hidden or muted leaves the feeds at once, and the settings bring it back', async ({
  browser,
}) => {
  const [ana, ben] = (await createClassmates(browser, 'Ana', 'Ben')) as [TestMember, TestMember];
  const { page } = ana;
  const word = `estoppel${ben.id.replaceAll('-', '')}`;
  const [hidden, lowered, shown] = ['Hidden', 'Lowered', 'Shown'].map(
    (what) => `${what} note of ${ben.name}`,
  ) as [string, string, string];
  const wordy = `On ${word.toUpperCase()}, a note of ${ben.name}`;
  await untilSchoolIsKnown(ben);
  for (const words of [hidden, lowered, shown, wordy]) await write(ben, words);
  await openSchoolFeed(page, wordy);
  const settings = (name: string) => page.getByRole('region', { name });

  await test.step('hide, undo, and hide again', async () => {
    await fromMenu(page, ben, hidden, 'Hide post');
    const notice = page.getByRole('status').filter({ hasText: 'Post hidden' });
    await expect(notice).toBeVisible();
    await expect(post(page, hidden)).toHaveCount(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(post(page, hidden)).toBeVisible();
    await fromMenu(page, ben, hidden, 'Hide post');
    await expect(notice).toBeVisible();
  });

  await test.step('not interested', async () => {
    const stored = page.waitForResponse(
      (answer) =>
        answer.url().includes('/api/hidden-posts/') && !!answer.request().postData()?.includes('true'),
    );
    await fromMenu(page, ben, lowered, 'Not interested');
    await expect(
      page.getByRole('status').filter({ hasText: 'Post hidden. For 30 days you will see less like it.' }),
    ).toBeVisible();
    expect((await stored).ok()).toBe(true);
    await page.reload();
    await expect(post(page, shown)).toBeVisible();
    await expect(post(page, hidden)).toHaveCount(0);
    await expect(post(page, lowered)).toHaveCount(0);
  });

  await test.step('a word for 24 hours', async () => {
    await fromMenu(page, ben, shown, 'Mute...');
    const dialog = page.getByRole('dialog', { name: 'Mute' });
    await dialog.getByRole('radio', { name: 'A word' }).check();
    await dialog.getByRole('button', { name: 'Mute', exact: true }).click();
    await expect(dialog.getByText('Enter a word to mute.')).toBeVisible();
    await dialog.getByRole('textbox', { name: 'Word' }).fill(word);
    await dialog.getByRole('radio', { name: '24 hours' }).check();
    await dialog.getByRole('button', { name: 'Mute', exact: true }).click();
    await expect(dialog).toHaveCount(0);
    await expect(post(page, wordy)).toHaveCount(0);
    await expect(post(page, shown)).toBeVisible();
    // The profile still has it.
    await page.goto(`/profile/${ben.id}`);
    await expect(post(page, wordy)).toBeVisible();
  });

  await test.step('the settings name the word with its end, and both posts', async () => {
    await page.goto('/settings/feed');
    const row = settings('Muted words').getByRole('listitem').filter({ hasText: word });
    const until = (await row.getByText(/^Until /).textContent()) ?? '';
    const hours =
      (Date.parse(until.replace(/^Until |[\u202f\u00a0]/g, (found) => (found.length > 1 ? '' : ' '))) -
        Date.now()) /
      3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThanOrEqual(24);
    const rows = settings('Hidden posts').getByRole('listitem');
    await expect(rows).toHaveCount(2);
    await expect(rows.filter({ hasText: lowered })).toContainText('Not interested');
    await expect(rows.filter({ hasText: hidden })).not.toContainText('Not interested');

    await row.getByRole('button', { name: `Unmute ${word}` }).click();
    await expect(page.getByText('You have not muted any words.')).toBeVisible();
    const show = page.getByRole('button', { name: `Show again the post by ${ben.name}` });
    await show.first().click();
    await expect(rows).toHaveCount(1);
    await show.click();
    await expect(page.getByText('You have not hidden any posts.')).toBeVisible();
    await page.goto('/');
    for (const words of [hidden, lowered, shown, wordy]) await expect(post(page, words)).toBeVisible();
  });

  await test.step('a member', async () => {
    await fromMenu(page, ben, shown, 'Mute...');
    const dialog = page.getByRole('dialog', { name: 'Mute' });
    await expect(dialog.getByRole('radio', { name: `Posts by ${ben.name}` })).toBeChecked();
    await dialog.getByRole('button', { name: 'Mute', exact: true }).click();
    await expect(page.getByText('No posts from your school yet.')).toBeVisible();
    await page.goto('/settings/feed');
    await settings('Muted members')
      .getByRole('button', { name: `Unmute ${ben.name}` })
      .click();
    await expect(page.getByText('You have not muted any members.')).toBeVisible();
    await page.goto('/');
    await expect(post(page, shown)).toBeVisible();
  });
});

test('the dialogs and the settings have no accessibility violations', async ({ browser }) => {
  test.slow();
  const [ana, ben] = (await createClassmates(browser, 'Ana', 'Ben')) as [TestMember, TestMember];
  const id = await write(ben, `A note of ${ben.name}`);
  await inEachLanguage(ana.context, `/posts/${id}`, async (page, language) => {
    const menu = page.getByRole('button', { name: new RegExp(`^(Options for|Mga opsyon).* ${ben.name}$`) });
    for (const item of [/^(Why am I seeing this\?|Bakit ko ito nakikita\?)$/, /^(Mute|I-mute)\.\.\.$/]) {
      await menu.first().click();
      await page.getByRole('menuitem', { name: item }).click();
      await dialogOpened(page);
      const dialog = page.getByRole('dialog');
      if (item.source.includes('Mute')) await dialog.getByRole('radio').nth(1).check();
      else await expect(dialog.getByRole('listitem').first()).toBeVisible();
      await auditScreen(page, language);
      await page.keyboard.press('Escape');
      await expect(dialog).toHaveCount(0);
    }
  });
  for (const [path, data] of [
    ['/api/mutes', { kind: 'word', word: 'estoppel', duration: 'week' }],
    ['/api/mutes', { kind: 'member', targetId: ben.id, duration: 'forever' }],
  ] as const)
    expect((await ana.context.request.post(path, { data })).ok()).toBe(true);
  expect((await ana.context.request.put(`/api/follows/${ben.id}`)).ok()).toBe(true);
  const hide = { data: { notInterested: true } };
  expect((await ana.context.request.put(`/api/hidden-posts/${id}`, hide)).ok()).toBe(true);
  await auditAddress(ana.page, '/settings/feed', (page) =>
    expect(page.getByRole('main').getByRole('listitem')).toHaveCount(4),
  );
});
