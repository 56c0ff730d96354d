// Tooltips: 700 ms until the first opens, none for the next within 300 ms, at once for the keyboard.
import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { TooltipAround, TooltipProvider, tooltipDelay, tooltipSkipDelay } from './tooltip-parts';

const wait = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
const hover = (name: string) =>
  fireEvent.pointerMove(screen.getByRole('button', { name }), { pointerType: 'mouse' });

/** Moves away from the button and from the space between it and its tooltip. */
const leave = (name: string) => {
  fireEvent.pointerLeave(screen.getByRole('button', { name }), { pointerType: 'mouse' });
  fireEvent.pointerMove(document.body, { clientX: 900, clientY: 900 });
};

beforeEach(() => {
  vi.useFakeTimers();
  render(
    <TooltipProvider>
      {['Bell', 'Door'].map((name) => (
        <TooltipAround key={name} label={`The ${name}`}>
          <button type="button">{name}</button>
        </TooltipAround>
      ))}
    </TooltipProvider>,
  );
});

afterEach(() => vi.useRealTimers());

test('the constants are the specification’s', () => {
  expect([tooltipDelay, tooltipSkipDelay]).toEqual([700, 300]);
});

test('opens 700 ms after the pointer enters', async () => {
  hover('Bell');
  await wait(650);
  expect(screen.queryByRole('tooltip')).toBeNull();
  await wait(100);
  expect(screen.getByRole('tooltip')).toHaveTextContent('The Bell');
});

test('the next one has no delay within 300 ms, and has one afterwards', async () => {
  hover('Bell');
  await wait(750);
  leave('Bell');
  await wait(250);
  hover('Door');
  await wait(20);
  expect(screen.getByRole('tooltip')).toHaveTextContent('The Door');

  leave('Door');
  await wait(350);
  hover('Bell');
  await wait(20);
  expect(screen.queryByText('The Bell')).toBeNull();
});

test('keyboard focus opens it at once', async () => {
  act(() => screen.getByRole('button', { name: 'Door' }).focus());
  await wait(20);
  expect(screen.getByRole('tooltip')).toHaveTextContent('The Door');
});
