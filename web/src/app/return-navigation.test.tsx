// A return to a screen, also to the first one of a visit.
import { act, render } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { expect, test } from 'vitest';
import { scrolled, useReturnNavigation } from '@/ui/return-navigation';
import { useNewScreen } from './use-new-screen';

function Screen({ drawn }: { drawn: (comesBack: boolean) => void }) {
  const comesBack = useReturnNavigation();
  useNewScreen();
  drawn(comesBack);
  return null;
}

test('Back and Forward return to a screen, a start and a link do not', async () => {
  // A visit of its own: other tests have navigated.
  scrolled.clear();
  let comesBack: boolean | undefined;
  const screen = (path: string) => ({
    path,
    element: (
      <Screen
        key={path}
        drawn={(value) => {
          comesBack = value;
        }}
      />
    ),
  });
  const router = createMemoryRouter([screen('/'), screen('/post')]);
  render(<RouterProvider router={router} />);
  expect(comesBack).toBe(false);
  await act(() => router.navigate('/post'));
  expect(comesBack).toBe(false);
  await act(() => router.navigate(-1));
  expect(comesBack).toBe(true);
  await act(() => router.navigate(1));
  expect(comesBack).toBe(true);
});
