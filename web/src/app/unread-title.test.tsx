// The unread count in the title of the page and on the app's icon.
import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { unreadQuery } from '@/api/queries';
import { renderApp } from '@/testing/render-app';
import { isabel, server, signedInAs } from '@/testing/server';

const badge = { setAppBadge: vi.fn(async () => undefined), clearAppBadge: vi.fn(async () => undefined) };

beforeEach(() => {
  signedInAs(isabel);
  Object.assign(navigator, badge);
});
afterEach(() => {
  for (const name of Object.keys(badge)) Reflect.deleteProperty(navigator, name);
  vi.clearAllMocks();
});

const counts = (messages: number, notifications = 0) =>
  server.use(http.get('/api/unread', () => HttpResponse.json({ messages, requests: 5, notifications })));

test('counts messages and notifications, follows the screen, and ends at zero and with the session', async () => {
  counts(2, 1);
  const { user, queryClient } = await renderApp('/jobs');
  await waitFor(() => expect(document.title).toBe('(3) Legal Jobs & Internships | Portia'));
  expect(badge.setAppBadge).toHaveBeenLastCalledWith(3);
  // Presses the link of the bottom bar: the header's links are drawn again when their tooltips load.
  await user.click(screen.getAllByRole('link', { name: 'Network' }).at(-1) as HTMLElement);
  await waitFor(() => expect(document.title).toBe('(3) Network | Portia'));
  counts(120);
  await queryClient.invalidateQueries(unreadQuery);
  await waitFor(() => expect(document.title).toBe('(99+) Network | Portia'));
  expect(badge.setAppBadge).toHaveBeenLastCalledWith(120);
  counts(0);
  await queryClient.invalidateQueries(unreadQuery);
  await waitFor(() => expect(document.title).toBe('Network | Portia'));
  expect(badge.clearAppBadge).toHaveBeenCalled();
});

test('a visitor has neither', async () => {
  counts(2, 1);
  const { user } = await renderApp('/jobs');
  await waitFor(() => expect(document.title).toBe('(3) Legal Jobs & Internships | Portia'));
  badge.clearAppBadge.mockClear();
  await user.click(await screen.findByRole('button', { name: 'Log out' }));
  await waitFor(() => expect(document.title).toMatch(/^Portia/));
  expect(badge.clearAppBadge).toHaveBeenCalled();
});
