// A return to a screen, also to the first one of a visit.
import { act, render } from '@testing-library/react';
import { createMemoryRouter, RouterProvider, useLocation } from 'react-router';
import { expect, test, vi } from 'vitest';

// A visit of its own: other tests have navigated.
vi.resetModules();
const { noteScreen, useReturnNavigation } = await import('./return-navigation');

function Screen({ drawn }: { drawn: (comesBack: boolean) => void }) {
  const comesBack = useReturnNavigation();
  noteScreen(useLocation().key);
  drawn(comesBack);
  return null;
}

test('Back and Forward return to a screen, a start and a link do not', async () => {
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
