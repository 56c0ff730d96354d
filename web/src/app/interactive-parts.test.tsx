// The parts loaded at the first interaction: toasts always, tooltips for a mouse or a keyboard.
import { fireEvent, render } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { tooltips } from '@/ui/tooltip';
import { InteractiveParts } from './interactive-parts';

test('touch loads no tooltips, a mouse does, once', () => {
  const load = vi.spyOn(tooltips, 'load').mockImplementation(() => {});
  render(<InteractiveParts />);
  fireEvent.pointerMove(document.body, { pointerType: 'touch' });
  fireEvent.pointerDown(document.body, { pointerType: 'touch' });
  expect(load).not.toHaveBeenCalled();
  fireEvent.pointerMove(document.body, { pointerType: 'mouse' });
  fireEvent.pointerDown(document.body, { pointerType: 'mouse' });
  expect(load).toHaveBeenCalledTimes(1);
});

test('a key loads tooltips', () => {
  const load = vi.spyOn(tooltips, 'load').mockImplementation(() => {});
  render(<InteractiveParts />);
  fireEvent.keyDown(document.body, { key: 'Tab' });
  expect(load).toHaveBeenCalledTimes(1);
});
