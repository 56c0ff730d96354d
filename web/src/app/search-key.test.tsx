// The `/` key: it focuses search on every screen, and the way to search on a phone.
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { renderApp } from '@/testing/render-app';
import { isabel, signedInAs } from '@/testing/server';
import { shortcutsReady } from '@/testing/shortcuts';

const box = () => screen.findByRole('combobox', { name: 'Search' });
const field = () => screen.findByRole('searchbox', { name: 'Search Portia' });

test('/ focuses the box of the header except in a text field', async () => {
  signedInAs(isabel);
  const { user } = await renderApp('/test');
  await box();
  await shortcutsReady();
  await user.click(screen.getByRole('textbox'));
  await user.keyboard('/');
  expect(screen.getByRole('textbox')).toHaveValue('/');
  (document.activeElement as HTMLElement).blur();
  await user.keyboard('/');
  expect(await box()).toHaveFocus();
});

test('/ opens the search screen with its field focused where the header has no box', async () => {
  signedInAs(isabel);
  const { user, path } = await renderApp('/test');
  const hidden = await box();
  await shortcutsReady();
  hidden.checkVisibility = () => false;
  await user.keyboard('/');
  await waitFor(() => expect(path()).toBe('/search'));
  await waitFor(async () => expect(await field()).toHaveFocus());
});

test('/ opens search for a visitor, and focuses the field of the search screen', async () => {
  const { user, path } = await renderApp('/test');
  await shortcutsReady();
  await user.keyboard('/');
  await waitFor(() => expect(path()).toBe('/search'));
  await waitFor(async () => expect(await field()).toHaveFocus());
  (document.activeElement as HTMLElement).blur();
  await user.keyboard('/');
  expect(await field()).toHaveFocus();
  expect(await field()).toHaveValue('');
});

test('the field of the search screen takes precedence over the box of the header', async () => {
  signedInAs(isabel);
  const { user } = await renderApp('/search');
  await box();
  await shortcutsReady();
  await user.keyboard('/');
  expect(await field()).toHaveFocus();
});

test('/ does nothing while a dialog is open or with a modifier', async () => {
  const { user, path } = await renderApp('/test');
  await shortcutsReady();
  await user.keyboard('{Control>}/{/Control}');
  await user.keyboard('{Alt>}/{/Alt}');
  await user.click(await screen.findByRole('button', { name: 'More' }));
  await screen.findByRole('dialog', { name: 'More' });
  const press = vi.fn();
  window.addEventListener('keydown', press, { once: true });
  await user.keyboard('/');
  expect(press.mock.calls[0]?.[0]).toHaveProperty('defaultPrevented', false);
  expect(path()).toBe('/test');
});

test('the search icon of the header opens the search screen with its field focused', async () => {
  signedInAs(isabel);
  const { user, path } = await renderApp('/test');
  const icon = await within(screen.getByRole('banner')).findByRole('link', { name: 'Search' });
  await user.click(icon);
  await waitFor(() => expect(path()).toBe('/search'));
  await waitFor(async () => expect(await field()).toHaveFocus());
});

test('another way to the search screen does not focus its field', async () => {
  const { user, path } = await renderApp('/test');
  await user.click(await screen.findByRole('button', { name: 'More' }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('link', { name: 'Search' }));
  await waitFor(() => expect(path()).toBe('/search'));
  expect(await field()).not.toHaveFocus();
});
