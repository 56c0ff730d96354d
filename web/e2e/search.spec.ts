// Search on the whole stack: new content, misspelt words, and visibility for the searching member.
import { expect, type Page } from '@playwright/test';
import { auditAddress, languages } from './audit';
import { connect, createClassmates, type TestMember } from './classmates';
import { newMember } from './member';
import { test } from './test';

/** An unused word. */
const unique = () => `zk${Date.now().toString(36)}${Math.floor(Math.random() * 1e6).toString(36)}`;

const field = (page: Page) => page.getByRole('main').getByRole('searchbox', { name: 'Search Portia' });

async function search(page: Page, words: string, tab: string) {
  await page.goto(`/search?q=${encodeURIComponent(words)}`);
  await page.getByRole('tab', { name: tab }).click();
}

async function createPost(by: TestMember, content: string, more: object = {}): Promise<string> {
  const answer = await by.context.request.post('/api/posts', { data: { userId: by.id, content, ...more } });
  expect(answer.status()).toBe(201);
  return ((await answer.json()) as { id: string }).id;
}

test('a new name is found, also with a typing error, by keyboard and by address', async ({
  page,
  context,
}) => {
  const tag = unique();
  await newMember(context, `Teodora ${tag}son`, { headline: 'Appellate clerk' });
  await newMember(context, 'Isabel Reyes');
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto('/search');
  await expect(page.getByRole('main').getByRole('button', { name: 'Search' })).toBeDisabled();
  const find = async (words: string) => {
    await field(page).fill(words);
    await field(page).press('Enter');
    await expect(page).toHaveURL(new RegExp(`q=${words.replace(' ', '(\\+|%20)')}`));
    await expect(page.getByRole('link', { name: `Teodora ${tag}son` })).toBeVisible();
  };
  await find(`teodora ${tag}son`);
  // A new word is found at once, and errors in it are corrected within seconds.
  const misspelt = `teodroa ${tag}son`;
  await expect(async () => {
    const answer = await context.request.get(`/api/search?type=people&q=${encodeURIComponent(misspelt)}`);
    expect(((await answer.json()) as { people: unknown[] }).people).toHaveLength(1);
  }).toPass();
  await find(misspelt);

  await page.goto('/');
  const box = page.getByRole('combobox', { name: 'Search' });
  await expect(box).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('data-shortcuts');
  await page.keyboard.press('/');
  await expect(box).toBeFocused();
  await page.keyboard.type(`${tag}son`);
  await expect(page.getByRole('option', { name: /Teodora/ })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('option', { name: /Teodora/ })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: `Teodora ${tag}son` })).toBeVisible();
});

/** Records the layout shifts whose source is in the header. */
const recordHeaderShifts = () => {
  const shifts: string[] = [];
  Object.assign(window, { headerShifts: shifts });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as unknown as { sources: { node: Node | null }[] }[])
      for (const { node } of entry.sources)
        if (node?.parentElement?.closest('header')) shifts.push(node.parentElement.outerHTML);
  }).observe({ type: 'layout-shift', buffered: true });
};

