// The onboarding of a new member: five steps, skipped and resumed, the checklist on home, and the audit of each step.
import { expect, type Page } from '@playwright/test';
import { auditAddress, auditScreen, inEachLanguage } from './audit';
import { newMember } from './member';
import { test } from './test';

const school = 'Ateneo de Manila University School of Law';

const step = (page: Page, name: string) => page.getByRole('heading', { level: 2, name });
const state = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Steps' }).getByRole('link', { name });
const checklist = (page: Page) => page.getByRole('region', { name: 'Set up your profile' });
const button = (page: Page, name: string) =>
  page.getByRole('main').getByRole('button', { name, exact: true });

test('a new member answers four steps, returns to the skipped one, and the checklist ends', async ({
  page,
  context,
}) => {
  const { id } = await newMember(context, 'Nadia Velasco');
  await page.goto('/');
  await expect(checklist(page)).toContainText('0 of 5 done');
  await checklist(page).getByRole('link', { name: 'Continue' }).click();

  await test.step('a school from the list', async () => {
    await expect(step(page, 'Which law school do you attend?')).toBeVisible();
    await expect(button(page, 'Save and continue')).toBeDisabled();
    await page.getByRole('combobox', { name: 'School' }).pressSequentially('ateneo de man');
    await page.getByRole('option', { name: school }).click();
    await expect(page.getByRole('combobox', { name: 'School' })).toHaveValue(school);
    await button(page, 'Save and continue').click();
  });

  await test.step('a year; an impossible one is refused', async () => {
    // The next step announces itself.
    await expect(step(page, 'When do you graduate?')).toBeFocused();
    const field = page.getByRole('textbox', { name: 'Graduation Year' });
    await field.fill('1066');
    await button(page, 'Save and continue').click();
    await expect(page.getByText(/^Enter a year from/)).toBeVisible();
    await expect(field).toHaveAttribute('aria-invalid', 'true');
    await field.fill('2028');
    await button(page, 'Save and continue').click();
  });

  await test.step('the interests are skipped', async () => {
    await expect(step(page, 'What do you work on?')).toBeFocused();
    await button(page, 'Skip').click();
  });

  await test.step('three people of the school are asked', async () => {
    await expect(step(page, 'Connect with three people')).toBeFocused();
    await expect(button(page, 'Continue')).toBeDisabled();
    for (let n = 1; n <= 3; n += 1) {
      const connect = page.getByRole('main').getByRole('button', { name: /^Connect with / });
      const asked = page.waitForRequest(
        (request) => request.url().endsWith('/api/connections') && request.method() === 'POST',
      );
      await connect.first().click();
      await expect(page.getByRole('status').filter({ hasText: `${n} of 3 requests sent` })).toBeVisible();
      const { recipientId } = (await asked).postDataJSON() as { recipientId: string };
      const sent = await context.request.get(`/api/connections?requesterId=${id}&recipientId=${recipientId}`);
      expect(await sent.json()).toMatchObject([{ status: 'pending' }]);
    }
    await button(page, 'Continue').click();
    await expect(step(page, 'Join two communities')).toBeFocused();
  });

  await test.step('the member leaves, and the checklist names what is left', async () => {
    await page.goto('/');
    await expect(checklist(page)).toContainText('3 of 5 done');
    await expect(checklist(page).getByText('Done: Add your school')).toBeAttached();
    await expect(checklist(page).getByRole('link', { name: 'Add your school' })).toHaveCount(0);
    await expect(checklist(page).getByRole('link', { name: 'Join two communities' })).toBeVisible();
    await checklist(page).getByRole('link', { name: 'Choose interests' }).click();
    await expect(step(page, 'What do you work on?')).toBeVisible();
    await expect(state(page, 'Jurisdictions and interests')).toContainText('Skipped');
    await expect(state(page, 'School')).toContainText('Done');
  });

  await test.step('the skipped step is answered', async () => {
    await page.getByRole('combobox', { name: 'Jurisdictions' }).selectOption('Philippines');
    await page.getByRole('checkbox', { name: 'Tax law' }).check();
    await button(page, 'Save and continue').click();
  });

  await test.step('two communities are joined, and nothing is left', async () => {
    await expect(step(page, 'Join two communities')).toBeFocused();
    for (let n = 1; n <= 2; n += 1) {
      await page
        .getByRole('main')
        .getByRole('button', { name: /^Join / })
        .first()
        .click();
      await expect(page.getByRole('status').filter({ hasText: `${n} of 2 joined` })).toBeVisible();
    }
    await button(page, 'Finish').click();
    await expect(page).toHaveURL('/');
    await expect(page.getByRole('button', { name: 'Start a post...' })).toBeVisible();
    await expect(checklist(page)).toHaveCount(0);
    await page.reload();
    await expect(
      page.getByRole('region', { name: 'Your Legal Communities' }).getByRole('listitem'),
    ).toHaveCount(2);
    await expect(checklist(page)).toHaveCount(0);
    await page.goto('/welcome');
    await expect(page.getByText('You are set up')).toBeVisible();
  });

  await test.step('the profile shows the answers to others', async () => {
    const visitor = await (await page.context().browser()?.newContext())?.newPage();
    if (!visitor) throw new Error('no browser');
    await visitor.goto(`/profile/${id}`);
    const main = visitor.getByRole('main');
    await expect(main.getByText(school).first()).toBeVisible();
    await expect(main.getByText(/2028/).first()).toBeVisible();
    await expect(main.getByText('Tax law').first()).toBeVisible();
    await expect(main.getByText('Philippines').first()).toBeVisible();
  });
});

test('each step and the end have no accessibility violations', async ({ context, page: end }) => {
  test.slow();
  const { id } = await newMember(context, 'Lucía Fernández-Villanueva de la Cruz', { school });
  const steps = ['school', 'graduation-year', 'interests', 'people', 'communities'];
  for (const name of steps)
    await inEachLanguage(context, `/welcome?step=${name}`, async (page, language) => {
      await expect(page.locator('[aria-current=step]')).toBeVisible();
      await expect(page.getByRole('main').locator('form h2')).toBeFocused();
      if (name === 'people' || name === 'communities')
        await expect(page.getByRole('main').locator('form li').first()).toBeVisible();
      await auditScreen(page, language);
    });
  for (const name of steps) {
    const data = { step: name, state: name === 'people' ? 'skipped' : 'done' };
    const answer = await context.request.patch(`/api/users/${id}/onboarding`, { data });
    expect(answer.status()).toBe(200);
  }
  // Every step is answered or skipped: the screen says so beside the list.
  await auditAddress(end, '/welcome', (page) =>
    expect(page.getByRole('main').getByText(/^(You are set up|Handa ka na)$/)).toBeVisible(),
  );
});
