// Without a network: visited screens open from what the browser stored, and logging out leaves nothing behind.
import { type CDPSession, expect } from '@playwright/test';
import { newMember } from './member';
import { test } from './test';

test.use({ serviceWorkers: 'allow' });

/** Chromium does not tell a new document that the emulated network is gone; a real one it does. */
const tellOffline = (browser: CDPSession) =>
  browser.send('Network.overrideNetworkState', {
    offline: true,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: -1,
  });

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

  const browser = await context.newCDPSession(page);
  await context.setOffline(true);
  await page.goto('/jobs');
  await tellOffline(browser);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByText('You are offline. This is what your browser has stored.')).toBeVisible();
  await expect(page.getByRole('article').first()).toBeVisible();
  // A screen that was never opened: its code is stored, its data are not.
  await page.goto('/notifications');
  await tellOffline(browser);
  await expect(page.getByRole('heading', { level: 1, name: 'Notifications' })).toBeVisible();

  await context.setOffline(false);
  await expect(page.getByText('You are offline.', { exact: false })).toBeHidden();
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
