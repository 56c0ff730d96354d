// The text pages in both languages, and the logo downloads.
import { readdirSync, readFileSync } from 'node:fs';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderApp } from '@/testing/render-app';

const pages = [
  ['/about', 'About Portia', 'Tungkol sa Portia'],
  ['/privacy', 'Privacy', 'Privacy'],
  ['/terms', 'Terms', 'Mga tuntunin'],
  ['/cookies', 'Cookies', 'Cookies'],
  ['/copyright', 'Copyright', 'Karapatang-sipi'],
  ['/brand', 'Brand', 'Brand'],
] as const;

test.each(pages)('%s has a title, several sections, and links', async (address, title) => {
  await renderApp(address);
  expect(await screen.findByRole('heading', { level: 1, name: title })).toBeVisible();
  expect(screen.getAllByRole('heading', { level: 2 }).length).toBeGreaterThan(2);
  expect(document.title).toContain('Portia');
  const footer = within(screen.getByRole('navigation', { name: 'Footer' }));
  expect(footer.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    '/about',
    '/privacy',
    '/terms',
    '/cookies',
    '/copyright',
    '/brand',
    '/status',
  ]);
});

test.each(pages)('%s is translated to Filipino', async (address, _, title) => {
  await renderApp(address, { language: 'fil' });
  expect(await screen.findByRole('heading', { level: 1, name: title })).toBeVisible();
});

test('about says what Portia is', async () => {
  await renderApp('/about');
  expect(
    await screen.findByText(
      /a premier professional networking platform for connecting with peers, finding opportunities and advancing a legal career/,
    ),
  ).toBeVisible();
});

/** The files of the client that are delivered, with their names. */
function sources(): [name: string, code: string][] {
  const names = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?<!\.test|\.gen|\.d)\.(ts|tsx|js)$/.test(name),
  );
  return names
    .filter((name) => !name.startsWith('testing'))
    .map((name) => [name, readFileSync(`src/${name}`, 'utf8')]);
}

/** The names under which a file stores something in the browser. */
const stored = (code: string) =>
  /localStorage|createStore\(|deviceSwitch\(|caches\b|cacheName/.test(code)
    ? [...code.matchAll(/['`](portia-[a-z-]+|i18nextLng)/g)].map(([, name]) => name as string)
    : [];

test.each(['en', 'fil'] as const)(
  'the cookies page names every cookie and every storage entry (%s)',
  async (language) => {
    await renderApp('/cookies', { language });
    await screen.findByRole('heading', { level: 1 });
    for (const name of ['portia_session', 'portia_own_device', 'portia_browser'])
      expect(screen.getByRole('heading', { level: 2, name })).toBeVisible();
    const keys = new Set(sources().flatMap(([, code]) => stored(code)));
    expect(keys.size).toBeGreaterThan(10);
    const page = screen.getByRole('main').textContent ?? '';
    expect([...keys].filter((key) => !page.includes(key))).toEqual([]);
  },
);

test('no file outside of these stores anything in the browser', () => {
  const unnamed = sources().filter(
    ([, code]) =>
      /(localStorage|sessionStorage)\.setItem|document\.cookie\s*=|indexedDB\.open|createStore\(/.test(
        code,
      ) && stored(code).length === 0,
  );
  // Its key is an argument.
  expect(unnamed.map(([name]) => name)).toEqual(['ui/device-switch.ts']);
});

test('privacy says who reads messages, reports and applications', async () => {
  await renderApp('/privacy');
  for (const sentence of [
    /^Messages are for the members of their conversation; in a group/,
    /^Moderators and operators of Portia see what was reported/,
    /the résumé and cover letter you add\.$/,
    /members and topics you follow, what you mute, posts you hide/,
    /the push service of your browser/,
    /Portia's server opens the page to make a preview/,
    /if a steward of your school or an operator of Portia verifies you/,
  ])
    expect(await screen.findByText(sentence)).toBeVisible();
});

test('about names all that affects the order of the feed', async () => {
  await renderApp('/about');
  expect(
    await screen.findByText(
      /connections and members you follow, then of your communities, then of your school/,
    ),
  ).toBeVisible();
  expect(
    screen.getByText(/^What you mute, hide or block is left out\. After you mark a post 'Not interested'/),
  ).toBeVisible();
});

test('privacy links to the settings that delete data', async () => {
  await renderApp('/privacy');
  await screen.findByRole('heading', { level: 1 });
  const [link] = within(screen.getByRole('main')).getAllByRole('link', { name: 'Settings' });
  expect(link).toHaveAttribute('href', '/settings');
});

test('every logo can be downloaded', async () => {
  await renderApp('/brand');
  const links = await screen.findAllByRole('link', { name: /^Download SVG: / });
  expect(links.map((link) => link.getAttribute('href'))).toEqual([
    '/brand/portia-logo.svg',
    '/brand/portia-mark.svg',
    '/brand/portia-icon.svg',
  ]);
  expect(links.every((link) => link.hasAttribute('download'))).toBe(true);
});
