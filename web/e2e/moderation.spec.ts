// Moderation from a report to the answer of an appeal, with moderators appointed by an operator, and the audit of its screens.
import { type APIResponse, type Browser, expect, type Page } from '@playwright/test';
import { portiaAdmin } from './admin';
import { auditAddress, auditScreen, dialogOpened, inEachLanguage } from './audit';
import { createClassmates, reloadUntil, type TestMember } from './classmates';
import { newMember } from './member';
import { test } from './test';

const main = (page: Page) => page.getByRole('main');

/** Members with the role; the name tells two of them apart. */
async function createModerator(browser: Browser, first: string) {
  const context = await browser.newContext();
  const name = `${first} ${process.pid.toString(36)}${Date.now().toString(36)}`;
  const { username, id } = await newMember(context, name);
  await portiaAdmin('moderators', 'grant', username);
  return { context, id, name, username };
}

async function write(by: TestMember, content: string): Promise<string> {
  const answer = await by.context.request.post('/api/posts', { data: { userId: by.id, content } });
  expect(answer.status()).toBe(201);
  return ((await answer.json()) as { id: string }).id;
}

async function report(by: TestMember, id: string, reason: string, words?: string) {
  const data = { kind: 'post', id, reason, ...(words && { words }) };
  const answer = await by.context.request.post('/api/reports', { data });
  expect(answer.ok(), `${answer.status()}`).toBe(true);
}

