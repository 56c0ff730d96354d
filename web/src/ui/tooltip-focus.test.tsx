// Tooltips that load while a key is used: their buttons remount and keep the focus.
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { eventually } from '@/testing/eventually';
import { Tooltip, TooltipGroup, tooltips } from './tooltip';

test('a focused button keeps the focus when its tooltip loads', async () => {
  render(
    <TooltipGroup>
      {['Bell', 'Door'].map((name) => (
        <Tooltip key={name} label={`The ${name}`}>
          <button type="button">{name}</button>
        </Tooltip>
      ))}
    </TooltipGroup>,
  );
  const before = screen.getByRole('button', { name: 'Door' });
  before.focus();
  tooltips.load();
  await eventually(() => expect(before).not.toBeInTheDocument());
  expect(screen.getByRole('button', { name: 'Door' })).toHaveFocus();
});
