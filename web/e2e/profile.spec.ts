// Profiles for owner and visitors: editing, photo, activity, connecting, endorsing, and the audit.
import { type APIResponse, type BrowserContext, expect, type Locator, type Page } from '@playwright/test';
import { auditScreen, dialogOpened, inEachLanguage } from './audit';
import { boxesOf, laidOut } from './geometry';
import { newMember } from './member';
import { test } from './test';

const profilePath = (id: string) => `/profile/${id}`;

/** Fills the profile of an owner through the API. */
async function fillProfile(
  context: BrowserContext,
  userId: string,
  skills = ['Moot court', 'Legal research'],
) {
  const answers: APIResponse[] = [
    await context.request.patch(`/api/users/${userId}`, {
      data: {
        headline: '3L at Manila College of Law',
        location: 'Manila, Philippines',
        website: 'https://example.org/me',
        linkedin: 'https://www.linkedin.com/in/me',
      },
    }),
    await context.request.put(`/api/users/${userId}/profile`, {
      data: {
        userId,
        bio: 'Oralist, clinic student, slow reader of long judgments.',
        experiences: [
          {
            title: 'Legal intern',
            company: 'Metro Legal Aid Center',
            startDate: '2026-06',
            isCurrentPosition: true,
            location: 'Manila',
          },
          {
            title: 'Research assistant',
            company: 'Manila College of Law',
            startDate: '2025-08',
            endDate: '2026-05',
          },
        ],
        education: [{ institution: 'Manila College of Law', degree: 'Juris Doctor', startDate: '2024-08' }],
        skills,
      },
    }),
  ];
  for (const answer of answers) expect(answer.status()).toBe(200);
}

