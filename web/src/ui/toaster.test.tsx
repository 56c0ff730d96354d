// Toasts: one at a time, 5000 ms, paused by hover and focus, closed by Escape and button, removed late.
import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startI18n } from '@/i18n/i18n';
import {
  dismissToast,
  toast,
  toastDuration,
  toastHotkey,
  toastRemoveDelay,
  toastSwipeThreshold,
  useToast,
} from './toast';
import { Toaster } from './toaster';

startI18n();

function Stored() {
  return <output>{useToast()?.title ?? 'nothing'}</output>;
}

const wait = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
const open = () => screen.queryByText('Post created', { selector: 'div' });

beforeEach(() => {
  vi.useFakeTimers();
  render(
    <>
      <Toaster />
      <Stored />
    </>,
  );
});

afterEach(async () => {
  act(dismissToast);
  await wait(toastRemoveDelay);
  vi.useRealTimers();
});

const show = (title = 'Post created') =>
  act(() => toast({ title, description: 'Your post has been published successfully.' }));

test('the constants are the specification’s', () => {
  expect([toastDuration, toastSwipeThreshold, toastRemoveDelay, toastHotkey]).toEqual([
    5_000,
    50,
    1_000_000,
    'F8',
  ]);
});

test('stays 5000 ms, and is removed 1,000,000 ms after it closed', async () => {
  show();
  await wait(4_900);
  expect(open()).toBeInTheDocument();
  await wait(300);
  expect(open()).toBeNull();
  expect(screen.getByText('Post created', { selector: 'output' })).toBeInTheDocument();
  await wait(toastRemoveDelay);
  expect(screen.getByText('nothing')).toBeInTheDocument();
});

test('only one is visible: a newer one replaces it and has its own duration', async () => {
  show('First');
  await wait(3_000);
  show();
  expect(screen.queryByText('First', { selector: 'div' })).toBeNull();
  await wait(3_000);
  expect(open()).toBeInTheDocument();
  await wait(2_500);
  expect(open()).toBeNull();
});

test('the end of the time of a replaced one does not close the next', async () => {
  act(() => toast({ title: 'Post deleted' }));
  act(() => {
    toast({ title: 'Post created' });
    // The screen still has the first one.
    vi.advanceTimersByTime(toastDuration);
  });
  expect(open()).toBeVisible();
});

test('hovering pauses it, leaving resumes it', async () => {
  show();
  await wait(1_000);
  const area = screen.getByRole('region');
  fireEvent.pointerMove(area);
  await wait(20_000);
  expect(open()).toBeInTheDocument();
  fireEvent.pointerLeave(area);
  await wait(3_500);
  expect(open()).toBeInTheDocument();
  await wait(1_000);
  expect(open()).toBeNull();
});

test('F8 focuses the area, which pauses the toast; the next toast still closes by itself', async () => {
  show();
  fireEvent.keyDown(document, { key: 'F8', code: 'F8' });
  expect(screen.getByRole('region').contains(document.activeElement)).toBe(true);
  await wait(20_000);
  expect(open()).toBeInTheDocument();
  show();
  await wait(5_300);
  expect(open()).toBeNull();
});

test('Escape closes it', async () => {
  show();
  fireEvent.keyDown(document, { key: 'F8', code: 'F8' });
  fireEvent.keyDown(document.activeElement ?? document, { key: 'Escape' });
  await wait(300);
  expect(open()).toBeNull();
});

test('its button closes it', async () => {
  show();
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  await wait(300);
  expect(open()).toBeNull();
});
