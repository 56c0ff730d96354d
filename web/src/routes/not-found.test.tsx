// The 404 screen and the test form.
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderApp } from '@/testing/render-app';

test('any other path is the 404 screen with its texts', async () => {
  await renderApp('/no/such/page');
  expect(await screen.findByRole('heading', { name: '404 Page Not Found' })).toBeVisible();
  expect(screen.getByText('Did you forget to add the page to the router?')).toBeVisible();
});

test('/test echoes the input', async () => {
  const { user } = await renderApp('/test');
  await user.type(await screen.findByRole('textbox'), 'habeas corpus');
  expect(screen.getByRole('status')).toHaveTextContent('habeas corpus');
});
