// Renders the whole client at an address, with the mock gateway.
import { QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type InitialEntry, MemoryRouter, useLocation } from 'react-router';
import { createQueryClient } from '@/api/query-client';
import { Client } from '@/app/router';
import { type Language, startI18n } from '@/i18n/i18n';
import { changeLanguage } from '@/i18n/load-texts';
import { scrolled } from '@/ui/return-navigation';
import { dismissToast } from '@/ui/toast';

startI18n();

interface Options {
  language?: Language;
  /** `userEvent` must advance fake timers: pass `vi.advanceTimersByTime`. */
  advanceTimers?: (milliseconds: number) => void;
  /** In milliseconds, for queries that retry. */
  retryDelay?: number;
}

export async function renderApp(
  at: InitialEntry,
  { language = 'en', advanceTimers, retryDelay }: Options = {},
) {
  await changeLanguage(language);
  dismissToast();
  // The first screens of all tests have the same history key.
  scrolled.clear();
  const queryClient = createQueryClient();
  if (retryDelay !== undefined) {
    const { queries, ...others } = queryClient.getDefaultOptions();
    queryClient.setDefaultOptions({ ...others, queries: { ...queries, retryDelay } });
  }
  const user = userEvent.setup(advanceTimers ? { advanceTimers } : undefined);
  const view = render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={[at]}>
        <Client />
        <AddressBar />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  return { ...view, user, queryClient, path: () => address, hash: () => fragment };
}

let address = '';
let fragment = '';

function AddressBar() {
  const { pathname, search, hash } = useLocation();
  address = `${pathname}${search}`;
  fragment = hash;
  return null;
}
