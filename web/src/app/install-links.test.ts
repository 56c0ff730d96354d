// The links that a browser needs to install the client.
import { afterEach, expect, test, vi } from 'vitest';
import { addInstallLinks } from './install-links';

const added = () =>
  [
    ...document.head.querySelectorAll<HTMLLinkElement>('link[rel="manifest"], link[rel="apple-touch-icon"]'),
  ].map((link) => link.getAttribute('href'));

afterEach(() => vi.useRealTimers());

test('the links follow some time after the page has loaded, once', () => {
  vi.useFakeTimers();
  addInstallLinks();
  vi.advanceTimersByTime(60_000);
  expect(added()).toEqual([]);
  window.dispatchEvent(new Event('load'));
  expect(added()).toEqual([]);
  vi.advanceTimersByTime(3_000);
  expect(added()).toEqual(['/manifest.webmanifest', '/brand/app-192.png']);
  window.dispatchEvent(new Event('load'));
  vi.advanceTimersByTime(60_000);
  expect(added()).toHaveLength(2);
});
