// Actions on a post: repost, send, save, edit, delete, report.
import { type BrowserContext, expect, type Page } from '@playwright/test';
import { auditAddress, auditScreen, dialogOpened, inEachLanguage, type Language } from './audit';
import { connect, createClassmates, reloadUntil, type TestMember } from './classmates';
import { test } from './test';

const unique = () => `${Date.now().toString(36)}${Math.floor(Math.random() * 1e6).toString(36)}`;
const postOf = (page: Page, words: string) => page.getByRole('article').filter({ hasText: words });

async function connectedPair(
  browser: Parameters<typeof createClassmates>[0],
): Promise<[TestMember, TestMember]> {
  const [ana, ben] = (await createClassmates(browser, 'Ana', 'Ben')) as [TestMember, TestMember];
  await connect(ana, ben);
  return [ana, ben];
}

async function createPost(by: { id: string; context: BrowserContext }, content: string): Promise<string> {
  const answer = await by.context.request.post('/api/posts', { data: { userId: by.id, content } });
  expect(answer.status()).toBe(201);
  return ((await answer.json()) as { id: string }).id;
}

/** Opens the menu of a post and selects an item. */
async function chooseMenuItem(page: Page, post: ReturnType<typeof postOf>, what: string) {
  await post
    .getByRole('button', { name: /^Options for/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: what }).click();
}

