// A screen on paper: its content in black on white, without what only works on a screen.
import { expect } from '@playwright/test';
import { newMember } from './member';
import { test } from './test';

test('a printed post has its text and its comments, and no controls', async ({ page, context }) => {
  const { id: userId } = await newMember(context, 'Isabel Reyes');
  const made = await context.request.post('/api/posts', { data: { userId, content: 'For the record.' } });
  const { id } = (await made.json()) as { id: string };
  const body = { data: { userId, content: 'So noted.' } };
  expect((await context.request.post(`/api/posts/${id}/comments`, body)).status()).toBe(201);
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await page.goto(`/posts/${id}`);

  await expect(page.getByText('For the record.')).toBeVisible();
  await expect(page.getByText('For the record.')).toHaveCSS('color', 'rgb(0, 0, 0)');
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  await expect(page.getByText('So noted.')).toBeVisible();
  await expect(page.getByRole('banner')).toHaveCount(0);
  await expect(page.getByRole('navigation')).toHaveCount(0);
  await expect(page.getByRole('button')).toHaveCount(0);
  await expect(page.getByRole('textbox')).toHaveCount(0);
});

test('a printed profile names the addresses of its links', async ({ page, context }) => {
  const { id } = await newMember(context, 'Isabel Reyes');
  const website = 'https://isabel.example/cv';
  expect((await context.request.patch(`/api/users/${id}`, { data: { website } })).status()).toBe(200);
  await page.emulateMedia({ media: 'print' });
  await page.goto(`/profile/${id}`);
  const link = page.getByRole('link', { name: 'Website' });
  await expect(link).toBeVisible();
  const printed = await link.evaluate((element) => getComputedStyle(element, '::after').content);
  expect(printed).toContain(website);
});
