// The command palette: places, actions and people, by keyboard and by pointer, for members and visitors.
import { screen, waitFor, within } from '@testing-library/react';
import i18next from 'i18next';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Me } from '@/api/session';
import { postOf, priya } from '@/testing/posts';
import { renderApp } from '@/testing/render-app';
import { mockSearch, personOf } from '@/testing/search';
import { isabel, problem, profileOf, server, signedInAs } from '@/testing/server';
import { shortcutsReady } from '@/testing/shortcuts';
import { chooseTheme } from '@/ui/theme';

beforeEach(() => signedInAs(isabel));
afterEach(() => chooseTheme('auto'));

const field = () => screen.findByRole('combobox', { name: 'Go to people, places and actions' });
const options = () => screen.getAllByRole('option').map((option) => option.textContent);
const selected = () => screen.getByRole('option', { selected: true });

async function openPalette(at = '/test') {
  const app = await renderApp(at);
  // The member has been read: visitors have no such link.
  await screen.findByRole('link', { name: 'My Profile' });
  await shortcutsReady();
  await app.user.keyboard('{Control>}k{/Control}');
  await waitFor(async () => expect(await field()).toHaveFocus());
  return app;
}

test('shows places and actions, and the first is selected', async () => {
  await openPalette();
  const list = within(screen.getByRole('listbox', { name: 'Commands' }));
  expect(list.getAllByRole('group').map((group) => group.firstChild?.textContent)).toEqual([
    'Places',
    'Actions',
  ]);
  expect(options()).toEqual(expect.arrayContaining(['Communities', 'Settings', 'Start a post', 'Log out']));
  expect(selected()).toHaveTextContent('Home');
  expect(await field()).toHaveAttribute('aria-activedescendant', selected().id);
});

test('a place is found by the beginning of its words and opened with Enter', async () => {
  const { user, path } = await openPalette();
  mockSearch({ people: [] });
  await user.keyboard('saved');
  expect(selected()).toHaveTextContent('My saved items');
  await user.keyboard('{Enter}');
  await waitFor(() => expect(path()).toBe('/saved-items'));
  expect(screen.queryByRole('dialog')).toBeNull();
  await waitFor(() => expect(screen.getByRole('main')).toHaveFocus());
});

test('the settings and the screens of a role are places', async () => {
  const { unmount } = await openPalette();
  expect(options()).toEqual(expect.arrayContaining(['Privacy settings', 'Feed settings']));
  expect(options()).not.toContain('Moderation');
  expect(options()).not.toContain('School members');
  unmount();
  const withRoles: Me = { ...isabel, moderator: true, stewardOf: 'Manila College of Law' };
  signedInAs(withRoles);
  await openPalette();
  expect(options()).toEqual(expect.arrayContaining(['Moderation', 'School members']));
});

test.each([
  ['Create an event', '/events', 'Create an event'],
  ['Create a community', '/communities', 'Create a community'],
  ['New group', '/messages', 'New group'],
  ['Edit Profile', `/profile/${isabel.id}`, 'Edit Profile'],
])('%s opens its dialog', async (action, at, dialog) => {
  server.use(http.get('/api/users/:id/profile', () => HttpResponse.json(profileOf(isabel))));
  const { user, path } = await openPalette();
  await user.click(screen.getByRole('option', { name: action }));
  expect(await screen.findByRole('dialog', { name: dialog })).toBeVisible();
  expect(path()).toBe(at);
});

test('the arrow keys move in a circle', async () => {
  const { user } = await openPalette();
  await user.keyboard('{ArrowUp}');
  expect(selected()).toHaveTextContent('Log out');
  await user.keyboard('{ArrowDown}{ArrowDown}');
  expect(selected()).toHaveTextContent('Network');
});

