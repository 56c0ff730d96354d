// A first visit: register, sign out, sign in, and the screens that need a member.
import { expect } from '@playwright/test';
import { newMember, password } from './member';
import { test } from './test';

test('the e-mail field leads to registration, and registration to home', async ({ page }) => {
  const username = `join.${Date.now().toString(36)}`;
  await page.goto('/');
  await page.getByLabel('Email').fill(`${username}@law.example`);
  await page.getByRole('button', { name: 'Join the Network' }).click();
  await expect(page).toHaveURL(/\/auth\?register=true$/);
  await expect(page.getByLabel('Username')).toHaveValue(username);

  await page.getByRole('tabpanel').getByRole('button', { name: 'Register' }).click();
  await expect(page.getByText('Full name is required')).toBeVisible();
  await expect(page.getByText('Validation Error', { exact: true })).toBeVisible();

  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Full Name').fill('Joy Reyes');
  await page.getByLabel('Full Name').press('Enter');
  await expect(page.getByRole('button', { name: 'Start a post...' })).toBeVisible();
  await expect(page).toHaveURL(/\/$/);
});

test('signing out and in again', async ({ page, context }) => {
  const { username } = await newMember(context, 'Marco Villanueva');
  await page.goto('/network');
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page.getByRole('heading', { name: 'Your Legal Career Starts Here' })).toBeVisible();
  await expect(page).toHaveURL(/\/$/);

  await page.goto('/messages');
  await expect(page).toHaveURL(/\/auth$/);

  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill('wrong password');
  await page.getByRole('tabpanel').getByRole('button', { name: 'Login' }).click();
  await expect(page.getByText('Invalid username or password', { exact: true })).toBeVisible();

  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Password', { exact: true }).press('Enter');
  await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible();
});

test('a post, a like and a comment persist after a reload', async ({ page, context }) => {
  await newMember(context, 'Amara Okafor');
  const words = `First solo client interview today, ${Date.now()}.`;
  await page.goto('/');
  await page.getByRole('button', { name: 'Start a post...' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create a post' });
  await dialog.getByRole('button', { name: 'Post', exact: true }).click();
  await expect(page.getByText('Please write something before posting.', { exact: true })).toBeVisible();
  await dialog.getByRole('textbox').fill(words);
  await dialog.getByRole('button', { name: 'Post', exact: true }).click();
  await expect(page.getByText('Your post has been published successfully.', { exact: true })).toBeVisible();

  const post = page.getByRole('article').filter({ hasText: words });
  // The post changes before the server has answered, and a reload ends a request.
  const answered = (path: RegExp) =>
    page.waitForResponse((response) => response.request().method() === 'POST' && path.test(response.url()));
  const saved = Promise.all([answered(/\/likes$/), answered(/\/comments$/)]);
  await post.getByRole('button', { name: 'Like', exact: true }).click();
  await expect(post.getByText('1 like')).toBeVisible();
  await post.getByRole('button', { name: 'Comment', exact: true }).click();
  await post.getByRole('textbox').fill('Listening turned out to be most of the job.');
  await post.getByRole('button', { name: 'Post', exact: true }).click();
  await expect(post.getByText('1 comment')).toBeVisible();
  await saved;

  await page.reload();
  await expect(post.getByText('Listening turned out to be most of the job.')).toBeVisible();
  await expect(post.getByRole('button', { name: 'Like', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
});