/** Opens a report in the queue. Reports of other tests are there too, the oldest first: the address names this one. */
async function openReport(page: Page, words: string) {
  await page.goto('/moderation');
  const row = main(page).getByRole('region', { name: 'Queue' }).getByRole('link').filter({ hasText: words });
  await expect(async () => {
    const more = page.getByRole('button', { name: 'Show more' });
    while ((await row.count()) === 0 && (await more.isVisible())) await more.click();
    await expect(row).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await row.click();
}

async function decide(page: Page, decision: string, reason: string, note: string) {
  await main(page).getByRole('radio', { name: decision, exact: true }).check();
  await main(page).getByRole('combobox', { name: 'Reason' }).selectOption(reason);
  await main(page).getByRole('textbox', { name: 'Note (optional)' }).fill(note);
  await main(page).getByRole('button', { name: decision, exact: true }).click();
}

test('a report is decided, its author appeals, another moderator overturns it, and the numbers follow', async ({
  browser,
}) => {
  test.slow();
  const [ana, ben] = (await createClassmates(browser, 'Ana', 'Ben')) as [TestMember, TestMember];
  const [mona, nora, olga] = await Promise.all([
    createModerator(browser, 'Mona'),
    createModerator(browser, 'Nora'),
    createModerator(browser, 'Olga'),
  ]);
  const words = `Buy the essays of ${ana.name}`;
  const postId = await write(ana, words);

  await test.step('Ben reports the post from its menu', async () => {
    await ben.page.goto(`/posts/${postId}`);
    await ben.page
      .getByRole('button', { name: `Options for ${ana.name}` })
      .first()
      .click();
    await ben.page.getByRole('menuitem', { name: 'Report post' }).click();
    const dialog = ben.page.getByRole('dialog', { name: 'Report post' });
    await dialog.getByRole('radio', { name: /^Spam/ }).check();
    await dialog.getByRole('textbox', { name: /^Anything else/ }).fill('It sells essays.');
    await dialog.getByRole('button', { name: 'Report', exact: true }).click();
    await expect(dialog).toHaveCount(0);
    // No role, no screen.
    await ben.page.goto('/moderation');
    await expect(ben.page.getByRole('heading', { name: '404 Page Not Found' })).toBeVisible();
  });

  const page = await mona.context.newPage();
  await test.step('the queue shows the context', async () => {
    await page.goto('/');
    await page.getByRole('banner').getByRole('link', { name: 'Moderation' }).click();
    await expect(page).toHaveURL('/moderation');
    await openReport(page, words);
    const details = main(page).getByRole('region', { name: 'Reported post' });
    await expect(details.getByText('It sells essays.')).toBeVisible();
    await expect(details.getByRole('link', { name: ben.name })).toBeVisible();
    await expect(details.getByRole('link', { name: ana.name })).toBeVisible();
    await expect(details.getByRole('link', { name: 'Open the post' })).toHaveAttribute(
      'href',
      `/posts/${postId}`,
    );
    // Another kind of content has no such report.
    await main(page).getByRole('combobox', { name: 'Kind' }).click();
    await page.getByRole('option', { name: 'Message' }).click();
    await expect(main(page).getByRole('link').filter({ hasText: words })).toHaveCount(0);
    await openReport(page, words);
  });

  await test.step('a removal needs a reason', async () => {
    await main(page).getByRole('radio', { name: 'Remove' }).check();
    await main(page).getByRole('button', { name: 'Remove' }).click();
    await expect(page.getByText('Please choose a reason.')).toBeVisible();
    await decide(page, 'Remove', 'Spam', 'The third one today.');
    await expect(page.getByText('Content removed', { exact: true }).first()).toBeVisible();
    await expect(main(page).getByRole('heading', { name: 'Removed' })).toBeVisible();
    await expect(main(page).getByText(`Spam · ${mona.name}`)).toBeVisible();
    await expect(async () => {
      expect((await ben.context.request.get(`/api/posts/${postId}`)).status()).toBe(404);
    }).toPass();
  });

  await test.step('the author learns the reason and appeals', async () => {
    const sentence = 'Your content was removed after a report: Spam. See why, and how to appeal.';
    await reloadUntil(ana.page, '/notifications', () =>
      expect(main(ana.page).getByText(sentence)).toBeVisible({ timeout: 5_000 }),
    );
    await main(ana.page).getByText(sentence).click();
    await expect(ana.page).toHaveURL(/\/appeals\//);
    await expect(ana.page.getByRole('heading', { level: 1, name: 'Your post was removed' })).toBeVisible();
    await expect(main(ana.page).getByText(words)).toBeVisible();
    // The note and the reporter are not for the author.
    await expect(main(ana.page)).not.toContainText('The third one today.');
    await expect(main(ana.page)).not.toContainText(ben.name);
    await ana.page.getByRole('textbox', { name: 'Why should it be visible again?' }).fill('It was a joke.');
    await ana.page.getByRole('button', { name: 'Send appeal' }).click();
    await expect(
      ana.page.getByText('Another moderator will decide. You will get a notification.'),
    ).toBeVisible();
  });
  const appealPath = new URL(ana.page.url()).pathname;

  const second = await nora.context.newPage();
  await test.step('the moderator who removed it cannot decide the appeal, another one can', async () => {
    for (const moderator of [page, second]) {
      await moderator.goto('/moderation');
      await moderator.getByRole('tab', { name: 'Appeals' }).click();
      await main(moderator).getByRole('link').filter({ hasText: ana.name }).click();
      await expect(main(moderator).getByRole('heading', { name: `Appeal by ${ana.name}` })).toBeVisible();
      await expect(main(moderator).getByText(`Spam · removed by ${mona.name}`)).toBeVisible();
    }
    await expect(page.getByText(/^Another moderator decides this/)).toBeVisible();
    await expect(main(page).getByRole('radio', { name: 'Overturn' })).toHaveCount(0);
    await decide(second, 'Overturn', 'Breaks no rule', 'A joke indeed.');
    await expect(second.getByText('The removal is overturned', { exact: true }).first()).toBeVisible();
    await main(second).getByRole('radio', { name: 'Decided' }).click();
    await expect(main(second).getByRole('link').filter({ hasText: ana.name })).toContainText(
      'Removal overturned',
    );
  });

  await test.step('the author learns the answer, and the post is back', async () => {
    const sentence = 'Your appeal was decided: the removal was overturned.';
    await reloadUntil(ana.page, '/notifications', () =>
      expect(main(ana.page).getByText(sentence)).toBeVisible({ timeout: 5_000 }),
    );
    await main(ana.page).getByText(sentence).click();
    await expect(ana.page).toHaveURL(appealPath);
    await expect(ana.page.getByText('The removal was wrong. Your content is visible again.')).toBeVisible();
    await reloadUntil(ben.page, `/posts/${postId}`, () =>
      expect(ben.page.getByRole('article').filter({ hasText: words })).toBeVisible({ timeout: 5_000 }),
    );
  });

  await test.step('a member is suspended and restored', async () => {
    const other = await write(ana, `A second thought of ${ana.name}`);
    await report(ben, other, 'harassment');
    await openReport(second, `A second thought of ${ana.name}`);
    const suspend = main(second).getByRole('button', { name: /^Suspend @/ });
    const username = ((await suspend.textContent()) ?? '').replace('Suspend @', '');
    await suspend.click();
    const dialog = second.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Reason' }).selectOption('Harassment');
    await dialog.getByRole('button', { name: `Suspend @${username}` }).click();
    await expect(dialog).toHaveCount(0);
    await expect(main(second).getByText(/suspended$/)).toBeVisible();
    // Every session has ended.
    await ana.page.goto('/network');
    await expect(ana.page).toHaveURL(/\/auth/);

    await second.getByRole('tab', { name: 'Suspended' }).click();
    const rowOn = (screen: Page) =>
      main(screen)
        .getByRole('listitem')
        .filter({ hasText: `@${username}` });
    await expect(rowOn(second)).toBeVisible();
    await expect(rowOn(second).getByRole('button', { name: `Restore @${username}` })).toHaveCount(0);
    // Mona removed what Ana appealed, so a third moderator decides whether the suspension ends.
    const third = await olga.context.newPage();
    await third.goto('/moderation?tab=suspensions');
    await rowOn(third)
      .getByRole('button', { name: `Restore @${username}` })
      .click();
    const restoration = third.getByRole('dialog');
    await restoration.getByRole('combobox', { name: 'Reason' }).selectOption('Settled in another way');
    await restoration.getByRole('button', { name: `Restore @${username}` }).click();
    await expect(restoration).toHaveCount(0);
    await expect(rowOn(third)).toHaveCount(0);

    await openReport(second, `A second thought of ${ana.name}`);
    await decide(second, 'Keep', 'Breaks no rule', '');
    await expect(second.getByText('Content kept', { exact: true }).first()).toBeVisible();
    await second.getByRole('tab', { name: 'Log' }).click();
    const log = main(second).getByRole('region', { name: 'Log' }).getByRole('listitem');
    const own = log.filter({ hasText: nora.username });
    await expect(own.filter({ hasText: 'Content kept' })).toHaveCount(1);
    const ofOther = log.filter({ hasText: olga.username });
    await expect(ofOther.filter({ hasText: 'Member restored' })).toContainText(`@${username}`);
    await expect(own.filter({ hasText: 'Member suspended' })).toContainText('Harassment');
    await expect(own.filter({ hasText: 'Removal overturned' })).toContainText('A joke indeed.');
    await expect(log.filter({ hasText: 'Moderator appointed' }).first()).toContainText('Operator');
  });

  await test.step('the numbers', async () => {
    await second.getByRole('tab', { name: 'Statistics' }).click();
    const figure = (name: string) =>
      main(second)
        .locator('div')
        .filter({ has: second.getByRole('term').filter({ hasText: name }) })
        .getByRole('definition')
        .last();
    await expect(figure('Appeals overturned')).toHaveText(/^[1-9]/);
    await expect(figure('Median time to a decision')).not.toHaveText('None');
    const reasons = main(second).getByRole('region', { name: 'Decisions in the last 30 days, by reason' });
    await expect(reasons.getByRole('listitem').filter({ hasText: 'Spam' })).toContainText(/[1-9]\d* removed/);
  });
});

test('the screens of moderation have no accessibility violations', async ({ browser }) => {
  test.slow();
  const [ana, ben] = (await createClassmates(browser, 'Ana', 'Ben')) as [TestMember, TestMember];
  const [mona, nora] = await Promise.all([
    createModerator(browser, 'Mona'),
    createModerator(browser, 'Nora'),
  ]);
  const [removed, open] = [
    await write(ana, `Removed of ${ana.name}`),
    await write(ana, `Open of ${ana.name}`),
  ];
  for (const id of [removed, open]) await report(ben, id, 'spam', 'It sells essays.');
  const reportOf = async (post: string): Promise<string> => {
    let found: string | undefined;
    await expect(async () => {
      for (let path: string | null = '/api/moderation/reports'; path && !found; ) {
        const answer: APIResponse = await mona.context.request.get(path);
        const reports = (await answer.json()) as { id: string; itemId: string }[];
        found = reports.find(({ itemId }) => itemId === post)?.id;
        path = /<([^>]+)>; rel="next"/.exec(answer.headers().link ?? '')?.[1] ?? null;
      }
      expect(found).toBeDefined();
    }).toPass();
    return found ?? '';
  };
  const decided = await mona.context.request.post(
    `/api/moderation/reports/${await reportOf(removed)}/decision`,
    { data: { decision: 'remove', reason: 'spam' } },
  );
  expect(decided.ok()).toBe(true);
  const openReportId = await reportOf(open);
  let path = '';
  await expect(async () => {
    const answer = await ana.context.request.get('/api/notifications');
    const notices = (await answer.json()) as { kind: string; subject: { id: string } }[];
    const notice = notices.find(({ kind }) => kind === 'content_removed');
    expect(notice).toBeDefined();
    path = `/appeals/${notice?.subject.id}`;
  }).toPass();

  await test.step('the author before and after the appeal', async () => {
    await auditAddress(ana.page, path, (page) => expect(page.getByRole('textbox')).toBeVisible());
    const appeal = { data: { text: 'It was a joke.' } };
    expect((await ana.context.request.post(`/api${path}`, appeal)).ok()).toBe(true);
    await auditAddress(ana.page, path, (page) => expect(page.getByText('It was a joke.')).toBeVisible());
  });

  // Mona has a case with Ana, who appealed: Nora may suspend her.
  await test.step('a report with its decision', () =>
    inEachLanguage(nora.context, `/moderation?report=${openReportId}`, async (page, language) => {
      const form = page.getByRole('main').locator('form');
      await form.getByRole('radio').first().check();
      await form.getByRole('button').click();
      await expect(form.getByText(/^(Please choose a reason|Pumili ng dahilan)\.$/)).toBeVisible();
      // A sticky header covers what is scrolled below it.
      await page.evaluate(() => window.scrollTo(0, 0));
      await auditScreen(page, language);
      await page.getByRole('button', { name: /@/ }).click();
      await dialogOpened(page);
      await auditScreen(page, language);
    }));
  const tabs = await nora.context.newPage();
  for (const tab of ['queue', 'appeals', 'suspensions', 'statistics', 'log'])
    await test.step(tab, () =>
      auditAddress(tabs, `/moderation?tab=${tab}`, (page) =>
        expect(page.getByRole('tabpanel')).toBeVisible(),
      ),
    );
  await test.step('an appeal', () =>
    inEachLanguage(nora.context, '/moderation?tab=appeals', async (page, language) => {
      await page.getByRole('main').getByRole('link').filter({ hasText: ana.name }).click();
      await page.getByRole('main').locator('form').getByRole('radio').last().check();
      await auditScreen(page, language);
    }));
});
