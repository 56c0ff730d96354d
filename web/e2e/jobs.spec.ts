// Jobs as visitor and member, on the built-in postings: list, search, apply, follow the application.
import { type BrowserContext, expect, type Page } from '@playwright/test';
import { auditAddress, auditScreen, dialogOpened, inEachLanguage } from './audit';
import { mockEmployerSite, site } from './employer-site';
import { newMember } from './member';
import { test } from './test';

const toast = (page: Page, words: string | RegExp) => page.getByText(words, { exact: true }).first();

interface Posting {
  id: string;
  title: string;
  company: string;
  description: string;
  isDemo: boolean;
}

/** The open postings. */
async function listPostings(context: BrowserContext): Promise<Posting[]> {
  const answer = await context.request.get('/api/jobs');
  expect(answer.status()).toBe(200);
  const all = (await answer.json()) as Posting[];
  expect(all.length).toBeGreaterThan(2);
  return all;
}

/** Applies through the API. */
async function apply(context: BrowserContext, jobId: string, notes: string): Promise<string> {
  const answer = await context.request.post(`/api/jobs/${jobId}/apply`, { data: { notes } });
  expect(answer.status()).toBe(201);
  return ((await answer.json()) as { id: string }).id;
}

async function updateApplication(context: BrowserContext, applicationId: string, data: object) {
  const answer = await context.request.patch(`/api/jobs/applications/${applicationId}`, { data });
  expect(answer.status()).toBe(200);
}

test('a visitor lists, searches, filters and reads postings; applying requires a member', async ({
  page,
  context,
}) => {
  const [first] = (await listPostings(context)) as [Posting];
  await page.goto('/jobs');
  await expect(page.getByRole('heading', { level: 1, name: 'Legal Jobs & Internships' })).toBeVisible();
  const card = page.getByRole('article').first();
  await expect(card.getByRole('heading', { name: first.title })).toBeVisible();
  await expect(card.getByText('Demo', { exact: true })).toHaveCount(first.isDemo ? 1 : 0);
  await expect(page.getByText('Total Jobs').locator('..')).toContainText(/[1-9]/);
  await expect(page.getByRole('tab', { name: /^My Applications/ })).toBeDisabled();

  const apply = card.getByRole('button', { name: 'Apply Now' });
  await expect(apply).toHaveAttribute('aria-disabled', 'true');
  // The button is disabled in appearance; the click shows the reason.
  await apply.click({ force: true });
  await expect(toast(page, 'Authentication Required')).toBeVisible();
  await expect(toast(page, 'Please sign in to apply for jobs.')).toBeVisible();

  await page.getByRole('searchbox', { name: 'Search jobs' }).fill(first.company.toUpperCase());
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\?search=/);
  await expect(page.getByRole('article')).toHaveCount(1);
  await page.getByRole('searchbox', { name: 'Search jobs' }).fill('');
  await page.keyboard.press('Enter');
  await page.getByRole('combobox', { name: 'Location' }).click();
  await page.getByRole('option', { name: 'Remote' }).click();
  await expect(page).toHaveURL('/jobs?location=remote');
  await expect(page.getByRole('article').filter({ hasNotText: /Remote/ })).toHaveCount(0);
  await expect(page.getByRole('article')).not.toHaveCount(0);
  await page.getByRole('combobox', { name: 'Employment Type' }).click();
  await page.getByRole('option', { name: 'Contract' }).click();
  await page.getByRole('combobox', { name: 'Experience Level' }).click();
  await page.getByRole('option', { name: 'Entry-level' }).click();
  await page.getByRole('combobox', { name: 'Practice Area' }).click();
  await page.getByRole('option', { name: 'Intellectual Property' }).click();
  await expect(page.getByText('No jobs found')).toBeVisible();
  await expect(
    page.getByText('Try adjusting your filters or refresh the job listings.', { exact: true }),
  ).toBeVisible();
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
    location: 'remote',
    practiceArea: 'intellectual-property',
    experienceLevel: 'entry-level',
    employmentType: 'contract',
  });
  await page.reload();
  await expect(page.getByRole('combobox', { name: 'Practice Area' })).toHaveText('Intellectual Property');

  await page.goto('/jobs');
  await page.getByRole('link', { name: first.title, exact: true }).first().click();
  await expect(page).toHaveURL(`/jobs/${first.id}`);
  await expect(page.getByRole('heading', { level: 1, name: first.title })).toBeVisible();
  await expect(page).toHaveTitle(`${first.title}, ${first.company} | Portia`);
  // The list shows the beginning of the description, the page all of it with its line breaks.
  const about = page.getByRole('region', { name: 'About this job' });
  await expect(about).toContainText(first.description.slice(0, 60));
  expect(await about.getByRole('paragraph').innerText()).toContain('\n');
  await page.goBack();
  await expect(page).toHaveURL('/jobs');
});

