// The layout of every screen: skip link, header, screen, bottom bar, toasts.
import { Component, type ReactNode, Suspense, startTransition, useLayoutEffect, useState } from 'react';
import { Outlet, useLocation, useMatch } from 'react-router';
import { useTranslation } from '@/i18n/use-translation';
import { AuthProvider } from '@/session/auth';
import { Button } from '@/ui/button';
import { PageSpinner } from '@/ui/spinner';
import { BottomBar } from './bottom-bar';
import { Header } from './header';
import { InteractiveParts } from './interactive-parts';
import { threadPattern } from './navigation';
import { useNewScreen } from './use-new-screen';

export function Layout() {
  const { t } = useTranslation('shell');
  const inThread = useMatch(threadPattern);
  const { pathname } = useLocation();
  const main = useNewScreen();
  // The first screen replaces the spinner in a transition, as every later screen replaces the one before: React shows a
  // replacement for the fallback of `Suspense` at the earliest 300 ms later (ui/lazy.tsx).
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

interface ErrorBoundaryProps {
  /** The current address: navigation to another one resets the error. */
  address: string;
  children: ReactNode;
}

class ErrorBoundary extends Component<ErrorBoundaryProps, { failedAt: string | null }> {
  override state = { failedAt: null };

  static getDerivedStateFromProps(
    { address }: ErrorBoundaryProps,
    { failedAt }: { failedAt: string | null },
  ) {
    return failedAt !== null && failedAt !== address ? { failedAt: null } : null;
  }

  override componentDidCatch() {
    // React has logged the error; only the address is stored.
    this.setState({ failedAt: this.props.address });
  }

  override render() {
    return this.state.failedAt === null ? this.props.children : <ScreenError />;
  }
}

function ScreenError() {
  const { t } = useTranslation('shell');
  return (
    <div role="alert" className="px-4 py-24 text-center">
      <p className="font-serif text-heading">{t('broken.title')}</p>
      <p className="mt-1 mb-4 text-body text-muted-foreground">{t('broken.description')}</p>
      <Button onClick={() => window.location.reload()}>{t('broken.reload')}</Button>
    </div>
  );
}
