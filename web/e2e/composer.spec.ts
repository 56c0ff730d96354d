// Posts with more than text: picture with alt text, article, video link, event from the composer.
import { expect, type Page } from '@playwright/test';
import { auditAddress, auditScreen, dialogOpened, inEachLanguage, type Language } from './audit';
import { connect, createClassmates, reloadUntil, type TestMember } from './classmates';
import { newMember } from './member';
import { png } from './picture';
import { test } from './test';

const unique = () => `${Date.now().toString(36)}${Math.floor(Math.random() * 1e6).toString(36)}`;
const postOf = (page: Page, words: string) => page.getByRole('article').filter({ hasText: words });
const expectPublished = (page: Page) =>
  expect(page.getByText('Your post has been published successfully.', { exact: true })).toBeVisible();

/** The natural width of a picture in the browser. */
const naturalWidth = (page: Page, alt: string) =>
  page.getByRole('img', { name: alt }).evaluate((image) => (image as HTMLImageElement).naturalWidth);

test('a picture is posted with its alt text, is visible to others, and persists after a reload', async ({
  browser,
}) => {
  const [ana, ben] = (await createClassmates(browser, 'Ana', 'Ben')) as [TestMember, TestMember];
  await connect(ana, ben);
  const words = `The courtroom ${unique()}`;
  const alt = `An empty courtroom ${unique()}`;
  const { page } = ana;
  await page.goto('/');
  await page.getByRole('button', { name: 'Photo' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create a post' });
  await dialog.getByRole('textbox', { name: 'Post' }).fill(words);

  // A file that is not a picture is refused by the browser or the server, and the form keeps its content.
  const file = dialog.getByLabel('Choose a picture', { exact: true }).first();
  await file.setInputFiles({
    name: 'brief.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from('%PDF-1.7'),
  });
  await expect(page.getByText('Please choose a PNG or JPEG picture.').first()).toBeVisible();
  await file.setInputFiles({
    name: 'fake.png',
    mimeType: 'image/png',
    buffer: Buffer.from('<svg onload=alert(1)>'),
  });
  await expect(page.getByText(/^Failed to upload picture: /).first()).toBeVisible();
  await expect(dialog.getByRole('textbox', { name: 'Post' })).toHaveValue(words);

  await file.setInputFiles(png(640, 360));
  await dialog.getByLabel('What does the picture show?').fill(alt);
  await expect(dialog.getByRole('button', { name: 'Post', exact: true })).toBeEnabled();
  await dialog.getByRole('button', { name: 'Post', exact: true }).click();
  await expectPublished(page);
  await page.reload();
  await expect.poll(() => naturalWidth(page, alt)).toBeGreaterThan(0);

  await reloadUntil(ben.page, '/', () => expect(postOf(ben.page, words)).toBeVisible({ timeout: 8_000 }));
  await expect.poll(() => naturalWidth(ben.page, alt)).toBeGreaterThan(0);
});

test('a photo with more pixels than the server takes is scaled before it is sent', async ({
  page,
  context,
}) => {
  await newMember(context, 'Isabel Reyes');
  await page.goto('/');
  await page.getByRole('button', { name: 'Photo' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create a post' });
  const photo = await page.evaluate(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 8064, height: 6048 });
    canvas.getContext('2d')?.fillRect(0, 0, 4000, 6048);
    return canvas.toDataURL('image/jpeg');
  });
  const answer = page.waitForResponse((response) => response.url().endsWith('/api/pictures'));
  await dialog
    .getByLabel('Choose a picture', { exact: true })
    .first()
    .setInputFiles({
      name: 'IMG_1.jpg',
      mimeType: 'image/jpeg',
      buffer: Buffer.from(photo.split(',')[1] ?? '', 'base64'),
    });
  const response = await answer;
  expect(response.status()).toBe(201);
  expect(await response.json()).toMatchObject({ width: 1600, height: 1200 });

  await dialog
    .getByLabel('Choose a picture', { exact: true })
    .first()
    .setInputFiles({ name: 'IMG_2.heic', mimeType: 'image/heic', buffer: Buffer.from('no picture') });
  await expect(
    page.getByText('This browser cannot read IMG_2.heic. Please choose a PNG or JPEG picture.').first(),
  ).toBeVisible();
});

test('an article has a title, is shortened in the list and complete on its page', async ({
  page,
  context,
}) => {
  const { id: me } = await newMember(context, 'Isabel Reyes');
  const title = `Hearsay in an afternoon ${unique()}`;
  await page.goto('/');
  await page.getByRole('button', { name: 'Article' }).click();
  const dialog = page.getByRole('dialog', { name: 'Write an article' });
  await dialog
    .getByRole('textbox', { name: 'Article' })
    .fill(
      `## Begin at the end\n\nRead **Rule 803** first. ${'Then read it again. '.repeat(60)}\n\n- Excited utterance\n- Dying declaration\n\n[The rules](https://example.org/rules) and [a trap](javascript:alert(1)).\n\nTHE END`,
    );
  await dialog.getByRole('button', { name: 'Post', exact: true }).click();
  await expect(page.getByText('Please give your article a title.', { exact: true })).toBeVisible();
  await dialog.getByLabel('Title').fill(title);
  await dialog.getByRole('button', { name: 'Post', exact: true }).click();
  await expectPublished(page);

  await page.goto(`/profile/${me}`);
  await page.goto('/');
  const post = postOf(page, title);
  await expect(post).toBeVisible();
  await expect(post).not.toContainText('THE END');
  await expect(post).not.toContainText('**');
  await post.getByRole('link', { name: `Read article: ${title}` }).click();
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Begin at the end' })).toBeVisible();
  await expect(page.locator('strong', { hasText: 'Rule 803' })).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'Dying declaration' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'The rules' })).toHaveAttribute(
    'href',
    'https://example.org/rules',
  );
  await expect(page.getByText('THE END', { exact: true })).toBeVisible();
  expect(await page.locator('a[href^="javascript:"]').count()).toBe(0);
});

