// Communities (create, join, post, leave) and events (create, attend, cancel) with several members.
import { readFile } from 'node:fs/promises';
import { type BrowserContext, expect, type Page } from '@playwright/test';
import { auditAddress, auditScreen, dialogOpened, inEachLanguage, type Language } from './audit';
import { newMember } from './member';
import { test } from './test';

const unique = () => `${Date.now().toString(36)}${Math.floor(Math.random() * 1e6).toString(36)}`;

/** The local date and time in `days` days, as a form field takes it. */
function wallClock(days: number, time: string): string {
  return `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)}T${time}`;
}

async function createPost(page: Page, words: string) {
  await page.getByRole('button', { name: 'Start a post...' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create a post' });
  await dialog.getByRole('textbox').fill(words);
  await dialog.getByRole('button', { name: 'Post', exact: true }).click();
  await expect(page.getByRole('article').filter({ hasText: words })).toBeVisible();
}

/** Creates a community through the API. */
async function createCommunity(context: BrowserContext, name: string): Promise<string> {
  const answer = await context.request.post('/api/communities', {
    data: { name, description: 'Notes, comments and the people who cut them.', rules: 'Cite.\nBe kind.' },
  });
  expect(answer.status()).toBe(201);
  return ((await answer.json()) as { id: string }).id;
}

test('a community is created, joined, posted in for its members only, and left', async ({
  page,
  context,
  browser,
}) => {
  const others = [await browser.newContext(), await browser.newContext()] as const;
  const [joining, stranger] = others;
  await newMember(context, 'Isabel Reyes');
  await newMember(joining, 'Priya Raghavan');
  await newMember(stranger, 'Marco Villanueva');
  const name = `Law Review ${unique()}`;
  const secret = `Only for editors, ${unique()}.`;

  await page.goto('/communities');
  await page.getByRole('button', { name: 'Create a community' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create a community' });
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Rules').fill('Cite what you claim.');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await expect(page.getByText(/^1 member/)).toBeVisible();
  await expect(page.getByText('Owner', { exact: true })).toBeVisible();
  await expect(page).toHaveTitle(new RegExp(`^(\\(\\d+\\) )?${name} \\| Portia$`));
  const address = new URL(page.url()).pathname;
  await expect(async () => {
    await page.reload();
    await expect(page.getByText('No posts to display.')).toBeVisible({ timeout: 8_000 });
  }).toPass();
  await createPost(page, secret);

  // A name that is already in use shows an error at its field.
  await page.goto('/communities');
  await page.getByRole('button', { name: 'Create a community' }).click();
  await dialog.getByLabel('Name').fill(name.toUpperCase());
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(dialog.getByLabel('Name')).toHaveAttribute('aria-invalid', 'true');

  const theirs = await joining.newPage();
  await theirs.goto(address);
  await expect(theirs.getByText('Join this community to see its posts.')).toBeVisible();
  await theirs.getByRole('button', { name: `Join ${name}` }).click();
  await expect(theirs.getByText(/^2 members/)).toBeVisible();
  await expect(theirs.getByText(secret)).toBeVisible();
  await createPost(theirs, `Count me in, ${unique()}.`);
  await theirs.goto('/');
  await theirs.getByRole('combobox', { name: 'Sort by:' }).click();
  await theirs.getByRole('option', { name: 'Recent' }).click();
  const post = theirs.getByRole('article').filter({ hasText: secret });
  await expect(post.getByRole('link', { name })).toHaveAttribute('href', address);

  const outside = await stranger.newPage();
  await outside.goto(address);
  await expect(outside.getByText('Join this community to see its posts.')).toBeVisible();
  await expect(outside.getByText(secret)).toHaveCount(0);
  await outside.getByRole('tab', { name: /Members/ }).click();
  await expect(outside.getByRole('link', { name: 'Priya Raghavan' })).toBeVisible();
  await outside.getByRole('tab', { name: 'About' }).click();
  await expect(outside.getByText('Cite what you claim.')).toBeVisible();
  const asked = await stranger.request.get(`/api/posts?communityId=${address.split('/').at(-1)}`);
  expect(asked.status()).toBe(403);
  await outside.goto('/');
  await outside.getByRole('combobox', { name: 'Sort by:' }).click();
  await outside.getByRole('option', { name: 'Recent' }).click();
  await expect(outside.getByRole('status', { name: 'Loading' })).toHaveCount(0);
  await expect(outside.getByText(secret)).toHaveCount(0);

  // The last owner has to make another member an owner first.
  await page.goto(address);
  await page.getByRole('button', { name: `Leave ${name}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
  await expect(
    page.getByText(
      'Failed to leave the community: 409: A community needs an owner: make another member one first.',
      { exact: true },
    ),
  ).toBeVisible();
  await expect(page.getByText(secret)).toBeVisible();
  await page.getByRole('tab', { name: /Members/ }).click();
  await page.getByRole('button', { name: 'Options for Priya Raghavan' }).click();
  await page.getByRole('menuitem', { name: 'Make owner' }).click();
  await expect(page.getByRole('region', { name: 'Members' }).getByText('Owner', { exact: true })).toHaveCount(
    2,
  );
  await page.getByRole('button', { name: `Leave ${name}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
  await expect(page.getByText(/^1 member/)).toBeVisible();
  await page.getByRole('tab', { name: 'Posts' }).click();
  await expect(page.getByText('Join this community to see its posts.')).toBeVisible();
  for (const other of others) await other.close();
});

test('a post from home is published in the selected community', async ({ page, context }) => {
  await newMember(context, 'Isabel Reyes');
  const name = `Moot ${unique()}`;
  const id = await createCommunity(context, name);
  await page.goto('/');
  await page.getByRole('button', { name: 'Start a post...' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create a post' });
  await dialog.getByRole('combobox', { name: 'Who can see this post' }).click();
  await page.getByRole('option', { name }).click();
  await dialog.getByRole('textbox').fill('Members only.');
  await dialog.getByRole('button', { name: 'Post', exact: true }).click();
  await expect(page.getByText('Your post has been published successfully.', { exact: true })).toBeVisible();
  await page.goto(`/communities/${id}`);
  await expect(page.getByRole('article')).toContainText('Members only.');
});

test('an event is created from home, attended, exported to a calendar, updated and cancelled', async ({
  page,
  context,
  browser,
}) => {
  await newMember(context, 'Isabel Reyes');
  const title = `Moot finals ${unique()}`;
  await page.goto('/');
  await page.getByRole('button', { name: 'Event', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Create an event' });
  await dialog.getByLabel('Title').fill(title);
  await dialog.getByLabel('Starts').fill(wallClock(3, '14:00'));
  await dialog.getByLabel('Ends').fill(wallClock(3, '17:00'));
  await dialog.getByLabel('Time zone').selectOption('Asia/Manila');
  await dialog.getByLabel('Location').fill('Main Courtroom');
  await dialog.getByLabel('Description').fill('Come and heckle politely.\nDoors open at one.');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  await expect(page.getByText('2:00 PM to 5:00 PM', { exact: true })).toBeVisible();
  await expect(page.getByText('Attending', { exact: true })).toBeVisible();
  const address = new URL(page.url()).pathname;

  const other = await browser.newContext({ timezoneId: 'America/New_York' });
  await newMember(other, 'Priya Raghavan');
  const theirs = await other.newPage();
  await theirs.goto(address);
  await expect(theirs.getByText(/^Your time: .* AM to .* AM$/)).toBeVisible();
  await theirs.getByRole('button', { name: `Attend ${title}` }).click();
  const attendees = theirs.getByRole('region', { name: 'Attendees' });
  await expect(attendees.getByText('2 attendees')).toBeVisible();
  await expect(attendees.getByRole('link', { name: 'Priya Raghavan' })).toBeVisible();

  const downloading = theirs.waitForEvent('download');
  await theirs.getByRole('link', { name: 'Add to calendar' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/\.ics$/);
  const calendar = await readFile(await download.path(), 'utf8');
  expect(calendar).toMatch(/^BEGIN:VCALENDAR\r\n/);
  expect(calendar.replaceAll('\r\n ', '')).toContain(`SUMMARY:${title}`);
  expect(calendar).toContain(`DTSTART:${wallClock(3, '06:00').replace(/[-:]/g, '')}00Z`);

  await theirs.getByRole('button', { name: `Leave ${title}` }).click();
  await expect(attendees.getByText('1 attendee', { exact: true })).toBeVisible();
  await expect(attendees.getByRole('link', { name: 'Priya Raghavan' })).toHaveCount(0);

  await page.getByRole('button', { name: 'Edit' }).click();
  const editor = page.getByRole('dialog', { name: 'Edit event' });
  await editor.getByLabel('Ends').fill(wallClock(3, '18:30'));
  await editor.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('2:00 PM to 6:30 PM', { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByText('2:00 PM to 6:30 PM', { exact: true })).toBeVisible();

  await page.getByRole('button', { name: 'Call off' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Call off' }).click();
  await expect(page.getByText('Event called off', { exact: true })).toBeVisible();
  await expect(page).toHaveURL(/\/events$/);
  await expect(page.getByRole('link', { name: title })).toHaveCount(0);
  await theirs.reload();
  await expect(theirs.getByText('Event not found')).toBeVisible();
  await other.close();
});

const words = {
  en: {
    create: ['Create a community', 'Create an event'],
    submit: 'Create',
    tabs: [/^Members/, /^About/],
    edit: 'Edit',
    leave: /^Leave/,
    callOff: 'Call off',
    start: 'Start a post...',
  },
  fil: {
    create: ['Gumawa ng komunidad', 'Gumawa ng kaganapan'],
    submit: 'Gawin',
    tabs: [/^Mga Kasapi/, /^Tungkol dito/],
    edit: 'I-edit',
    leave: /^Umalis/,
    callOff: 'Huwag ituloy',
    start: 'Magsimula ng post...',
  },
} as const;

/** A name of the maximum length. */
const longName = () =>
  `Women in Litigation and Alternative Dispute Resolution of Manila and Surroundings ${unique()}`.slice(
    0,
    100,
  );

/** Opens a dialog, audits it, and closes it again. */
async function auditDialog(page: Page, language: Language, open: () => Promise<void>) {
  await open();
  await expect(page.getByRole('dialog')).toBeVisible();
  await dialogOpened(page);
  await auditScreen(page, language);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

test('the list of communities and its dialog pass the audit in every variant', async ({ context }) => {
  test.slow();
  await newMember(context, 'Lucía Fernández-Villanueva de la Cruz');
  await createCommunity(context, longName());
  await inEachLanguage(context, '/communities', async (page, language) => {
    const text = words[language];
    await expect(page.getByRole('listitem').first()).toBeVisible();
    await auditScreen(page, language);
    await auditDialog(page, language, async () => {
      await page.getByRole('button', { name: text.create[0] }).click();
      await page.getByRole('dialog').getByRole('button', { name: text.submit }).click();
      await expect(page.getByRole('dialog').locator('[aria-invalid=true]')).toHaveCount(1);
    });
  });
});

test('a community and its dialogs pass the audit in every variant', async ({ context }) => {
  test.slow();
  const { id: me } = await newMember(context, 'Lucía Fernández-Villanueva de la Cruz');
  const id = await createCommunity(context, longName());
  // Feed learns of the membership within two seconds.
  await expect(async () => {
    const data = { userId: me, content: 'Draft two is due.', communityId: id };
    expect((await context.request.post('/api/posts', { data })).status()).toBe(201);
  }).toPass();
  await inEachLanguage(context, `/communities/${id}`, async (page, language) => {
    const text = words[language];
    await expect(page.getByRole('article')).toHaveCount(1);
    await auditScreen(page, language);
    await auditDialog(page, language, () => page.getByRole('button', { name: text.start }).click());
    await auditDialog(page, language, () =>
      page.getByRole('button', { name: text.edit, exact: true }).click(),
    );
    await auditDialog(page, language, () => page.getByRole('button', { name: text.leave }).click());
    for (const tab of text.tabs) {
      await page.getByRole('tab', { name: tab }).click();
      await auditScreen(page, language);
    }
  });
});

/** Creates an event through the API. */
async function createEvent(context: BrowserContext): Promise<string> {
  const answer = await context.request.post('/api/events', {
    data: {
      title: `Two days of trial advocacy with the public defenders of the county and their guests ${unique()}`,
      description: 'Come and heckle politely.\n\nDoors open at one.',
      location: 'Main Courtroom, Manila College of Law',
      startDate: `${wallClock(2, '06:00')}:00Z`,
      endDate: `${wallClock(3, '09:00')}:00Z`,
      timeZone: 'Asia/Manila',
    },
  });
  expect(answer.status()).toBe(201);
  return ((await answer.json()) as { id: string }).id;
}

test('the list of events and its dialog pass the audit in every variant', async ({ context }) => {
  test.slow();
  await newMember(context, 'Lucía Fernández-Villanueva de la Cruz');
  await createEvent(context);
  await inEachLanguage(context, '/events', async (page, language) => {
    const text = words[language];
    await expect(page.getByRole('listitem').first()).toBeVisible();
    await auditScreen(page, language);
    await auditDialog(page, language, async () => {
      await page.getByRole('button', { name: text.create[1] }).click();
      await page.getByRole('dialog').getByRole('button', { name: text.submit }).click();
      await expect(page.getByRole('dialog').locator('[aria-invalid=true]')).toHaveCount(3);
    });
  });
});

test('an event and its dialogs pass the audit in every variant', async ({ context }) => {
  test.slow();
  await newMember(context, 'Lucía Fernández-Villanueva de la Cruz');
  const id = await createEvent(context);
  await inEachLanguage(context, `/events/${id}`, async (page, language) => {
    const text = words[language];
    // The organiser and the attendees.
    await expect(page.getByRole('main').getByRole('link', { name: /Lucía/ })).toHaveCount(2);
    await auditScreen(page, language);
    for (const name of [text.edit, text.callOff])
      await auditDialog(page, language, () => page.getByRole('button', { name, exact: true }).click());
  });
});

test('an unknown community or event passes the audit in every variant', async ({ page }) => {
  for (const path of ['/communities/nothing', '/events/nothing'])
    await auditAddress(page, path, () =>
      expect(page.getByRole('link', { name: /^(All|Lahat)/ })).toBeVisible(),
    );
});