async function openEditor(page: Page, button: string): Promise<Locator> {
  await page.getByRole('button', { name: button }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toBeVisible();
  return dialog;
}

async function save(dialog: Locator) {
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
}

test('the owner’s changes in the four tabs persist after a reload', async ({ page, context }) => {
  const { id } = await newMember(context, 'Isabel Reyes');
  await page.goto(profilePath(id));
  const dialog = await openEditor(page, 'Edit Profile');
  await expect(dialog.getByLabel('Full Name')).toBeFocused();
  await dialog.getByLabel('Full Name').fill('Isabel Maria Reyes');
  await dialog.getByLabel('Headline').fill('Clerk to be');
  await dialog.getByLabel('Bio').fill('Oralist.\nSlow reader.');
  await dialog.getByLabel('Website').fill('https://isabel.example/');

  await dialog.getByRole('tab', { name: 'Experience' }).click();
  for (const [title, company] of [
    ['Research assistant', 'Manila College of Law'],
    ['Legal intern', 'Metro Legal Aid Center'],
  ]) {
    await dialog.getByRole('button', { name: 'Add experience' }).press('Enter');
    await page.keyboard.type(title ?? '');
    await page.keyboard.press('Tab');
    await page.keyboard.type(company ?? '');
    const entry = dialog.getByRole('group', { name: company });
    await entry.getByLabel('Start Date').fill('2026-06');
  }
  await dialog.getByRole('button', { name: 'Move Metro Legal Aid Center up' }).press('Enter');
  await expect(dialog.getByRole('button', { name: 'Move Metro Legal Aid Center up' })).toBeFocused();
  await dialog.getByRole('group', { name: 'Metro' }).getByLabel('I currently work here').check();
  await expect(dialog.getByRole('group', { name: 'Metro' }).getByLabel('End Date')).toBeDisabled();

  await dialog.getByRole('tab', { name: 'Education' }).click();
  await dialog.getByRole('button', { name: 'Add education' }).click();
  await dialog.getByLabel('Institution').fill('Eastbay School of Law');
  await dialog.getByLabel('Start Date').fill('2024-08');
  await dialog.getByRole('tab', { name: 'Skills' }).click();
  await dialog.getByLabel('Add a skill').fill(' Moot court ');
  await dialog.getByLabel('Add a skill').press('Enter');

  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Degree is required')).toBeVisible();
  await expect(dialog.getByLabel('Degree')).toBeFocused();
  await page.keyboard.type('LL.M.');
  await save(dialog);
  await expect(page.getByText('Profile updated', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Edit Profile' })).toBeFocused();

  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Isabel Maria Reyes' })).toBeVisible();
  await expect(page.getByText('Clerk to be')).toBeVisible();
  await expect(page.getByText('Slow reader.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Website' })).toHaveAttribute(
    'href',
    'https://isabel.example/',
  );
  const experience = page.getByRole('region', { name: 'Experience' }).getByRole('listitem');
  await expect(experience).toHaveText([/Legal intern.*Jun 2026 to present/, /Research assistant/]);
  await expect(page.getByRole('region', { name: 'Education' })).toContainText('Eastbay School of LawLL.M.');
  await page.getByRole('tab', { name: 'Skills & Endorsements' }).click();
  await expect(page.getByText('Moot court')).toBeVisible();
});

/** A camera-sized photo, far too large for an avatar. */
async function photo(page: Page, width: number, height: number): Promise<Buffer> {
  const dataUrl = await page.evaluate(
    ([across, down]) => {
      const canvas = Object.assign(document.createElement('canvas'), { width: across, height: down });
      const context = canvas.getContext('2d');
      for (let at = 0; at < 40; at++) {
        if (context) context.fillStyle = `hsl(${at * 9} 70% 50%)`;
        context?.fillRect((at * across) / 40, 0, across / 40, down);
      }
      return canvas.toDataURL('image/png');
    },
    [width, height] as const,
  );
  return Buffer.from(dataUrl.split(',')[1] ?? '', 'base64');
}

test('on a phone the tabs do not cover a refused field', async ({ page, context }) => {
  const { id } = await newMember(context, 'Isabel Reyes');
  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto(profilePath(id));
  const dialog = await openEditor(page, 'Edit Profile');
  const name = dialog.getByLabel('Full Name');
  await name.fill('');
  await name.evaluate((field) => {
    const body = field.closest('.overflow-y-auto');
    body?.scrollBy(0, field.getBoundingClientRect().y - body.getBoundingClientRect().y);
  });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(name).toBeFocused();
  await laidOut(async () => {
    const [tabs, label] = await boxesOf([
      dialog.getByRole('tablist'),
      dialog.getByText('Full Name', { exact: true }),
    ]);
    expect(label?.y).toBeGreaterThanOrEqual(tabs?.bottom ?? Number.NaN);
  });
});

test('a photo is scaled, stored, shown everywhere, and can be removed', async ({ page, context }) => {
  const { id } = await newMember(context, 'Isabel Reyes');
  await page.goto(profilePath(id));
  const buffer = await photo(page, 1600, 900);
  let dialog = await openEditor(page, 'Edit Profile');
  const chooser = dialog.locator('input[type=file]');
  await chooser.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: Buffer.from('no picture') });
  await expect(
    page.getByText('Failed to process image file. Please try another image.', { exact: true }),
  ).toBeVisible();

  await chooser.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer });
  const preview = dialog.locator('img');
  await expect(preview).toHaveAttribute('src', /^data:image\/jpeg;base64,/);
  const size = (image: Locator) =>
    image.evaluate((shown: HTMLImageElement) => [shown.naturalWidth, shown.naturalHeight]);
  await expect.poll(() => size(preview)).toEqual([400, 225]);
  const patched = page.waitForResponse((response) => response.request().method() === 'PATCH');
  await save(dialog);
  const { avatarUrl } = (await patched).request().postDataJSON() as { avatarUrl: string };
  expect(avatarUrl.length).toBeLessThanOrEqual(500_000);

  await page.reload();
  const pictures = page.locator('img[src^="/media/"]');
  await expect(page.getByRole('banner').locator('img')).toHaveAttribute(
    'src',
    /^\/media\/[0-9a-f]{64}\.jpg$/,
  );
  await expect.poll(() => size(pictures.first())).toEqual([400, 225]);

  dialog = await openEditor(page, 'Edit Profile');
  await dialog.getByRole('button', { name: 'Remove photo' }).click();
  await save(dialog);
  await expect(pictures).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Edit Profile' })).toBeVisible();
  await expect(pictures).toHaveCount(0);
});

