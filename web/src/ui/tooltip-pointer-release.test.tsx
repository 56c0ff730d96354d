// Tooltips that load while a button is pressed: it remounts after the click, which would be lost otherwise.
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { eventually } from '@/testing/eventually';
import { Tooltip, TooltipGroup, tooltips } from './tooltip';

/** Resolves after the callbacks of all settled promises. */
const settled = () => new Promise(setImmediate);

test('a pressed button stays mounted until its release', async () => {
  render(
    <TooltipGroup>
      <Tooltip label="The door">
        <button type="button">Door</button>
      </Tooltip>
    </TooltipGroup>,
  );
  const pressed = screen.getByRole('button', { name: 'Door' });
  fireEvent.pointerDown(pressed);
  tooltips.load();
  await import('./tooltip-parts');
  await settled();
  expect(pressed).toBeInTheDocument();

  fireEvent.pointerUp(pressed);
  expect(pressed, 'the click comes next').toBeInTheDocument();
  await eventually(() => expect(pressed).not.toBeInTheDocument());
  expect(screen.getByRole('button', { name: 'Door' })).toBeInTheDocument();
});
