// Opens the whole client at an address, as a browser would, with the mock gateway behind it.
import { QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import { createMemoryRouter, type InitialEntry, RouterProvider } from 'react-router';
import { createQueryClient } from '@/app/query-client';
import { routes } from '@/app/router';
import { type Language, startI18n } from '@/i18n/i18n';
import { dismissToast } from '@/ui/toast';

startI18n();

interface Options {
  language?: Language;
  /** Fake timers need `userEvent` to advance them: pass `vi.advanceTimersByTime`. */
  advanceTimers?: (milliseconds: number) => void;
}

export async function renderApp(at: InitialEntry, { language = 'en', advanceTimers }: Options = {}) {
  await i18next.changeLanguage(language);
  dismissToast();
  const queryClient = createQueryClient();
  const router = createMemoryRouter(routes(queryClient), { initialEntries: [at] });
  const user = userEvent.setup(advanceTimers ? { advanceTimers } : undefined);
  const view = render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return {
    ...view,
    user,
    router,
    queryClient,
    path: () => router.state.location.pathname + router.state.location.search,
  };
}