test('a photo that exceeds the request limit is scaled to 200 x 200', async ({ page, context }) => {
  const { id } = await newMember(context, 'Isabel Reyes');
  await page.goto(profilePath(id));
  const buffer = await photo(page, 900, 500);
  // A real photo of 400 px is never that long. The browser's encoder is patched to pad its first result.
  await page.evaluate(() => {
    const write = HTMLCanvasElement.prototype.toDataURL;
    HTMLCanvasElement.prototype.toDataURL = function (type, quality) {
      const written = write.call(this, type, quality);
      return this.width === 400 ? `${written.replace(/=+$/, '')}${'A'.repeat(500_000)}` : written;
    };
  });
  const dialog = await openEditor(page, 'Edit Profile');
  await dialog.locator('input[type=file]').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer });
  await expect(dialog.locator('img')).toHaveAttribute('src', /A{1000}/);
  const patched = page.waitForRequest((request) => request.method() === 'PATCH');
  await save(dialog);
  const { avatarUrl } = (await patched).postDataJSON() as { avatarUrl: string };
  const redrawn = await page.evaluate(async (src) => {
    const image = Object.assign(new Image(), { src });
    await image.decode();
    return [image.naturalWidth, image.naturalHeight];
  }, avatarUrl);
  expect(redrawn).toEqual([200, 200]);
});

test('activity lists posts, comments and reactions with links', async ({ page, context }) => {
  const { id } = await newMember(context, 'Isabel Reyes');
  await page.goto(profilePath(id));
  await page.getByRole('tab', { name: 'Activity' }).click();
  await expect(page.getByText('Recent activity will appear here.')).toBeVisible();

  const words = `Draft three is done, ${Date.now()}.`;
  const made = await context.request.post('/api/posts', { data: { userId: id, content: words } });
  const post = ((await made.json()) as { id: string }).id;
  await context.request.post(`/api/posts/${post}/likes`, { data: { userId: id, type: 'celebrate' } });
  await context.request.post(`/api/posts/${post}/comments`, {
    data: { userId: id, content: 'It only took nine days.' },
  });

  await page.reload();
  await page.getByRole('tab', { name: 'Activity' }).click();
  const activity = page.getByRole('region', { name: 'Activity' });
  await expect(activity.getByRole('listitem')).toHaveCount(3);
  for (const sentence of ['Wrote a post', 'Celebrated their own post', 'Commented on their own post'])
    await expect(activity.getByRole('link', { name: sentence })).toHaveAttribute('href', `/posts/${post}`);
  await expect(activity.getByText('It only took nine days.')).toBeVisible();
  await activity.getByText(words).first().click({ force: true });
  await expect(page).toHaveURL(new RegExp(`/posts/${post}$`));
});

test('two members connect, one endorses the other, who hides the skill', async ({
  page,
  context,
  browser,
}) => {
  const other = await browser.newContext();
  const owner = await newMember(other, 'Priya Raghavan');
  await fillProfile(other, owner.id);
  await newMember(context, 'Marco Villanueva');

  await page.goto(profilePath(owner.id));
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(page.getByText('Your connection request has been sent', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Connection Pending' })).toBeDisabled();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Connection Pending' })).toBeDisabled();
  await page.getByRole('tab', { name: 'Skills & Endorsements' }).click();
  await expect(page.getByRole('button', { name: 'Endorse Moot court' })).toHaveCount(0);

  const theirs = await other.newPage();
  await theirs.goto('/network?tab=requests');
  await theirs.getByRole('link', { name: 'Marco Villanueva' }).click();
  await theirs.getByRole('button', { name: 'Accept Connection' }).click();
  await expect(theirs.getByRole('button', { name: 'Connected' })).toBeDisabled();

  await page.reload();
  await expect(page.getByRole('button', { name: 'Connected' })).toBeDisabled();
  await page.getByRole('tab', { name: 'Skills & Endorsements' }).click();
  const endorse = page.getByRole('button', { name: 'Endorse Moot court' });
  // The profile service learns of the connection within two seconds.
  await expect(async () => {
    const response = page.waitForResponse(
      (one) => one.request().method() === 'POST' && one.url().endsWith('/endorsements'),
    );
    await endorse.click();
    expect((await response).ok()).toBe(true);
  }).toPass();
  await expect(page.getByRole('button', { name: '1 endorsement: Moot court' })).toBeVisible();
  await expect(endorse).toHaveAttribute('aria-pressed', 'true');

  await theirs.goto(profilePath(owner.id));
  await theirs.getByRole('tab', { name: 'Skills & Endorsements' }).click();
  await theirs.getByRole('button', { name: '1 endorsement: Moot court' }).click();
  await theirs.getByRole('button', { name: 'Hide the endorsement by Marco Villanueva' }).click();
  await expect(theirs.getByRole('dialog').getByText('Hidden', { exact: true })).toBeVisible();
  await page.reload();
  await page.getByRole('tab', { name: 'Skills & Endorsements' }).click();
  await expect(page.getByText('0 endorsements')).toHaveCount(2);

  // Profile views and connection counts are batched in memory for some seconds.
  const stats = async () => {
    const answer = await other.request.get(`/api/users/${owner.id}/profile`);
    return ((await answer.json()) as { stats: unknown }).stats;
  };
  await expect.poll(stats).toEqual({ profileViews: 1, postImpressions: 0, connections: 1 });
  await theirs.goto('/');
  const summary = theirs.getByRole('region', { name: 'Priya Raghavan' });
  await expect(summary.getByRole('definition')).toHaveText(['1', '0', '1']);
  await other.close();
});

