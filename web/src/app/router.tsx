// Every address of the client and the screen behind it, in one list.
import type { QueryClient } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { createBrowserRouter, type LazyRouteFunction, type RouteObject } from 'react-router';
import { loadTexts } from '@/i18n/i18n';
import type { Texts } from '@/i18n/texts';
import { Protected } from '@/session/protected';
import { PageSpinner } from '@/ui/spinner';
import { Broken } from './broken';
import { Layout } from './layout';

interface ScreenModule {
  Component: ComponentType;
  /** Starts reads early: `void queryClient.prefetchQuery(..)`. Never awaits, never throws. */
  prefetch?: (queryClient: QueryClient, params: Record<string, string | undefined>) => void;
}

export function routes(queryClient: QueryClient): RouteObject[] {
  /** A screen whose code and texts arrive together, when first visited. */
  const screen =
    (load: () => Promise<ScreenModule>, ...texts: (keyof Texts)[]): LazyRouteFunction<RouteObject> =>
    async () => {
      const [{ Component, prefetch }] = await Promise.all([load(), loadTexts(...texts)]);
      return {
        Component,
        loader: prefetch
          ? ({ params }) => {
              prefetch(queryClient, params);
              return null;
            }
          : undefined,
      };
    };

  return [
    {
      Component: Layout,
      ErrorBoundary: Broken,
      HydrateFallback: PageSpinner,
      children: [
        {
          ErrorBoundary: Broken,
          children: [
            { index: true, lazy: screen(() => import('@/routes/home')) },
            { path: 'auth', lazy: screen(() => import('@/routes/auth'), 'auth') },
            { path: 'forgot-password', lazy: screen(() => import('@/routes/forgot-password'), 'auth') },
            { path: 'test', lazy: screen(() => import('@/routes/test-form')) },
            {
              Component: Protected,
              children: [],
            },
            { path: '*', lazy: screen(() => import('@/routes/not-found')) },
          ],
        },
      ],
    },
  ];
}

export function createRouter(queryClient: QueryClient) {
  return createBrowserRouter(routes(queryClient));
}
