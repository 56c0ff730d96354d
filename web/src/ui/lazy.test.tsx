// Components whose code loads when they are first shown.
import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Component, type ReactNode } from 'react';
import { expect, test, vi } from 'vitest';
import { startI18n } from '@/i18n/i18n';
import { gate } from '@/testing/jobs';
import { lazy } from './lazy';
import { useToast } from './toast';

startI18n();

const Greeting = ({ name }: { name: string }) => <p>Hello {name}</p>;

test('the fallback takes its place, and it is shown as soon as it has loaded', async () => {
  const code = gate();
  const Lazy = lazy(async () => {
    await code.opened;
    return Greeting;
  });
  render(<Lazy name="Ana" fallback={<p>Loading</p>} />);
  expect(screen.getByText('Loading')).toBeVisible();
  await act(async () => code.open());
  expect(screen.getByText('Hello Ana')).toBeVisible();
  expect(screen.queryByText('Loading')).not.toBeInTheDocument();
});

test('after `load` it is shown at once, and its code loads once', async () => {
  const load = vi.fn(async () => Greeting);
  const Lazy = lazy(load);
  await Lazy.load();
  render(
    <>
      <Lazy name="Ana" />
      <Lazy name="Ben" />
    </>,
  );
  expect(screen.getByText('Hello Ana')).toBeVisible();
  expect(screen.getByText('Hello Ben')).toBeVisible();
  expect(load).toHaveBeenCalledOnce();
});

class Boundary extends Component<{ children: ReactNode }, { message: string | null }> {
  override state = { message: null };
  static getDerivedStateFromError = (error: Error) => ({ message: error.message });
  override render() {
    return this.state.message ?? this.props.children;
  }
}

test('a failure of an essential one reaches the error boundary, and the next one to be shown loads again', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const load = vi.fn(async () => Greeting).mockRejectedValueOnce(new TypeError('Failed to fetch'));
  const Lazy = lazy(load, 'essential');
  const { rerender } = render(
    <Boundary key="first">
      <Lazy name="Ana" />
    </Boundary>,
  );
  expect(await screen.findByText('Failed to fetch')).toBeVisible();
  rerender(
    <Boundary key="second">
      <Lazy name="Ana" />
    </Boundary>,
  );
  expect(await screen.findByText('Hello Ana')).toBeVisible();
});

function LastToast() {
  const toast = useToast();
  return (
    <button type="button" onClick={toast?.action?.onClick}>
      {toast?.action?.label}
    </button>
  );
}

test('after a failure of other ones, a toast offers to try again', async () => {
  const load = vi.fn(async () => Greeting).mockRejectedValueOnce(new TypeError('Failed to fetch'));
  const Lazy = lazy(load);
  render(
    <>
      <Lazy name="Ana" fallback={<p>Loading</p>} />
      <Lazy name="Ben" fallback={<p>Loading</p>} />
      <LastToast />
    </>,
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Try Again' }));
  for (const name of ['Ana', 'Ben']) expect(await screen.findByText(`Hello ${name}`)).toBeVisible();
});
