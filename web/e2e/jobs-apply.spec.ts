// Applying at the employer's own site, and searching while typing.
import { expect, type Page } from '@playwright/test';
import { mockEmployerSite, site } from './employer-site';
import { newMember } from './member';
import { test } from './test';

// A list that is read again at the end of a test must not fail it.
test.afterEach(({ context }) => context.unrouteAll({ behavior: 'ignoreErrors' }));

const toast = (page: Page, words: string | RegExp) => page.getByText(words, { exact: true }).first();

test('the employer’s site opens in a new tab, and an application is not sent until the member says so', async ({
  page,
  context,
}) => {
  await newMember(context, 'Isabel Reyes');
  await mockEmployerSite(context, site);
  await page.goto('/jobs');
  await page.getByRole('article').first().getByRole('button', { name: 'Apply Now' }).click();
  const dialog = page.getByRole('dialog');
  const opening = context.waitForEvent('page');
  await dialog.getByRole('link', { name: 'Apply at careers.employer.example' }).click();
  const tab = await opening;
  await expect(tab).toHaveURL(site);
  // The site has no access to the opener.
  await expect(tab).toHaveTitle('null');
  await tab.close();
  const question = dialog.getByRole('radiogroup', { name: 'Sent to the employer?' });
  await expect(question.getByRole('radio', { name: 'Not yet' })).toBeChecked();
  await dialog.getByRole('button', { name: 'Submit Application' }).click();
  await expect(toast(page, 'Application Submitted')).toBeVisible();

  await page.getByRole('tab', { name: 'My Applications 1' }).click();
  const row = page.getByRole('article');
  await expect(row.getByText(/^Not sent to the employer yet/)).toBeVisible();
  await page.reload();
  await expect(row.getByText(/^Not sent to the employer yet/)).toBeVisible();
  await expect(row.getByRole('link', { name: 'Apply at careers.employer.example' })).toBeVisible();
  // The row changes before the server has answered, and a reload ends the request.
  const saved = page.waitForResponse((response) => response.request().method() === 'PATCH');
  await row.getByRole('button', { name: 'Mark as sent' }).click();
  await expect(row.getByText(/Not sent to the employer yet/)).toHaveCount(0);
  await saved;
  await page.reload();
  await expect(row).toHaveCount(1);
  await expect(row.getByText(/Not sent to the employer yet/)).toHaveCount(0);
});

test('an address with a script is not shown', async ({ page, context }) => {
  await newMember(context, 'Isabel Reyes');
  await mockEmployerSite(context, 'javascript:alert(1)');
  await page.goto('/jobs');
  await page.getByRole('article').first().getByRole('button', { name: 'Apply Now' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Notes')).toBeFocused();
  await expect(dialog.getByRole('link')).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Submit Application' }).click();
  await expect(toast(page, 'Application Submitted')).toBeVisible();
});

test('the list follows the search while typing, also by place, and places in the Philippines are filters', async ({
  page,
}) => {
  await page.goto('/jobs');
  await expect(page.getByRole('article')).not.toHaveCount(0);
  const field = page.getByRole('searchbox', { name: 'Search jobs' });
  await field.pressSequentially('metro manila');
  await expect(page).toHaveURL('/jobs?search=metro+manila');
  await expect(page.getByRole('article')).toHaveCount(1);
  await expect(page.getByRole('article').getByText(/Makati, Metro Manila/)).toBeVisible();
  await expect(field).toBeFocused();
  await expect(field).toHaveValue('metro manila');
  await field.fill('');
  await expect(page).toHaveURL('/jobs');
  await page.getByRole('combobox', { name: 'Location' }).click();
  await page.getByRole('option', { name: 'Philippines' }).click();
  await expect(page).toHaveURL('/jobs?location=philippines');
  await expect(page.getByRole('article')).toHaveCount(3);
  await page.getByRole('combobox', { name: 'Location' }).click();
  await page.getByRole('option', { name: 'Taguig (BGC)' }).click();
  await expect(page).toHaveURL('/jobs?location=taguig');
  await expect(page.getByRole('article')).toHaveCount(1);
});
