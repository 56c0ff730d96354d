// The layout of every screen: skip link, header, screen, bottom bar, toasts.
import { Suspense, startTransition, useLayoutEffect, useState } from 'react';
import { Outlet, useLocation, useMatch } from 'react-router';
import { useTranslation } from '@/i18n/use-translation';
import { AuthProvider } from '@/session/auth';
import { PageSpinner } from '@/ui/spinner';
import { BottomBar } from './bottom-bar';
import { ErrorBoundary } from './error-boundary';
import { Header } from './header';
import { InteractiveParts } from './interactive-parts';
import { threadPattern } from './navigation';
import { useNewScreen } from './use-new-screen';

export function Layout() {
  const { t } = useTranslation('shell');
  const inThread = useMatch(threadPattern);
  const { pathname } = useLocation();
  const main = useNewScreen();
  // The first screen replaces the spinner in a transition, as every later screen replaces the one before: what replaces the
  // fallback of `Suspense` is shown at the earliest 300 ms later (ui/lazy.tsx).
  const [isMounted, setMounted] = useState(false);
  useLayoutEffect(() => startTransition(() => setMounted(true)), []);
  return (
    <AuthProvider>
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:fixed! focus:top-3 focus:left-3 focus:z-(--z-toast) focus:rounded-md focus:bg-primary focus:px-4! focus:py-2! focus:text-ui focus:font-medium focus:text-primary-foreground"
      >
        {t('skip')}
      </a>
      <Header />
      <main
        ref={main}
        id="main"
        tabIndex={-1}
        className={`outline-none ${inThread ? '' : 'max-md:pb-[calc(var(--bottom-bar-height)+env(safe-area-inset-bottom))]'}`}
      >
        <ErrorBoundary address={pathname}>
          <Suspense fallback={<PageSpinner />}>{isMounted ? <Outlet /> : <PageSpinner />}</Suspense>
        </ErrorBoundary>
      </main>
      <BottomBar />
      <InteractiveParts />
    </AuthProvider>
  );
}
