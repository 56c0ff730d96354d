// The notice names what is unreachable; the browser may report a lost network after the first failure.
import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { setReachable } from '@/api/reachability';
import { renderApp } from '@/testing/render-app';
import { isabel, signedInAs } from '@/testing/server';

beforeEach(() => signedInAs(isabel));
afterEach(() => setReachable(true));

test('names the gateway, the network once the browser knows, and neither when both are back', async () => {
  await renderApp('/test');
  await screen.findByRole('button', { name: 'Log out' });
  act(() => setReachable(false));
  expect(
    await screen.findByText('Portia cannot be reached. This is what your browser has stored.'),
  ).toBeVisible();
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  act(() => void window.dispatchEvent(new Event('offline')));
  expect(screen.getByText('You are offline. This is what your browser has stored.')).toBeVisible();
  onLine.mockReturnValue(true);
  act(() => void window.dispatchEvent(new Event('online')));
  await waitFor(() => expect(screen.queryByText(/This is what your browser has stored/)).toBeNull());
});
