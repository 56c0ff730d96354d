// The frame around every screen: skip link, header, the screen, bottom bar, toasts.
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Outlet, ScrollRestoration, useLocation, useMatch } from 'react-router';
import { AuthProvider } from '@/session/auth';
import { Toaster } from '@/ui/toaster';
import { TooltipProvider } from '@/ui/tooltip';
import { BottomBar } from './bottom-bar';
import { Header } from './header';

export function Layout() {
  const { t } = useTranslation('shell');
  const inThread = useMatch('/messages/:id');
  const main = useScreenFocus();
  return (
    <AuthProvider>
      <TooltipProvider>
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
          <Outlet />
        </main>
        <BottomBar />
        <Toaster />
        <ScrollRestoration />
      </TooltipProvider>
    </AuthProvider>
  );
}

/** Moves the focus to the new screen after a navigation, so that keyboard and screen reader start at its top. */
function useScreenFocus() {
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    main.current?.focus({ preventScroll: true });
  }, [pathname]);
  return main;
}
