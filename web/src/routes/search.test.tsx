// The search screen: the query in the address, the disabled button, the tabs.
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderApp } from '@/testing/render-app';

test('the button is disabled while the query is blank', async () => {
  const { user, path } = await renderApp('/search');
  expect(await screen.findByRole('heading', { level: 1, name: 'Search' })).toBeVisible();
  const field = screen.getByRole('searchbox', { name: 'Search Portia' });
  const button = screen.getByRole('button', { name: 'Search' });
  expect(button).toBeDisabled();
  await user.type(field, '   {Enter}');
  expect(button).toBeDisabled();
  expect(path()).toBe('/search');
  await user.type(field, 'ana');
  expect(button).toBeEnabled();
});

test('a query goes into the address, trimmed', async () => {
  const { user, path } = await renderApp('/search');
  await user.type(await screen.findByRole('searchbox', { name: 'Search Portia' }), ' ana & co ');
  await user.click(screen.getByRole('button', { name: 'Search' }));
  await waitFor(() => expect(path()).toBe('/search?q=ana+%26+co'));
  expect(screen.getByRole('searchbox', { name: 'Search Portia' })).toHaveValue('ana & co');
});

test('the query of the address stands in the field; the four tabs are there', async () => {
  const { user } = await renderApp('/search?q=moot');
  expect(await screen.findByRole('searchbox', { name: 'Search Portia' })).toHaveValue('moot');
  expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual([
    'People',
    'Posts',
    'Communities',
    'Resources',
  ]);
  await user.click(screen.getByRole('tab', { name: 'Communities' }));
  expect(screen.getByRole('tab', { name: 'Communities' })).toHaveAttribute('aria-selected', 'true');
});

test('in Filipino', async () => {
  await renderApp('/search', { language: 'fil' });
  expect(await screen.findByRole('heading', { level: 1, name: 'Maghanap' })).toBeVisible();
  expect(screen.getByRole('tab', { name: 'Mga Tao' })).toBeVisible();
});
