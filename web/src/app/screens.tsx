// Every address of the client but home, and the screen behind it, in one list.
import { type ComponentType, lazy, type ReactNode } from 'react';
import { type RouteObject, useRoutes } from 'react-router';
import { loadTexts } from '@/i18n/load-texts';
import type { Texts } from '@/i18n/texts';
import { Protected } from '@/session/protected';

/** A screen whose code and texts arrive together, when first visited; until then the old screen stays. */
function screen(load: () => Promise<{ Component: ComponentType }>, ...texts: (keyof Texts)[]): ReactNode {
  const Screen = lazy(async () => {
    const [{ Component }] = await Promise.all([load(), loadTexts('meta', ...texts)]);
    return { default: Component };
  });
  return <Screen />;
}

/** Screens that others link to and that are still being built. */
const linked = ['saved-items', 'about', 'privacy', 'terms', 'cookies', 'copyright', 'brand'];
const soon = screen(() => import('@/routes/soon'), 'pages');

const screens: RouteObject[] = [
  { path: 'auth', element: screen(() => import('@/routes/auth'), 'auth', 'forms') },
  { path: 'forgot-password', element: screen(() => import('@/routes/forgot-password'), 'auth') },
  { path: 'test', element: screen(() => import('@/routes/test-form'), 'pages') },
  { path: 'profile/:id', element: screen(() => import('@/routes/profile'), 'profile', 'posts', 'network') },
  { path: 'jobs', element: screen(() => import('@/routes/jobs'), 'jobs') },
  { path: 'jobs/:id', element: screen(() => import('@/routes/job'), 'jobs') },
  { path: 'legal-news', element: screen(() => import('@/routes/news'), 'news') },
  { path: 'legal-news/:id', element: screen(() => import('@/routes/article'), 'news') },
  { path: 'resources', element: screen(() => import('@/routes/resources'), 'resources') },
  { path: 'resources/:id', element: screen(() => import('@/routes/resource'), 'resources') },
  { path: 'status', element: screen(() => import('@/routes/status'), 'status') },
  { path: 'search', element: screen(() => import('@/routes/search'), 'search') },
  { path: 'communities', element: screen(() => import('@/routes/communities'), 'communities') },
  {
    path: 'communities/:id',
    element: screen(() => import('@/routes/community'), 'communities', 'posts', 'network'),
  },
  { path: 'events', element: screen(() => import('@/routes/events'), 'events') },
  { path: 'events/:id', element: screen(() => import('@/routes/event'), 'events') },
  { path: 'posts/:id', element: screen(() => import('@/routes/post'), 'pages', 'posts', 'network') },
  ...linked.map((path) => ({ path, element: soon })),
  {
    element: <Protected />,
    children: [
      {
        path: 'settings',
        element: screen(
          () => import('@/routes/settings'),
          'settings',
          'account',
          'auth',
          'forms',
          'network',
          'notifications',
        ),
      },
      { path: 'notifications', element: screen(() => import('@/routes/notifications'), 'notifications') },
      { path: 'network', element: screen(() => import('@/routes/network'), 'network') },
      // One route: the list keeps its place and its filter while threads come and go.
      { path: 'messages/:id?', element: screen(() => import('@/routes/messages'), 'messages', 'network') },
    ],
  },
  { path: '*', element: screen(() => import('@/routes/not-found'), 'pages') },
];

// biome-ignore lint/style/noDefaultExport: React.lazy takes the default export.
export default function Screens() {
  return useRoutes(screens);
}
