// The layout: navigation for visitors and members, language, notifications, signing out, theme, More sheet.
import { screen, waitFor, within } from '@testing-library/react';
import i18next from 'i18next';
import { HttpResponse, http } from 'msw';
import { describe, expect, test, vi } from 'vitest';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, server, signedInAs } from '@/testing/server';

const header = () => screen.getByRole('banner');
const names = (links: HTMLElement[]) => links.map((link) => link.textContent);
const primary = () => within(within(header()).getByRole('navigation', { name: 'Primary' }));

describe('a visitor', () => {
  test('sees the navigation, Sign In and Register, and no member controls', async () => {
    await renderApp('/test');
    const register = await within(header()).findByRole('link', { name: 'Register' });
    expect(register).toHaveAttribute('href', '/auth?register=true');
    expect(within(header()).getByRole('link', { name: 'Sign In' })).toHaveAttribute('href', '/auth');
    expect(names(primary().getAllByRole('link'))).toEqual([
      'Home',
      'Network',
      'Jobs',
      'Legal News',
      'Messages',
      'Resources',
    ]);
    expect(screen.queryByRole('button', { name: 'Log out' })).toBeNull();
    expect(screen.queryByRole('searchbox')).toBeNull();
  });

  test('sees the language switcher, and neither search nor My Profile nor an avatar', async () => {
    await renderApp('/test');
    expect(await within(header()).findByRole('button', { name: /^Pumili ng wika: / })).toBeInTheDocument();
    expect(within(header()).queryByPlaceholderText('Search...')).toBeNull();
    expect(within(header()).queryByRole('link', { name: 'My Profile' })).toBeNull();
    expect(within(header()).queryByRole('img')).toBeNull();
  });
});

describe('a member', () => {
  test('sees My Profile, search, notifications, log out and the avatar', async () => {
    signedInAs(isabel);
    const { user } = await renderApp('/test');
    await within(header()).findByRole('button', { name: 'Log out' });
    expect(primary().getByRole('link', { name: 'My Profile' })).toHaveAttribute(
      'href',
      `/profile/${isabel.id}`,
    );
    expect(within(header()).getByRole('img', { name: 'Isabel Reyes' })).toHaveTextContent('IR');
    expect(screen.getByPlaceholderText('Search...')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Notifications' }));
    expect(await screen.findByText('No notifications yet.')).toBeVisible();
  });

  test('the avatar leads to the member’s own profile, the logo and the name home', async () => {
    signedInAs(isabel);
    await renderApp('/test');
    const avatar = await within(header()).findByRole('img', { name: 'Isabel Reyes' });
    expect(avatar.closest('a')).toHaveAttribute('href', `/profile/${isabel.id}`);
    expect(within(header()).getByRole('link', { name: 'Portia, Home' })).toHaveAttribute('href', '/');
  });

  test('without a name has the avatar U', async () => {
    signedInAs({ ...isabel, fullName: '' });
    await renderApp('/test');
    expect(await within(header()).findByRole('img')).toHaveTextContent('U');
  });

  test('sees the number of unread messages', async () => {
    signedInAs(isabel);
    server.use(
      http.get('/api/unread', () => HttpResponse.json({ messages: 3, requests: 1, notifications: 2 })),
    );
    await renderApp('/test');
    expect(await primary().findByText('3 unread messages')).toBeInTheDocument();
  });

  test('signs out with an empty object and is at home as a visitor', async () => {
    signedInAs(isabel);
    let sent: unknown;
    server.use(
      http.post('/api/auth/logout', async ({ request }) => {
        sent = await request.json();
        return new HttpResponse(null, { status: 204 });
      }),
    );
    const { user, path } = await renderApp('/test');
    await user.click(await screen.findByRole('button', { name: 'Log out' }));
    await waitFor(() => expect(path()).toBe('/'));
    expect(sent).toEqual({});
    expect(await screen.findByText('Your Legal Career Starts Here')).toBeVisible();
  });

  test('stays signed in when signing out fails, and the failure is only logged', async () => {
    signedInAs(isabel);
    server.use(http.post('/api/auth/logout', () => problem(503, { error: 'Please try again soon' })));
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { user, path } = await renderApp('/test');
    await user.click(await screen.findByRole('button', { name: 'Log out' }));
    await waitFor(() => expect(logged).toHaveBeenCalledOnce());
    expect(String(logged.mock.calls[0])).toContain('503: Please try again soon');
    expect(path()).toBe('/test');
    expect(screen.getByRole('button', { name: 'Log out' })).toBeInTheDocument();
  });

  test('searches from the header', async () => {
    signedInAs(isabel);
    const { user, path } = await renderApp('/test');
    await user.type(await screen.findByPlaceholderText('Search...'), 'moot court{Enter}');
    await waitFor(() => expect(path()).toBe('/search?q=moot%20court'));
  });
});

test('the current place is marked', async () => {
  await renderApp('/');
  await screen.findByText('Your Legal Career Starts Here');
  expect(primary().getByRole('link', { name: 'Home' })).toHaveAttribute('aria-current', 'page');
  expect(primary().getByRole('link', { name: 'Jobs' })).not.toHaveAttribute('aria-current');
});

test('the first tab stop skips to the content', async () => {
  const { user } = await renderApp('/test');
  await screen.findByRole('heading', { name: 'Test form' });
  await user.tab();
  expect(screen.getByRole('link', { name: 'Skip to content' })).toHaveFocus();
  expect(screen.getByRole('main')).toHaveAttribute('id', 'main');
});

test('the language switcher has a Filipino label and the items English and Filipino', async () => {
  const { user } = await renderApp('/');
  await screen.findByText('Your Legal Career Starts Here');
  await user.click(within(header()).getByRole('button', { name: 'Pumili ng wika: English' }));
  const menu = await screen.findByRole('menu');
  expect(within(menu).getByText('Pumili ng wika')).toBeVisible();
  expect(names(within(menu).getAllByRole('menuitemradio'))).toEqual(['English', 'Filipino']);
  await user.click(within(menu).getByRole('menuitemradio', { name: 'Filipino' }));
  expect(await screen.findByText('Dito Nagsisimula ang Karera Mo sa Batas')).toBeVisible();
  expect(document.documentElement.lang).toBe('fil');
  expect(localStorage.getItem('i18nextLng')).toBe('fil');
  await i18next.changeLanguage('en');
});

test('More contains the other places, language and theme', async () => {
  const { user } = await renderApp('/test');
  await user.click(await screen.findByRole('button', { name: 'More' }));
  const sheet = await screen.findByRole('dialog', { name: 'More' });
  expect(within(sheet).getByRole('link', { name: 'Network' })).toHaveAttribute('href', '/network');
  await user.click(within(sheet).getByRole('radio', { name: 'Dark' }));
  expect(document.documentElement).toHaveClass('dark');
  expect(localStorage.getItem('portia-theme')).toBe('dark');
  await user.click(within(sheet).getByRole('radio', { name: 'Auto' }));
  expect(localStorage.getItem('portia-theme')).toBeNull();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('a member finds the settings in More', async () => {
  signedInAs(isabel);
  const { user } = await renderApp('/test');
  await primary().findByRole('link', { name: 'My Profile' });
  await user.click(await screen.findByRole('button', { name: 'More' }));
  const sheet = within(await screen.findByRole('dialog', { name: 'More' }));
  expect(sheet.getByRole('link', { name: 'Settings' })).toHaveAttribute('href', '/settings');
});
