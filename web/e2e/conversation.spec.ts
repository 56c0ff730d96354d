// The conversation below a post: replies, likes, the members who reacted, permalinks.
import { expect } from '@playwright/test';
import { auditScreen, dialogOpened, inEachLanguage } from './audit';
import { connect, createClassmates, reloadUntil, type TestMember } from './classmates';
import { test } from './test';

const unique = () => `${Date.now().toString(36)}${Math.floor(Math.random() * 1e6).toString(36)}`;

/** Writes a post, or a comment on one. */
async function write(by: TestMember, path: string, content: string, more: object = {}): Promise<string> {
  const answer = await by.context.request.post(path, { data: { userId: by.id, content, ...more } });
  expect(answer.status()).toBe(201);
  return ((await answer.json()) as { id: string }).id;
}

test('a reply and a like of a comment notify its author, whose notification leads to the thread', async ({
  browser,
}) => {
  const [ana, ben] = (await createClassmates(browser, 'Ana', 'Ben')) as [TestMember, TestMember];
  await connect(ana, ben);
  const post = await write(ana, '/api/posts', `Who argues first? ${unique()}`);
  await write(ben, `/api/posts/${post}/comments`, 'The petitioner does.');

  await ana.page.goto(`/posts/${post}`);
  await ana.page.getByRole('button', { name: `Like the comment by ${ben.name}` }).click();
  await expect(ana.page.getByRole('button', { name: '1 like' })).toBeVisible();
  await ana.page.getByRole('button', { name: `Reply to the comment by ${ben.name}` }).click();
  await ana.page.getByRole('textbox', { name: `Reply to ${ben.name}` }).fill('Even on appeal?');
  await ana.page.getByRole('button', { name: 'Post', exact: true }).first().click();
  await expect(ana.page.getByText('Even on appeal?')).toBeVisible();
  await ana.page.getByRole('button', { name: '1 like' }).click();
  const dialog = ana.page.getByRole('dialog', { name: 'Reactions' });
  await expect(dialog.getByRole('link', { name: ana.name })).toBeVisible();

  await reloadUntil(ben.page, '/notifications', () =>
    expect(ben.page.getByText(`${ana.name} replied to your comment`)).toBeVisible({ timeout: 8_000 }),
  );
  await expect(ben.page.getByText(`${ana.name} liked your comment`)).toBeVisible();
  await ben.page.getByText(`${ana.name} replied to your comment`).click();
  await expect(ben.page).toHaveURL(new RegExp(`/posts/${post}\\?comment=`));
  await expect(ben.page.locator('[aria-current="true"]')).toContainText('The petitioner does.');
  await expect(ben.page.getByText('Even on appeal?')).toBeVisible();
});

test('a permalink shows a comment that is not on the first page', async ({ browser }) => {
  const [ana] = (await createClassmates(browser, 'Ana', 'Ben')) as [TestMember, TestMember];
  const post = await write(ana, '/api/posts', `A long argument ${unique()}`);
  const first = await write(ana, `/api/posts/${post}/comments`, 'The very first.');
  const reply = await write(ana, `/api/posts/${post}/comments`, 'Its reply.', { replyTo: first });
  for (let n = 0; n < 24; n += 1) await write(ana, `/api/posts/${post}/comments`, `Argument ${n}`);

  await ana.page.goto(`/posts/${post}`);
  await expect(ana.page.getByText('Argument 23')).toBeVisible();
  await expect(ana.page.getByText('The very first.')).toHaveCount(0);
  for (const [id, words] of [
    [first, 'The very first.'],
    [reply, 'Its reply.'],
  ] as const) {
    await ana.page.goto(`/posts/${post}?comment=${id}`);
    const linked = ana.page.locator('[aria-current="true"]');
    await expect(linked).toContainText(words);
    await expect(linked).toBeInViewport();
    await expect(linked).toBeFocused();
  }
  await ana.page.getByRole('button', { name: 'Show earlier comments' }).click();
  await expect(ana.page.getByText('Argument 0', { exact: true })).toBeVisible();
  await expect(ana.page.getByText('The very first.')).toHaveCount(1);
});

test('the conversation has no accessibility violations', async ({ browser }) => {
  const [ana, ben] = (await createClassmates(browser, 'Ana', 'Ben')) as [TestMember, TestMember];
  const post = await write(ana, '/api/posts', `Questions? ${unique()}`);
  const comment = await write(ben, `/api/posts/${post}/comments`, 'Several.');
  await write(ana, `/api/posts/${post}/comments`, 'Name one.', { replyTo: comment });
  await ana.context.request.post(`/api/comments/${comment}/likes`, { data: { type: 'like' } });
  await inEachLanguage(ana.context, `/posts/${post}?comment=${comment}`, async (page, language) => {
    await expect(page.getByText('Name one.')).toBeVisible();
    await auditScreen(page, language);
    await page.locator('article li [aria-haspopup="dialog"]').click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('link', { name: ana.name })).toBeVisible();
    await dialogOpened(page);
    await auditScreen(page, language);
  });
});
