// The text pages in both languages, and the logo downloads.
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

test('the cookies page names every cookie and every storage entry', async () => {
  await renderApp('/cookies');
  await screen.findByRole('heading', { level: 1 });
  for (const name of ['portia_session', 'portia_browser'])
    expect(screen.getByRole('heading', { level: 2, name })).toBeVisible();
  for (const key of ['i18nextLng', 'portia-theme', 'portia-recovery-offer'])
    expect(screen.getByText(new RegExp(`^${key}:`))).toBeVisible();
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