test('a video is a card with a link, and an invalid address is refused', async ({ page, context }) => {
  await newMember(context, 'Isabel Reyes');
  const words = `Watch the argument ${unique()}`;
  await page.goto('/');
  await page.getByRole('button', { name: 'Video' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create a post' });
  await dialog.getByRole('textbox', { name: 'Post' }).fill(words);
  await dialog.getByLabel('Link to a video').fill('javascript:alert(1)');
  await dialog.getByRole('button', { name: 'Post', exact: true }).click();
  await expect(
    page.getByText('Please enter the full link to a page with a video.', { exact: true }),
  ).toBeVisible();
  const address = 'https://www.example.org/watch?v=oral-argument';
  await dialog.getByLabel('Link to a video').fill(address);
  await dialog.getByRole('button', { name: 'Post', exact: true }).click();
  await expectPublished(page);
  const card = postOf(page, words).getByRole('link', { name: /Watch on example\.org/ });
  await expect(card).toHaveAttribute('href', address);
  await expect(card).toHaveAttribute('rel', /noopener/);
});

test('Event opens the event form', async ({ page, context }) => {
  await newMember(context, 'Isabel Reyes');
  await page.goto('/');
  await page.getByRole('button', { name: 'Event', exact: true }).click();
  await expect(page.getByRole('dialog').getByLabel('Title')).toBeVisible();
});

const kinds: Record<Language, string[]> = {
  en: ['Photo', 'Video', 'Article'],
  fil: ['Larawan', 'Video', 'Artikulo'],
};

test('the composer and the post of every kind pass the audit in every variant', async ({
  context,
  page: own,
}) => {
  test.slow();
  const { id: userId } = await newMember(context, 'Lucía Fernández-Villanueva de la Cruz');
  const upload = await context.request.post('/api/pictures', {
    data: png(320, 200).buffer,
    headers: { 'content-type': 'image/png', 'idempotency-key': unique() },
  });
  expect(upload.status()).toBe(201);
  const { id: pictureId } = (await upload.json()) as { id: string };
  for (const more of [
    { content: 'See.', pictureId, pictureAlt: 'A courtroom' },
    { content: '# One\n\nTwo **three**', title: 'A title of an article' },
    { content: 'Hear.', videoUrl: 'https://example.org/watch' },
  ])
    expect((await context.request.post('/api/posts', { data: { userId, ...more } })).status()).toBe(201);
  await auditAddress(own, `/profile/${userId}`, (page) => expect(page.getByRole('article')).toHaveCount(3));
  // The home of a new member.
  await inEachLanguage(context, '/', async (page, language) => {
    await expect(page.getByRole('article').first()).toBeVisible();
    await auditScreen(page, language);
    for (const kind of kinds[language]) {
      await page.getByRole('main').getByRole('button', { name: kind, exact: true }).click();
      await dialogOpened(page);
      await auditScreen(page, language);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
    }
  });
});
