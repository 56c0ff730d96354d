// An optional part of a screen that cannot be loaded.
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { lazyOptional } from './lazy-optional';

test('a part that cannot be loaded is left out, and the rest of the screen stays', async () => {
  const Missing = lazyOptional(() => Promise.reject(new TypeError('Failed to fetch')));
  const Loaded = lazyOptional(async () => ({ name }: { name: string }) => <span>{name}</span>);
  render(
    <p>
      The screen <Missing /> <Loaded name="mark" />
    </p>,
  );
  expect(await screen.findByText('mark')).toBeVisible();
  expect(screen.getByText('The screen', { exact: false })).toBeVisible();
});
