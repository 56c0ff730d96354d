// The 404 screen and the test form.
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderApp } from '@/testing/render-app';
import { isabel, signedInAs } from '@/testing/server';

test('any other path is the 404 screen with its texts', async () => {
  await renderApp('/no/such/page');
  expect(await screen.findByRole('heading', { name: '404 Page Not Found' })).toBeVisible();
  expect(screen.getByText('Did you forget to add the page to the router?')).toBeVisible();
});

test.each(['/Jobs', '/legal-News', '/Profile/1', '/Settings', '/Messages/1'])(
  'a path in other letter case is the 404 screen: %s',
  async (path) => {
    signedInAs(isabel);
    await renderApp(path);
    expect(await screen.findByRole('heading', { name: '404 Page Not Found' })).toBeVisible();
    for (const link of screen.getAllByRole('link')) expect(link).not.toHaveAttribute('aria-current');
    // Only an open thread has no bottom bar.
    expect(screen.getByRole('button', { name: 'More' })).toBeInTheDocument();
  },
);

test('/test echoes the input', async () => {
  const { user } = await renderApp('/test');
  await user.type(await screen.findByRole('textbox'), 'habeas corpus');
  expect(screen.getByRole('status')).toHaveTextContent('habeas corpus');
});
