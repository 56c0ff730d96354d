// Every address of the client and the screen behind it, in one list.
import { type ComponentType, lazy, type ReactNode } from 'react';
import { BrowserRouter, type RouteObject, useRoutes } from 'react-router';
import { loadTexts } from '@/i18n/i18n';
import type { Texts } from '@/i18n/texts';
import { Component as Home } from '@/routes/home';
import { Protected } from '@/session/protected';
import { Layout } from './layout';

/** A screen whose code and texts arrive together, when first visited; until then the old screen stays. */
function screen(load: () => Promise<{ Component: ComponentType }>, ...texts: (keyof Texts)[]): ReactNode {
  const Screen = lazy(async () => {
    const [{ Component }] = await Promise.all([load(), loadTexts('meta', ...texts)]);
    return { default: Component };
  });
  return <Screen />;
}

const routes: RouteObject[] = [
  {
    element: <Layout />,
    children: [
      { index: true, element: <Home /> },
      { path: 'auth', element: screen(() => import('@/routes/auth'), 'auth', 'forms') },
      { path: 'forgot-password', element: screen(() => import('@/routes/forgot-password'), 'auth') },
      { path: 'test', element: screen(() => import('@/routes/test-form'), 'pages') },
      {
        element: <Protected />,
        children: [],
      },
      { path: '*', element: screen(() => import('@/routes/not-found'), 'pages') },
    ],
  },
];

/** The screens, inside a router of any kind: the browser's, or one in memory for tests. */
export function Screens() {
  return useRoutes(routes);
}

export function Router() {
  return (
    <BrowserRouter>
      <Screens />
    </BrowserRouter>
  );
}