test('a repost with text is counted, notifies the author, and remains after its original is deleted', async ({
  browser,
}) => {
  const [ana, ben] = await connectedPair(browser);
  const words = `Moot court finals are on ${unique()}`;
  const id = await createPost(ana, words);

  await ben.page.goto(`/posts/${id}`);
  await ben.page.getByRole('button', { name: 'Share' }).click();
  await ben.page.getByRole('menuitem', { name: 'Repost with your thoughts' }).click();
  const dialog = ben.page.getByRole('dialog', { name: 'Repost' });
  await expect(dialog.getByText(words)).toBeVisible();
  const mine = `Go and heckle ${unique()}`;
  await dialog.getByRole('textbox').fill(mine);
  await dialog.getByRole('button', { name: 'Repost' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(ben.page.getByText('1 share')).toBeVisible();

  await reloadUntil(ana.page, '/notifications', () =>
    expect(ana.page.getByText(`${ben.name} reposted your post`)).toBeVisible({ timeout: 8_000 }),
  );
  await ana.page.goto(`/profile/${ben.id}`);
  await reloadUntil(ana.page, '/', () =>
    expect(postOf(ana.page, mine)).toContainText(words, { timeout: 8_000 }),
  );
  await postOf(ana.page, mine)
    .getByRole('link', { name: `See the original post by ${ana.name}` })
    .click();
  await expect(ana.page).toHaveURL(new RegExp(`/posts/${id}$`));
  // The screen takes the focus once it is loaded.
  await expect(ana.page.getByRole('main')).toBeFocused();

  await chooseMenuItem(ana.page, postOf(ana.page, words), 'Delete post');
  await ana.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(ana.page.getByText('Post deleted', { exact: true })).toBeVisible();
  await expect(ana.page).toHaveURL(/\/$/);
  await expect(postOf(ana.page, mine)).toContainText('This post is no longer available.');
  await expect(postOf(ana.page, mine)).not.toContainText(words);
});

test('a post that is sent into a conversation is shown as a card', async ({ browser }) => {
  const [ana, ben] = await connectedPair(browser);
  const words = `Outline for evidence ${unique()}`;
  const id = await createPost(ana, words);
  await ana.page.goto(`/posts/${id}`);
  await ana.page.getByRole('button', { name: 'Send', exact: true }).click();
  const dialog = ana.page.getByRole('dialog', { name: 'Send to' });
  await dialog.getByLabel('Search by name').fill(ben.name);
  await dialog.getByLabel('Message (optional)').fill('For Monday.');
  await dialog.getByRole('button', { name: `Send to ${ben.name}` }).click();
  await expect(dialog.getByRole('button', { name: `Sent to ${ben.name}` })).toBeVisible();
  await dialog.getByRole('button', { name: 'Done' }).click();

  await reloadUntil(ben.page, '/messages', async () => {
    await ben.page.getByRole('tabpanel').getByRole('link', { name: ana.name }).click({ timeout: 8_000 });
    await expect(ben.page.getByText('For Monday.').last()).toBeVisible({ timeout: 8_000 });
  });
  const card = ben.page.locator(`a[href="/posts/${id}"]`).first();
  await card.click();
  await expect(postOf(ben.page, words)).toBeVisible();
});

test('the address of a post is copied', async ({ browser }) => {
  const [ana] = await connectedPair(browser);
  const id = await createPost(ana, `A link ${unique()}`);
  await ana.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await ana.page.goto(`/posts/${id}`);
  await ana.page.getByRole('button', { name: 'Share' }).click();
  await ana.page.getByRole('menuitem', { name: 'Copy link' }).click();
  await expect(ana.page.getByText('Link copied', { exact: true })).toBeVisible();
  const copied = await ana.page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(new URL(`/posts/${id}`, ana.page.url()).href);
});

test('posts, jobs, news, resources and events are saved, listed by kind, and removed', async ({
  browser,
}) => {
  const [ana, ben] = await connectedPair(browser);
  const words = `Keep this ${unique()}`;
  const id = await createPost(ben, words);
  const { page } = ana;
  await page.goto(`/posts/${id}`);
  await chooseMenuItem(page, postOf(page, words), 'Save');
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();

  const names: string[] = [];
  for (const [path, tab] of [
    ['/jobs', 'Jobs'],
    ['/legal-news', 'News'],
    ['/resources', 'Resources'],
    ['/events', 'Events'],
  ] as const) {
    await page.goto(path);
    const button = page
      .getByRole('main')
      .getByRole('button', { name: /^Save ./ })
      .first();
    const name = ((await button.getAttribute('aria-label')) ?? '').replace(/^Save /, '');
    // The page also sends what it shows, and reads the list of saved items.
    const saved = page.waitForResponse(
      (answer) => answer.request().method() === 'PUT' && answer.url().includes('/api/saved-items/'),
    );
    await button.click();
    expect((await saved).status()).toBe(204);
    await expect(button).toHaveAttribute('aria-pressed', 'true');
    names.push(name);
    await page.goto('/saved-items');
    await page.getByRole('tab', { name: tab }).click();
    await expect(page.getByRole('tabpanel').getByText(name, { exact: true }).first()).toBeVisible();
    await expect(page.getByRole('tabpanel').getByRole('button', { name: /^Save ./ })).toHaveCount(1);
  }
  await page.goto('/saved-items');
  for (const name of [words, ...names]) await expect(page.getByText(name).first()).toBeVisible();

  // A deleted post shows as deleted and can be removed.
  expect((await ben.context.request.delete(`/api/posts/${id}`)).status()).toBe(204);
  await page.goto('/saved-items?kind=post');
  await expect(page.getByText('This post is no longer available.')).toBeVisible();
  const removed = page.waitForResponse((response) => response.request().method() === 'DELETE');
  await page.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('Nothing saved yet')).toBeVisible();
  await removed;
  await page.reload();
  await expect(page.getByText('Nothing saved yet')).toBeVisible();
});

test('saved items of every kind pass the audit in every variant', async ({ browser }) => {
  test.slow();
  const [ana, ben] = await connectedPair(browser);
  const { request } = ana.context;
  const first = async (path: string) => {
    const answer = await (await request.get(path)).json();
    return (Array.isArray(answer) ? answer : answer.articles)[0].id as string;
  };
  const gone = await createPost(ben, 'About to go.');
  const saved = [
    ['post', gone],
    ['post', await createPost(ben, `Keep this ${unique()}`)],
    ['job', await first('/api/jobs')],
    ['article', await first('/api/news')],
    ['resource', await first('/api/resources')],
    ['event', await first('/api/events')],
  ] as const;
  for (const [kind, id] of saved)
    expect((await request.put(`/api/saved-items/${kind}/${id}`)).status()).toBe(204);
  expect((await ben.context.request.delete(`/api/posts/${gone}`)).status()).toBe(204);

  await auditAddress(ana.page, '/saved-items', async (page) => {
    // A post is removed through its menu, other items by a pressed button.
    await expect(page.getByRole('tabpanel').getByRole('button', { pressed: true })).toHaveCount(4);
    await expect(
      page.getByText(/^(This post is no longer available|Wala na ang post na ito)\.$/),
    ).toBeVisible();
  });
});

test('a post and a comment are edited, marked as edited, and deleted', async ({ browser }) => {
  const [ana, ben] = await connectedPair(browser);
  const words = `First words ${unique()}`;
  const id = await createPost(ana, words);
  const { page } = ana;
  await page.goto(`/posts/${id}`);
  await chooseMenuItem(page, postOf(page, words), 'Edit post');
  const dialog = page.getByRole('dialog', { name: 'Edit post' });
  await dialog.getByRole('textbox').fill(`Better ${words}`);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(postOf(page, `Better ${words}`)).toBeVisible();
  await expect(page.getByText('edited')).toBeVisible();

  await ben.page.goto(`/posts/${id}`);
  await expect(ben.page.getByText('edited')).toBeVisible();
  const comment = { userId: ben.id, content: 'Seconded, with one exeption.' };
  expect((await ben.context.request.post(`/api/posts/${id}/comments`, { data: comment })).status()).toBe(201);
  await ben.page.reload();
  await ben.page.getByRole('button', { name: 'Options for your comment' }).click();
  await ben.page.getByRole('menuitem', { name: 'Edit comment' }).click();
  await ben.page.getByRole('listitem').getByRole('textbox').fill('Seconded, with one exception.');
  await ben.page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(ben.page.getByText('Seconded, with one exception.')).toBeVisible();
  await expect(ben.page.getByText('edited')).toHaveCount(2);

  // The author of a post may delete comments on it.
  await page.reload();
  await page.getByRole('button', { name: `Options for the comment by ${ben.name}` }).click();
  await page.getByRole('menuitem', { name: 'Delete comment' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Comment deleted', { exact: true })).toBeVisible();
  await expect(page.getByText('Seconded, with one exception.')).toHaveCount(0);
});

test('each of five reactions is added and changed, also by keyboard', async ({ browser }) => {
  const [ana, ben] = await connectedPair(browser);
  const id = await createPost(ana, `Passed the bar ${unique()}`);
  const { page } = ben;
  await page.goto(`/posts/${id}`);
  await page.getByRole('button', { name: 'Like', exact: true }).focus();
  await page.keyboard.press('ArrowUp');
  await page.getByRole('button', { name: 'Celebrate' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Celebrate', pressed: true })).toBeVisible();
  // The button shows the choice at once; a reload before the last request is answered would drop it.
  const saved = page.waitForResponse(
    (response) =>
      response.url().endsWith(`/api/posts/${id}/likes`) &&
      !!response.request().postData()?.includes('thanks'),
  );
  for (const name of ['Support', 'Insightful', 'Thanks']) {
    await page.getByRole('button', { name: 'Choose a reaction' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('toolbar', { name: 'Reactions' }).getByRole('button', { name }).click();
    await expect(page.getByRole('button', { name, pressed: true })).toBeVisible();
  }
  expect((await saved).ok()).toBe(true);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Thanks', pressed: true })).toBeVisible();
});

test('posts, comments, members, messages and jobs are reported', async ({ browser }) => {
  const [ana, ben] = await connectedPair(browser);
  const words = `Buy outlines ${unique()}`;
  const id = await createPost(ben, words);
  const comment = { userId: ben.id, content: 'Cheap outlines here.' };
  expect((await ben.context.request.post(`/api/posts/${id}/comments`, { data: comment })).status()).toBe(201);
  const { page } = ana;
  const report = async (title: string, reason: string) => {
    const dialog = page.getByRole('dialog', { name: title });
    await dialog.getByRole('radio', { name: reason }).check();
    const sent = page.waitForResponse(/\/api\/reports$/);
    await dialog.getByRole('button', { name: 'Report', exact: true }).click();
    expect((await sent).status()).toBe(202);
    await expect(page.getByText('Thank you. We will look at it.').first()).toBeVisible();
    await expect(dialog).toHaveCount(0);
  };

  await page.goto(`/posts/${id}`);
  await chooseMenuItem(page, postOf(page, words), 'Report post');
  await report('Report post', 'Spam');
  await page.getByRole('button', { name: `Options for the comment by ${ben.name}` }).click();
  await page.getByRole('menuitem', { name: 'Report comment' }).click();
  await report('Report comment', 'Spam');

  await page.goto(`/profile/${ben.id}`);
  await page
    .getByRole('main')
    .getByRole('button', { name: `Options for ${ben.name}` })
    .first()
    .click();
  await page.getByRole('menuitem', { name: `Report ${ben.name}` }).click();
  await report('Report member', 'Harassment');

  await page.goto('/jobs');
  await page.getByRole('main').getByRole('article').first().getByRole('link').first().click();
  await page.getByRole('button', { name: /Report/ }).click();
  await report('Report job', 'False information');

  const opened = await ben.context.request.post('/api/conversations', { data: { userId: ana.id } });
  const { id: conversation } = (await opened.json()) as { id: string };
  const message = await ben.context.request.post(`/api/conversations/${conversation}/messages`, {
    data: { content: 'Send me your outline or else.' },
  });
  expect(message.status()).toBe(201);
  await page.goto(`/messages/${conversation}`);
  const bubble = page.getByText('Send me your outline or else.').last();
  await bubble.hover();
  await page.getByRole('button', { name: 'Options for this message' }).click();
  await page.getByRole('menuitem', { name: 'Report message' }).click();
  await report('Report message', 'Illegal');
});

interface Texts {
  share: string;
  withWords: string;
  send: string;
  options: RegExp;
  edit: string;
  remove: string;
  other: RegExp;
  report: string;
}

const texts: Record<Language, Texts> = {
  en: {
    share: 'Share',
    withWords: 'Repost with your thoughts',
    send: 'Send',
    options: /^Options for this post/,
    edit: 'Edit post',
    remove: 'Delete post',
    other: /^Options for Ben/,
    report: 'Report post',
  },
  fil: {
    share: 'Ibahagi',
    withWords: 'I-repost nang may sariling salita',
    send: 'Ipadala',
    options: /^Mga opsyon para sa post/,
    edit: 'I-edit ang post',
    remove: 'Burahin ang post',
    other: /^Mga opsyon para kay Ben/,
    report: 'I-report ang post',
  },
};

test('the menus and dialogs of a post pass the audit in every variant', async ({ browser }) => {
  test.slow();
  const [ana, ben] = await connectedPair(browser);
  const [own, other] = [
    await createPost(ana, 'Draft two is due.'),
    await createPost(ben, 'Draft three is done.'),
  ];
  await inEachLanguage(ana.context, `/posts/${own}`, async (page, language) => {
    const text = texts[language];
    const closed = async () => {
      await auditScreen(page, language);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
      // A button pressed during the fade-out of its menu closes it.
      await expect(page.getByRole('menu')).toHaveCount(0);
    };
    const chooseMenuItem = async (button: string | RegExp, item: string) => {
      await page.getByRole('button', { name: button }).first().click();
      await page.getByRole('menuitem', { name: item }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
    };
    await page.getByRole('button', { name: text.share }).click();
    await expect(page.getByRole('menu')).toBeVisible();
    await closed();
    await chooseMenuItem(text.share, text.withWords);
    await closed();
    await page.getByRole('button', { name: text.send, exact: true }).click();
    await dialogOpened(page);
    await closed();
    await chooseMenuItem(text.options, text.edit);
    await closed();
    await chooseMenuItem(text.options, text.remove);
    await closed();
    await page.goto(`/posts/${other}`);
    await chooseMenuItem(text.other, text.report);
    await closed();
  });
});
