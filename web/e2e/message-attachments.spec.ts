// Pictures and files of messages in two browsers: sent, visible to participants only, kept offline, deleted.
import { expect, type Page } from '@playwright/test';
import { auditAddress, dialogOpened, openInLanguage } from './audit';
import { connect, createClassmates, type TestMember } from './classmates';
import { png } from './picture';
import { test } from './test';

const pdf = { name: 'Brief.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7\nA brief.') };

const pane = (page: Page) => page.locator('[data-thread]');
const input = (page: Page) => page.getByLabel('Attach pictures or a PDF').and(page.locator('input'));
const send = (page: Page) => page.getByRole('button', { name: 'Send', exact: true });

/** Opens the conversation of the two, and returns its address. */
async function openPair(ana: TestMember, ben: TestMember): Promise<string> {
  await connect(ana, ben);
  const answer = await ana.context.request.post('/api/conversations', { data: { userId: ben.id } });
  const { id } = (await answer.json()) as { id: string };
  const address = `/messages/${id}`;
  for (const { page } of [ana, ben]) {
    await page.goto(address);
    await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible();
  }
  return address;
}

test('a picture arrives, opens, is for the two only, and is gone after its deletion', async ({ browser }) => {
  const [ana, ben, carla] = (await createClassmates(browser, 'Ana', 'Ben', 'Carla')) as [
    TestMember,
    TestMember,
    TestMember,
  ];
  const address = await openPair(ana, ben);
  await input(ana.page).setInputFiles([png(1200, 900), png(900, 1200)]);
  await ana.page.getByLabel('What does picture 1 show?').fill('A courtroom');
  // Each picture is scaled and stored before it is shown.
  await expect(ana.page.locator('form img')).toHaveCount(2);
  // A page that goes leaves its draft to the next one.
  await ana.page.close();
  const audited = await ana.context.newPage();
  await auditAddress(audited, address, (page) => expect(page.locator('form img')).toHaveCount(2));
  await audited.close();
  ana.page = await openInLanguage(ana.context, address, 'en');
  await expect(ana.page.locator('form img')).toHaveCount(2);
  // Encoding and uploading two pictures takes a busy machine longer than an expectation waits.
  const stored = ana.page.waitForResponse(
    (response) => response.request().method() === 'POST' && /\/messages$/.test(response.url()),
  );
  await send(ana.page).click();
  expect((await stored).status()).toBe(201);

  const picture = pane(ben.page).getByRole('img', { name: 'A courtroom' });
  await expect(picture).toBeVisible();
  await expect
    .poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth))
    .toBeGreaterThan(0);
  await pane(ben.page).getByRole('button', { name: 'A courtroom' }).click();
  await dialogOpened(ben.page);
  await expect(ben.page.getByRole('dialog', { name: 'Pictures' })).toContainText('A courtroom');
  await ben.page.keyboard.press('Escape');

  const url = await picture.getAttribute('src');
  expect(url).toMatch(/^\/api\/messages\//);
  const statusFor = async ({ context }: TestMember) => (await context.request.get(url ?? '')).status();
  expect([await statusFor(ana), await statusFor(ben), await statusFor(carla)]).toEqual([200, 200, 404]);

  await ben.page.getByRole('textbox', { name: 'Message' }).fill('Where is it?');
  await send(ben.page).click();
  await expect(pane(ana.page).getByText('Where is it?')).toBeVisible();
  await pane(ana.page).getByRole('button', { name: 'Options for this message' }).first().click();
  await ana.page.getByRole('menuitem', { name: 'Delete message' }).click();
  await dialogOpened(ana.page);
  await ana.page
    .getByRole('dialog', { name: 'Delete message' })
    .getByRole('button', { name: 'Delete' })
    .click();
  await expect(pane(ben.page).getByText('This message was deleted')).toBeVisible();
  await expect(picture).toHaveCount(0);
  expect([await statusFor(ana), await statusFor(ben)]).toEqual([404, 404]);
});

test('a file that is sent offline survives the page, and its bytes do not survive a log-out', async ({
  browser,
}) => {
  const [ana, ben] = (await createClassmates(browser, 'Ana', 'Ben')) as [TestMember, TestMember];
  const address = await openPair(ana, ben);
  await ana.context.setOffline(true);
  await input(ana.page).setInputFiles(pdf);
  await send(ana.page).click();
  await expect(pane(ana.page).getByText('Waiting for network')).toBeVisible();
  // Only IndexedDB has the file now.
  await ana.page.close();
  await ana.context.setOffline(false);
  const page = await ana.context.newPage();
  await page.goto(address);
  const card = pane(ben.page).getByRole('link', { name: 'Brief.pdf' });
  await expect(card).toBeVisible();
  const download = ben.page.waitForEvent('download');
  await card.click();
  expect((await download).suggestedFilename()).toBe('Brief.pdf');
  await expect(pane(page).getByRole('link', { name: 'Brief.pdf' })).toBeVisible();

  await input(page).setInputFiles(png(40, 30));
  const kept = () =>
    page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          const opening = indexedDB.open('portia-files');
          opening.onsuccess = () => {
            const counting = opening.result.transaction('files').objectStore('files').count();
            counting.onsuccess = () => resolve(counting.result);
          };
        }),
    );
  await expect.poll(kept).toBe(1);
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect.poll(kept).toBe(0);
});