test('every caller can refresh and sees the result', async ({ page }) => {
  await page.goto('/jobs');
  await expect(page.getByRole('article')).not.toHaveCount(0);
  await page.getByRole('button', { name: 'Refresh Jobs' }).click();
  await expect(toast(page, 'Jobs Refreshed')).toBeVisible();
  await expect(toast(page, /^(No new jobs right now\.|[\d,]+ new jobs? found\.)$/)).toBeVisible();
  await expect(page.getByRole('article')).not.toHaveCount(0);
});

test('a member applies, changes the status, writes notes and reads the history', async ({
  page,
  context,
}) => {
  const [first, second] = (await listPostings(context)) as [Posting, Posting];
  await newMember(context, 'Isabel Reyes');
  await page.goto('/jobs');
  await expect(page.getByRole('tab', { name: 'My Applications 0' })).toBeEnabled();
  const card = page.getByRole('article').first();
  await card.getByRole('button', { name: 'Apply Now' }).click();
  const dialog = page.getByRole('dialog', { name: `Apply for ${first.title}` });
  await expect(dialog.getByText(first.company)).toBeVisible();
  await expect(dialog.getByLabel('Notes')).toBeFocused();
  await dialog.getByLabel('Notes').fill('Two semesters in the clinic.\nFluent in Filipino.');
  await dialog.getByRole('button', { name: 'Submit Application' }).click();
  await expect(toast(page, 'Application Submitted')).toBeVisible();
  await expect(card.getByRole('button', { name: 'Applied' })).toBeFocused();
  await expect(card.getByRole('button', { name: 'Apply Now' })).toHaveCount(0);
  // Without the stream, which would show the next application at once.
  await page.route('**/api/live', (route) => route.abort());
  await page.reload();
  await expect(card.getByRole('button', { name: 'Applied' })).toBeVisible();

  // The member has applied in another tab meanwhile: the server refuses, and the screen shows the application.
  await apply(context, second.id, '');
  const other = page.getByRole('article').nth(1);
  await other.getByRole('button', { name: 'Apply Now' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Submit Application' }).click();
  await expect(toast(page, 'Application Failed')).toBeVisible();
  await expect(toast(page, 'You have already applied for this job')).toBeVisible();
  await expect(other.getByRole('button', { name: 'Applied' })).toBeVisible();

  await page.getByRole('tab', { name: 'My Applications 2' }).click();
  await expect(page).toHaveURL('/jobs?tab=applications');
  const row = page.getByRole('article', { name: first.title });
  await expect(row.getByText('applied', { exact: true })).toBeVisible();
  const options = row.getByRole('button', { name: `Options for ${first.title}` });
  await options.click();
  await page.getByRole('menuitemradio', { name: 'interviewed' }).click();
  await expect(row.getByText('interviewed', { exact: true })).toBeVisible();
  await expect(options).toBeFocused();
  await options.click();
  await page.getByRole('menuitem', { name: 'Notes and history' }).click();
  const details = page.getByRole('dialog', { name: first.title });
  await expect(details.getByRole('listitem')).toHaveCount(2);
  await expect(details.getByRole('listitem').last()).toContainText('interviewed');
  await expect(details.getByLabel('Notes')).toHaveValue('Two semesters in the clinic.\nFluent in Filipino.');
  await details.getByLabel('Notes').fill('Panel on the 12th');
  await details.getByRole('button', { name: 'Save notes' }).click();
  await expect(toast(page, 'Notes saved')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.reload();
  await expect(row.getByText('Panel on the 12th')).toBeVisible();
  await expect(row.getByText('interviewed', { exact: true })).toBeVisible();
  await row.getByRole('button', { name: first.title, exact: true }).click();
  await expect(details.getByRole('listitem')).toHaveCount(2);
  await details.getByRole('link', { name: 'See the current posting' }).click();
  await expect(page).toHaveURL(`/jobs/${first.id}`);
  await expect(page.getByRole('button', { name: 'Applied' })).toBeVisible();
  await page.getByRole('link', { name: 'See it in My Applications' }).click();
  await expect(page.getByRole('tab', { name: 'My Applications 2' })).toHaveAttribute('aria-selected', 'true');
});

test('another member’s application is not found', async ({ context, browser }) => {
  const [first] = (await listPostings(context)) as [Posting];
  await newMember(context, 'Isabel Reyes');
  const id = await apply(context, first.id, 'Mine');
  const other = await browser.newContext();
  await newMember(other, 'Priya Raghavan');
  const path = `/api/jobs/applications/${id}`;
  expect((await other.request.get(path)).status()).toBe(404);
  expect((await other.request.patch(path, { data: { status: 'rejected' } })).status()).toBe(404);
  await other.close();
});

const words = {
  en: { apply: 'Apply Now', details: 'Notes and history', options: /^Options for/ },
  fil: { apply: 'Mag-apply Na', details: 'Mga tala at kasaysayan', options: /^Mga opsyon para sa/ },
} as const;

test('the list and the dialog pass the audit in every variant', async ({ context }) => {
  await newMember(context, 'Lucía Fernández-Villanueva de la Cruz');
  const [, second] = (await listPostings(context)) as [Posting, Posting];
  await apply(context, second.id, 'Two semesters in the clinic');
  await mockEmployerSite(context, site);
  await inEachLanguage(context, '/jobs', async (page, language) => {
    await expect(page.getByRole('heading', { level: 1 })).toBeAttached();
    await expect(page.getByRole('article')).not.toHaveCount(0);
    await auditScreen(page, language);
    await page.getByRole('button', { name: words[language].apply }).first().click();
    await dialogOpened(page);
    await auditScreen(page, language);
  });
});

test('an open and a closed posting pass the audit in every variant', async ({ context, page }) => {
  const [first] = (await listPostings(context)) as [Posting];
  await auditAddress(page, `/jobs/${first.id}`, () =>
    expect(page.getByRole('button', { name: /^(Apply Now|Mag-apply Na)$/ })).toBeVisible(),
  );
  await context.route(/\/api\/jobs\/[0-9a-f-]{36}$/, async (route) => {
    const answer = await route.fetch();
    const job = (await answer.json()) as Record<string, unknown>;
    const closed = { ...job, closedAt: '2026-11-20T12:00:00Z', applied: true, externalUrl: site };
    await route.fulfill({ response: answer, json: closed });
  });
  await auditAddress(page, `/jobs/${first.id}`, () =>
    expect(page.getByRole('link', { name: /My Applications|Mga Aplikasyon Ko/ })).toBeVisible(),
  );
});

test('my applications and their dialog pass the audit in every variant', async ({ context }) => {
  await newMember(context, 'Lucía Fernández-Villanueva de la Cruz');
  const jobs = await listPostings(context);
  await mockEmployerSite(context, site);
  const statuses = ['applied', 'interviewed', 'offered', 'withdrawn'];
  for (const [at, status] of statuses.entries()) {
    const job = jobs[at] as Posting;
    const id = await apply(context, job.id, 'Interview panel on the 12th; start date to be agreed.');
    await updateApplication(context, id, { sentToEmployer: 'not-yet' });
    if (status !== 'applied') await updateApplication(context, id, { status });
  }
  await inEachLanguage(context, '/jobs?tab=applications', async (page, language) => {
    const text = words[language];
    await expect(page.getByRole('article')).toHaveCount(statuses.length);
    await auditScreen(page, language);
    await page.getByRole('button', { name: text.options }).first().click();
    await expect(page.getByRole('menuitemradio')).toHaveCount(6);
    await page.getByRole('menuitem', { name: text.details }).click();
    await dialogOpened(page);
    await expect(page.getByRole('dialog').getByRole('listitem')).not.toHaveCount(0);
    await auditScreen(page, language);
  });
});