for (const language of languages)
  test(`search is in the header at every width, and / focuses it, in ${language}`, async ({
    page,
    context,
  }) => {
    await newMember(context, 'Isabel Reyes');
    await page.addInitScript((chosen) => localStorage.setItem('i18nextLng', chosen), language);
    await page.addInitScript(recordHeaderShifts);
    const header = page.getByRole('banner');
    const name = { en: 'Search', fil: 'Maghanap' }[language];
    const label = { en: 'Search Portia', fil: 'Maghanap sa Portia' }[language];
    for (const width of [360, 768, 1024, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto('/jobs');
      const inHeader = header.getByRole(width < 768 ? 'link' : 'combobox', { name });
      await expect(inHeader).toBeVisible();
      await expect(header.getByRole(width < 768 ? 'combobox' : 'link', { name })).toBeHidden();
      await expect(page.locator('html')).toHaveAttribute('data-shortcuts');
      await page.keyboard.press('/');
      if (width < 768) {
        await expect(page).toHaveURL(/\/search$/);
        await expect(page.getByRole('main').getByRole('searchbox', { name: label })).toBeFocused();
      } else await expect(inHeader).toBeFocused();
      const beyond = await page.evaluate(() => {
        const row = document.querySelector('header > div') ?? document.body;
        return Math.max(row.scrollWidth - row.clientWidth, document.body.scrollWidth - window.innerWidth);
      });
      expect(beyond, 'pixels beyond the right edge').toBeLessThanOrEqual(0);
      expect(
        await page.evaluate(() => (window as unknown as { headerShifts: string[] }).headerShifts),
      ).toEqual([]);
    }
  });

test('a new post is found with marked words, and is not found after an update or deletion', async ({
  browser,
}) => {
  const [ana, ben] = (await createClassmates(browser, 'Ana', 'Ben')) as [TestMember, TestMember];
  const [word, other] = [unique(), unique()];
  const id = await createPost(ana, `The ${word} brief is due on Friday.`);
  await search(ben.page, word, 'Posts');
  await expect(ben.page.getByRole('article')).toHaveCount(1);
  await expect(ben.page.getByRole('article').locator('mark')).toHaveText(word);
  await expect(ben.page).toHaveURL(/type=posts/);

  const patch = await ana.context.request.patch(`/api/posts/${id}`, {
    data: { content: `The ${other} brief.` },
  });
  expect(patch.status()).toBe(200);
  await search(ben.page, word, 'Posts');
  await expect(ben.page.getByText(`No posts found matching "${word}"`)).toBeVisible();
  await search(ben.page, other, 'Posts');
  await expect(ben.page.getByRole('article')).toHaveCount(1);

  expect((await ana.context.request.delete(`/api/posts/${id}`)).status()).toBe(204);
  await search(ben.page, other, 'Posts');
  await expect(ben.page.getByText(`No posts found matching "${other}"`)).toBeVisible();
});

test('posts of a community are found by its members only, and a block hides both members from each other', async ({
  browser,
}) => {
  const [ana, ben] = (await createClassmates(browser, 'Ana', 'Ben')) as [TestMember, TestMember];
  const word = unique();
  const made = await ana.context.request.post('/api/communities', {
    data: { name: `Readers of ${word}`, description: 'One case a week.' },
  });
  expect(made.status()).toBe(201);
  const { id: communityId } = (await made.json()) as { id: string };
  // Feed learns of the membership within two seconds.
  await expect(async () => {
    await createPost(ana, `Only for us: ${word}.`, { communityId });
  }).toPass();

  await search(ana.page, word, 'Posts');
  await expect(ana.page.getByRole('article')).toHaveCount(1);
  await search(ben.page, word, 'Posts');
  await expect(ben.page.getByText(`No posts found matching "${word}"`)).toBeVisible();
  await ben.page.getByRole('tab', { name: 'Communities' }).click();
  await expect(ben.page.getByRole('link', { name: `Readers of ${word}` })).toBeVisible();

  await search(ben.page, ana.name, 'People');
  await expect(ben.page.getByRole('link', { name: ana.name })).toBeVisible();
  expect((await ana.context.request.put(`/api/blocks/${ben.id}`)).ok()).toBe(true);
  for (const [asker, hidden] of [
    [ben, ana],
    [ana, ben],
  ] as const)
    await expect(async () => {
      await search(asker.page, hidden.name, 'People');
      await expect(asker.page.getByText(`No people found matching "${hidden.name}"`)).toBeVisible({
        timeout: 8_000,
      });
    }).toPass();
});

test('every kind with and without results passes the audit in every variant', async ({ browser }) => {
  test.slow();
  const [ana, ben] = (await createClassmates(browser, 'Ana', 'Ben')) as [TestMember, TestMember];
  await connect(ana, ben);
  await createPost(ben, 'The law of the sea, one case a week, no laptops.');
  for (const type of ['people', 'posts', 'communities', 'resources', 'jobs', 'news'])
    await test.step(type, () =>
      auditAddress(ana.page, `/search?q=law&type=${type}`, (page) =>
        expect(page.getByRole('tabpanel').getByRole('link').first()).toBeVisible(),
      ),
    );
  await auditAddress(ana.page, `/search?q=${unique()}`, (page) =>
    expect(page.getByRole('tabpanel').getByText('zk')).toBeVisible(),
  );
});
