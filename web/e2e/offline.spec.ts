// Without a network: visited screens open from what the browser stored, and logging out leaves nothing behind.
import { expect } from '@playwright/test';
import { newMember } from './member';
import { test } from './test';

test.use({ serviceWorkers: 'allow' });

test('visited screens open without a network, say so, and are read again when it returns', async ({
  page,
  context,
}) => {
  await newMember(context, 'Isabel Reyes');
  await page.goto('/jobs');
  await expect(page.getByRole('article').first()).toBeVisible();
  await page.goto('/');
  await expect(page.getByRole('button', { name: 'Start a post' })).toBeVisible();
  // The worker has stored the client's files.
  await page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state);

  await context.setOffline(true);
  await page.goto('/jobs');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  // A new document may not know of the emulated loss of the network: then only the gateway is said to be missing.
  await expect(page.getByText('You see what this browser stored.', { exact: false })).toBeVisible();
  await expect(page.getByRole('article').first()).toBeVisible();
  // A screen that was never opened: its code is stored, its data are not.
  await page.goto('/notifications');
  await expect(page.getByRole('heading', { level: 1, name: 'Notifications' })).toBeVisible();

  await context.setOffline(false);
  await expect(page.getByText('You see what this browser stored.', { exact: false })).toBeHidden();
  await expect(page.getByText('No notifications yet.')).toBeVisible();
});

test('after signing out, this browser has nothing left of the member', async ({ page, context }) => {
  await newMember(context, 'Isabel Reyes');
  await page.goto('/jobs');
  await page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state);
  const kept = () =>
    page.evaluate(async () => (await caches.keys()).filter((name) => name.startsWith('portia-kept:')));
  await expect.poll(kept).toHaveLength(1);
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect.poll(kept).toHaveLength(0);

  await context.setOffline(true);
  await page.goto('/jobs');
  await expect(page.getByRole('link', { name: 'Sign in' }).first()).toBeVisible();
});