test('a request is accepted and another ignored on the network screen', async ({
  page,
  context,
  browser,
}) => {
  const { id } = await newMember(context, 'Priya Raghavan');
  for (const name of ['Marco Villanueva', 'Ana Cruz']) {
    const other = await browser.newContext();
    const requester = await newMember(other, name);
    const asked = await other.request.post('/api/connections', {
      data: { requesterId: requester.id, recipientId: id, status: 'pending' },
    });
    expect(asked.status()).toBe(201);
    await other.close();
  }
  await page.goto('/network?tab=requests');
  const row = (name: string) => page.getByRole('listitem').filter({ hasText: name });
  await row('Marco Villanueva').getByRole('button', { name: 'Accept' }).click();
  await expect(row('Marco Villanueva')).toHaveCount(0);
  await row('Ana Cruz').getByRole('button', { name: 'Ignore' }).click();
  await expect(page.getByText("You don't have any pending invitations.")).toBeVisible();
  await page.getByRole('tab', { name: 'My Connections 1' }).click();
  await expect(page.getByRole('tabpanel').getByRole('link', { name: 'Marco Villanueva' })).toBeVisible();
});

const words = {
  en: {
    edit: 'Edit Profile',
    tabs: ['Basic Info', 'Experience', 'Education', 'Skills'],
    activity: 'Activity',
    skills: 'Skills & Endorsements',
    endorsements: /^0 endorsements: Moot court/,
    save: 'Save',
  },
  fil: {
    edit: 'I-edit ang Profile',
    tabs: ['Pangunahin', 'Karanasan', 'Edukasyon', 'Kasanayan'],
    activity: 'Aktibidad',
    skills: 'Mga Kasanayan at Endorsement',
    endorsements: /^0 endorsement: Moot court/,
    save: 'I-save',
  },
};

test('a full profile, its tabs and its dialogs pass the audit in every variant', async ({ context }) => {
  test.slow();
  const { id } = await newMember(context, 'Lucía Fernández-Villanueva de la Cruz');
  await fillProfile(context, id, ['Moot court', 'Public interest litigation and clinical legal practice']);
  await context.request.post('/api/posts', { data: { userId: id, content: 'Draft three is done.' } });
  await inEachLanguage(context, profilePath(id), async (page, language) => {
    const text = words[language];
    await expect(page.getByRole('article')).toHaveCount(1);
    await auditScreen(page, language);
    await page.getByRole('tab', { name: text.activity }).click();
    await expect(page.getByRole('region', { name: text.activity })).toBeVisible();
    await auditScreen(page, language);
    await page.getByRole('tab', { name: text.skills }).click();
    await page.getByRole('button', { name: text.endorsements }).click();
    await dialogOpened(page);
    await auditScreen(page, language);
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: text.edit, exact: true }).click();
    const dialog = page.getByRole('dialog', { name: text.edit });
    for (const tab of text.tabs) {
      await dialog.getByRole('tab', { name: tab }).click();
      await dialogOpened(page);
      await auditScreen(page, language);
    }
    await dialog.getByRole('tab', { name: text.tabs[1] }).click();
    await dialog.getByRole('textbox').first().fill('');
    await dialog.getByRole('button', { name: text.save }).click();
    await expect(dialog.getByRole('textbox').first()).toHaveAttribute('aria-invalid', 'true');
    await auditScreen(page, language);
  });
});
