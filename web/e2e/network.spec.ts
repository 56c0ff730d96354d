// Connections between two members in two browsers: request, accept, ignore, withdraw, remove, block, and the audit.
import { expect, type Page } from '@playwright/test';
import { auditAddress, auditScreen, dialogOpened, inEachLanguage } from './audit';
import { connect, createClassmates, reloadUntil, type TestMember } from './classmates';
import { test } from './test';

const profile = ({ id }: TestMember) => `/profile/${id}`;
const options = (page: Page, { name }: TestMember) =>
  page.getByRole('button', { name: `Options for ${name}` });
const toast = (page: Page, words: string | RegExp) => page.getByText(words, { exact: true }).first();

test('a suggestion becomes a connection, which is removed', async ({ browser }) => {
  const [ana, ben] = (await createClassmates(browser, 'Ana Cruz', 'Ben Soriano')) as [TestMember, TestMember];
  const card = ana.page.getByRole('article').filter({ hasText: ben.name });
  await reloadUntil(ana.page, '/network?tab=suggestions', () =>
    expect(card.getByText('Same school')).toBeVisible({ timeout: 8_000 }),
  );
  await card.getByRole('button', { name: 'Connect' }).click();
  await expect(toast(ana.page, 'Connection request sent')).toBeVisible();
  await expect(card).toHaveCount(0);
  await ana.page.goto(profile(ben));
  await expect(ana.page.getByRole('button', { name: 'Connection Pending' })).toBeDisabled();

  await ben.page.goto(profile(ana));
  await expect(ben.page.getByRole('button', { name: 'Accept Connection' })).toBeEnabled();
  await ben.page.goto('/network');
  await ben.page.getByRole('tab', { name: 'Connection Requests 1' }).click();
  await ben.page.getByRole('button', { name: 'Accept' }).click();
  await expect(ben.page.getByText("You don't have any pending invitations.")).toBeVisible();
  await ben.page.getByRole('tab', { name: 'My Connections 1' }).click();
  await ben.page.getByRole('link', { name: ana.name }).click();
  await expect(ben.page.getByRole('button', { name: 'Connected' })).toBeDisabled();

  await ana.page.reload();
  await expect(ana.page.getByRole('button', { name: 'Connected' })).toBeDisabled();
  const summary = ana.page.getByRole('region', { name: ana.name });
  await reloadUntil(ana.page, '/', () =>
    expect(summary.getByText('Connections').locator('..')).toHaveText('Connections1', { timeout: 8_000 }),
  );

  await ana.page.goto('/network');
  await options(ana.page, ben).click();
  await ana.page.getByRole('menuitem', { name: 'Remove connection' }).click();
  const dialog = ana.page.getByRole('dialog', { name: 'Remove connection' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(options(ana.page, ben)).toBeFocused();
  await options(ana.page, ben).press('Enter');
  await ana.page.getByRole('menuitem', { name: 'Remove connection' }).press('Enter');
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(toast(ana.page, 'Connection removed')).toBeVisible();
  await expect(ana.page.getByText("You don't have any connections yet.")).toBeVisible();
  await expect(ana.page.getByRole('tab', { name: 'My Connections 0' })).toBeVisible();
  await ben.page.reload();
  await expect(ben.page.getByRole('button', { name: 'Connect', exact: true })).toBeEnabled();
});

test('a request is withdrawn, another is ignored, and the next one is refused as too early', async ({
  browser,
}) => {
  const [ana, ben] = (await createClassmates(browser, 'Ana Cruz', 'Ben Soriano')) as [TestMember, TestMember];
  await ana.page.goto(profile(ben));
  await ana.page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(ana.page.getByRole('button', { name: 'Connection Pending' })).toBeDisabled();
  await options(ana.page, ben).click();
  await ana.page.getByRole('menuitem', { name: 'Withdraw request' }).click();
  await expect(toast(ana.page, 'Request withdrawn')).toBeVisible();
  await ben.page.goto('/network?tab=requests');
  await expect(ben.page.getByText("You don't have any pending invitations.")).toBeVisible();

  await ana.page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(ana.page.getByRole('button', { name: 'Connection Pending' })).toBeDisabled();
  await ben.page.reload();
  await ben.page.getByRole('button', { name: 'Ignore' }).click();
  await expect(ben.page.getByText("You don't have any pending invitations.")).toBeVisible();
  await expect(ben.page.getByRole('tab', { name: 'My Connections 0' })).toBeVisible();

  await ana.page.reload();
  await ana.page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(ana.page.getByText(/^Failed to send connection request: 409: /).first()).toBeVisible();
});

test('an ignored suggestion disappears at once and does not return', async ({ browser }) => {
  const [ana, ben] = (await createClassmates(browser, 'Ana Cruz', 'Ben Soriano')) as [TestMember, TestMember];
  const card = ana.page.getByRole('region', { name: 'People you may know' });
  const row = card.getByRole('listitem').filter({ hasText: ben.name });
  await reloadUntil(ana.page, '/', () => expect(row).toBeVisible({ timeout: 8_000 }));
  const ignored = ana.page.waitForResponse(
    (answer) => answer.request().method() === 'DELETE' && answer.url().includes('/suggestions/'),
  );
  await row.getByRole('button', { name: `Ignore ${ben.name}` }).click();
  await expect(row).toHaveCount(0);
  await expect(card).toBeFocused();
  expect((await ignored).ok()).toBe(true);
  await ana.page.goto('/network?tab=suggestions');
  await expect(ana.page.getByRole('tab', { name: 'Suggested Connections' })).toBeVisible();
  await expect(ana.page.getByRole('status', { name: 'Loading' })).toHaveCount(0);
  await expect(ana.page.getByRole('link', { name: ben.name })).toHaveCount(0);
});

test('a member connects with the author of a post, blocks and unblocks them', async ({ browser }) => {
  const [ana, ben] = (await createClassmates(browser, 'Ana Cruz', 'Ben Soriano')) as [TestMember, TestMember];
  const words = `Office hours moved, ${ana.name} ${Date.now()}.`;
  const posted = await ana.context.request.post('/api/posts', { data: { userId: ana.id, content: words } });
  expect(posted.status()).toBe(201);
  const { id } = (await posted.json()) as { id: string };

  await ben.page.goto(`/posts/${id}`);
  await options(ben.page, ana).click();
  await ben.page.getByRole('menuitem', { name: `Connect with ${ana.name}` }).click();
  await expect(toast(ben.page, 'Connection request sent')).toBeVisible();

  await ben.page.goto('/');
  await ben.page.getByRole('combobox', { name: 'Sort by:' }).click();
  await ben.page.getByRole('option', { name: 'Recent' }).click();
  const post = ben.page.getByRole('article').filter({ hasText: words });
  await post.getByRole('button', { name: `Options for ${ana.name}` }).click();
  await expect(ben.page.getByRole('menuitem', { name: 'Withdraw request' })).toBeVisible();
  await ben.page.getByRole('menuitem', { name: `Block ${ana.name}` }).click();
  await ben.page.getByRole('dialog').getByRole('button', { name: 'Block' }).click();
  await expect(toast(ben.page, 'Member blocked')).toBeVisible();
  await expect(post).toHaveCount(0);

  for (const [one, other] of [
    [ben, ana],
    [ana, ben],
  ] as const) {
    await reloadUntil(one.page, profile(other), () =>
      expect(one.page.getByText('Error loading profile')).toBeVisible({ timeout: 8_000 }),
    );
    await expect(
      one.page.getByText('Unable to load user profile information. Please try again later.'),
    ).toBeVisible();
  }
  await reloadUntil(ben.page, `/posts/${id}`, () =>
    expect(ben.page.getByText('Post not found')).toBeVisible({ timeout: 8_000 }),
  );
  await ana.page.goto('/network?tab=requests');
  await expect(ana.page.getByText("You don't have any pending invitations.")).toBeVisible();

  await ben.page.goto('/settings');
  const blocked = ben.page.getByRole('region', { name: 'Blocked members' });
  await blocked.getByRole('button', { name: `Unblock ${ana.name}` }).click();
  await expect(toast(ben.page, 'Member unblocked')).toBeVisible();
  await expect(blocked.getByText('You have not blocked anyone.')).toBeVisible();
  await reloadUntil(ben.page, profile(ana), () =>
    expect(ben.page.getByRole('heading', { level: 1, name: ana.name })).toBeVisible({ timeout: 8_000 }),
  );
  await expect(ben.page.getByRole('button', { name: 'Connect', exact: true })).toBeEnabled();
});

test('a profile is hidden as soon as its member is blocked', async ({ browser }) => {
  const [ana, ben] = (await createClassmates(browser, 'Ana Cruz', 'Ben Soriano')) as [TestMember, TestMember];
  await connect(ana, ben);
  await ana.page.goto(profile(ben));
  await options(ana.page, ben).click();
  await ana.page.getByRole('menuitem', { name: `Block ${ben.name}` }).click();
  await ana.page.getByRole('dialog').getByRole('button', { name: 'Block' }).click();
  await expect(ana.page.getByText('Error loading profile')).toBeVisible();
  await expect(ana.page.getByRole('main')).toBeFocused();
  await ana.page.goto('/network');
  await expect(ana.page.getByText("You don't have any connections yet.")).toBeVisible();
});

test.describe('a member with connections passes the audit in every variant', () => {
  let ana: TestMember;
  let ben: TestMember;
  let carla: TestMember;
  let dan: TestMember;
  let eve: TestMember;

  test.beforeAll(async ({ browser }) => {
    const names = ['Ana', 'Ben', 'Carla Fernández-Villanueva de la Cruz', 'Dan', 'Eve'];
    [ana, ben, carla, dan, eve] = (await createClassmates(browser, ...names)) as [
      TestMember,
      TestMember,
      TestMember,
      TestMember,
      TestMember,
    ];
    await connect(ana, ben);
    await connect(ana, carla);
    const asked = await dan.context.request.post('/api/connections', {
      data: { requesterId: dan.id, recipientId: ana.id, status: 'pending' },
    });
    expect(asked.status()).toBe(201);
    const blocked = await ana.context.request.put(`/api/blocks/${eve.id}`);
    expect(blocked.status()).toBe(204);
  });

  const screens: [string, () => string, () => TestMember | null][] = [
    ['home', () => '/', () => ana],
    ['connections', () => '/network', () => carla],
    ['requests', () => '/network?tab=requests', () => dan],
    ['suggestions', () => '/network?tab=suggestions', () => null],
    ['blocked members', () => '/settings', () => eve],
    ['another profile', () => profile(ben), () => ben],
  ];
  for (const [screen, path, shown] of screens) {
    test(screen, async () => {
      await auditAddress(ana.page, path(), async (page) => {
        const person = shown();
        if (person) await expect(page.getByText(person.name).first()).toBeAttached();
      });
    });
  }

  test('the confirmation before a block', async () => {
    await inEachLanguage(ana.context, profile(ben), async (page, language) => {
      await page.getByRole('button', { name: /^(Options for|Mga opsyon para kay)/ }).click();
      await page.getByRole('menuitem').last().click();
      await dialogOpened(page);
      await auditScreen(page, language);
    });
  });
});

test.describe('the home screen has no layout shift while it loads', () => {
  for (const width of [360, 1280]) {
    for (const fill of ['empty', 'full'] as const) {
      test(`${width} px, ${fill}`, async ({ browser }) => {
        const [ana] = (await createClassmates(browser, 'Ana Cruz', 'Ben Soriano')) as [
          TestMember,
          TestMember,
        ];
        const { page } = ana;
        await page.setViewportSize({ width, height: 800 });
        if (fill === 'empty')
          await page.route(/\/api\/(posts|communities|events|users\/[^/]+\/suggestions)(\?|$)/, (route) =>
            route.fulfill({ json: [] }),
          );
        await page.addInitScript(() => {
          const shifts: number[] = [];
          Object.assign(window, { shifts });
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
              shifts.push(entry.value);
          }).observe({ type: 'layout-shift', buffered: true });
        });
        await page.goto('/');
        await expect(page.getByRole('region', { name: 'People you may know' })).toBeVisible();
        await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0);
        const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts);
        const sum = shifts.reduce((total, shift) => total + shift, 0);
        test.info().annotations.push({ type: 'layout shift', description: sum.toFixed(4) });
        expect(sum).toBeLessThanOrEqual(0.05);
      });
    }
  }
});