test('members are found, and do not move the selected option', async () => {
  const asked = mockSearch({ people: [personOf()] });
  const { user, path } = await openPalette();
  await user.keyboard('pri');
  expect(selected()).toHaveTextContent('Privacy');
  const person = await screen.findByRole('option', { name: /Priya Raghavan/ });
  expect(selected()).toHaveTextContent('Privacy');
  expect(options()).toEqual([
    'Privacy settings',
    'Privacy',
    'Search for "pri"',
    'PRPriya RaghavanEditor-in-chief, Eastbay Law Review',
  ]);
  expect(asked).toEqual([{ q: 'pri', type: 'people', limit: '5' }]);
  expect(screen.getByRole('dialog')).toHaveTextContent('4 results');
  await user.click(person);
  await waitFor(() => expect(path()).toBe(`/profile/${priya.id}`));
});

test('a text without a match can be searched, also when people cannot be found', async () => {
  server.use(http.get('/api/search', () => problem(503, { error: 'Search is away' })));
  const { user, path } = await openPalette();
  await user.keyboard('zyx');
  expect(options()).toEqual(['Search for "zyx"']);
  await user.keyboard('{Enter}');
  await waitFor(() => expect(path()).toBe('/search?q=zyx'));
});

test('Start a post opens the composer at home, from any screen and again', async () => {
  server.use(http.get('/api/posts', () => HttpResponse.json([postOf()])));
  mockSearch({ people: [] });
  const { user, path } = await openPalette();
  for (const _ of [1, 2]) {
    await user.keyboard('start{Enter}');
    expect(await screen.findByRole('textbox', { name: 'Post' })).toHaveFocus();
    expect(path()).toBe('/');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await user.keyboard('{Control>}k{/Control}');
    await waitFor(async () => expect(await field()).toHaveFocus());
  }
});

test('theme and language are changed', async () => {
  mockSearch({ people: [] });
  const { user } = await openPalette();
  await user.keyboard('dark{Enter}');
  await waitFor(() => expect(document.documentElement).toHaveClass('dark'));
  await user.keyboard('{Control>}k{/Control}');
  await waitFor(async () => expect(await field()).toHaveFocus());
  await user.keyboard('filipino{Enter}');
  await waitFor(() => expect(document.documentElement.lang).toBe('fil'));
  await user.keyboard('{Control>}k{/Control}');
  expect(await screen.findByRole('option', { name: 'Mga Komunidad' })).toBeVisible();
  expect(screen.getByRole('option', { name: 'Wika: English' })).toBeVisible();
  await i18next.changeLanguage('en');
});

test('the list of shortcuts is opened, and signing out goes home', async () => {
  mockSearch({ people: [] });
  const { user, path } = await openPalette();
  await user.keyboard('keyboard{Enter}');
  expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.keyboard('{Control>}k{/Control}');
  await waitFor(async () => expect(await field()).toHaveFocus());
  await user.keyboard('log out{Enter}');
  await waitFor(() => expect(path()).toBe('/'));
  expect(await screen.findByText('Your Legal Career Starts Here')).toBeVisible();
});

test('Escape and Ctrl-K close it, and the focus returns', async () => {
  const { user } = await openPalette();
  await user.keyboard('{Escape}');
  const input = screen.getByRole('textbox');
  await user.click(input);
  for (const keys of ['{Escape}', '{Control>}k{/Control}']) {
    await user.keyboard('{Control>}k{/Control}');
    await waitFor(async () => expect(await field()).toHaveFocus());
    await user.keyboard(keys);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(input).toHaveFocus());
  }
});

test('a visitor gets the places that need no session, and neither actions nor people', async () => {
  server.use(http.get('/api/auth/me', () => problem(401, { error: 'Not signed in' })));
  const asked = mockSearch({ people: [personOf()] });
  const { user, path } = await renderApp('/test');
  await screen.findByRole('link', { name: 'Register' });
  await shortcutsReady();
  await user.keyboard('{Meta>}k{/Meta}');
  await waitFor(async () => expect(await field()).toHaveFocus());
  expect(options()).toEqual(expect.arrayContaining(['Jobs', 'Communities', 'Sign In', 'Register']));
  for (const name of ['Messages', 'Settings', 'Log out', 'Start a post'])
    expect(screen.queryByRole('option', { name })).toBeNull();
  await user.keyboard('even{Enter}');
  await waitFor(() => expect(path()).toBe('/events'));
  expect(asked).toEqual([]);
});
