// The links that a browser needs to install the client.
import { existsSync, readFileSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { addInstallLinks } from './install-links';

const added = () =>
  [
    ...document.head.querySelectorAll<HTMLLinkElement>('link[rel="manifest"], link[rel="apple-touch-icon"]'),
  ].map((link) => link.getAttribute('href'));

afterEach(() => {
  vi.useRealTimers();
  document.documentElement.lang = 'en';
});

test('the links follow some time after the page has loaded, once, in its language', () => {
  vi.useFakeTimers();
  document.documentElement.lang = 'fil';
  addInstallLinks();
  vi.advanceTimersByTime(60_000);
  expect(added()).toEqual([]);
  window.dispatchEvent(new Event('load'));
  expect(added()).toEqual([]);
  vi.advanceTimersByTime(3_000);
  expect(added()).toEqual(['/manifest-fil.webmanifest', '/brand/app-192.png']);
  window.dispatchEvent(new Event('load'));
  vi.advanceTimersByTime(60_000);
  expect(added()).toHaveLength(2);
});

interface Manifest {
  lang: string;
  icons: { src: string }[];
  shortcuts: { name: string; url: string; icons: { src: string }[] }[];
  screenshots: { src: string; label: string }[];
}

const manifestIn = (language: string): Manifest =>
  JSON.parse(readFileSync(`public/manifest-${language}.webmanifest`, 'utf8'));

test('the manifests differ in their texts only, and their pictures exist', () => {
  const [en, fil] = [manifestIn('en'), manifestIn('fil')];
  const shape = ({ lang, shortcuts, screenshots, ...rest }: Manifest) => ({
    ...rest,
    description: null,
    shortcuts: shortcuts.map(({ url, icons }) => ({ url, icons })),
    screenshots: screenshots.map((picture) => ({ ...picture, label: null })),
  });
  expect([en.lang, fil.lang]).toEqual(['en', 'fil']);
  expect(shape(fil)).toEqual(shape(en));
  expect(fil.shortcuts.map(({ name }) => name)).toEqual(['Home', 'Mensahe', 'Trabaho', 'Maghanap']);
  const pictures = [...en.icons, ...en.screenshots, ...en.shortcuts.flatMap(({ icons }) => icons)];
  for (const { src } of pictures) expect(existsSync(`public${src}`), src).toBe(true);
});
