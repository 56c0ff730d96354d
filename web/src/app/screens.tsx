// The route of every screen except home.
import { type ComponentType, lazy, type ReactNode } from 'react';
import { type RouteObject, useRoutes } from 'react-router';
import { loadTexts } from '@/i18n/load-texts';
import type { Texts } from '@/i18n/texts';
import { Protected } from '@/session/protected';

/** A lazy screen that loads its code and texts together; the previous screen stays until then. */
function screen(load: () => Promise<{ Component: ComponentType }>, ...texts: (keyof Texts)[]): ReactNode {
  const Screen = lazy(async () => {
    const [{ Component }] = await Promise.all([load(), loadTexts('meta', ...texts)]);
    return { default: Component };
  });
  return <Screen />;
}

/** Makes paths case-sensitive, like the gateway's paths: `/Jobs` is the 404 screen. */
const caseSensitive = (routes: RouteObject[]): RouteObject[] =>
  routes.map((route) =>
    route.index
      ? route
      : { ...route, caseSensitive: true, ...(route.children && { children: caseSensitive(route.children) }) },
  );

const screens = caseSensitive([
  { path: 'auth', element: screen(() => import('@/routes/auth'), 'auth', 'forms') },
  { path: 'forgot-password', element: screen(() => import('@/routes/forgot-password'), 'auth') },
  { path: 'test', element: screen(() => import('@/routes/test-form'), 'pages') },
  {
    path: 'profile/:id',
    element: screen(
      () => import('@/routes/profile'),
      'profile',
      'posts',
      'network',
      'saved',
      'focus',
      'feeds',
    ),
  },
  { path: 'jobs', element: screen(() => import('@/routes/jobs'), 'jobs', 'saved') },
  { path: 'jobs/:id', element: screen(() => import('@/routes/job'), 'jobs', 'saved') },
  { path: 'legal-news', element: screen(() => import('@/routes/news'), 'news', 'saved') },
  { path: 'legal-news/:id', element: screen(() => import('@/routes/article'), 'news', 'saved') },
  { path: 'resources', element: screen(() => import('@/routes/resources'), 'resources', 'saved') },
  { path: 'resources/:id', element: screen(() => import('@/routes/resource'), 'resources', 'saved') },
  { path: 'status', element: screen(() => import('@/routes/status'), 'status') },
  {
    path: 'search',
    element: screen(
      () => import('@/routes/search'),
      'search',
      'communities',
      'jobs',
      'network',
      'news',
      'posts',
      'resources',
      'saved',
    ),
  },
  { path: 'communities', element: screen(() => import('@/routes/communities'), 'communities') },
  {
    path: 'communities/:id',
    element: screen(() => import('@/routes/community'), 'communities', 'posts', 'network', 'saved'),
  },
  { path: 'topics', element: screen(() => import('@/routes/topics'), 'topics') },
  // With the texts of the 404 screen, for a path that is no topic.
  {
    path: 'topics/:topic',
    element: screen(() => import('@/routes/topic'), 'topics', 'pages', 'posts', 'network', 'saved'),
  },
  { path: 'events', element: screen(() => import('@/routes/events'), 'events', 'saved') },
  { path: 'events/:id', element: screen(() => import('@/routes/event'), 'events', 'saved') },
  { path: 'posts/:id', element: screen(() => import('@/routes/post'), 'posts', 'network', 'saved') },
  { path: 'about', element: screen(() => import('@/routes/about'), 'about') },
  { path: 'privacy', element: screen(() => import('@/routes/privacy'), 'privacy') },
  { path: 'terms', element: screen(() => import('@/routes/terms'), 'terms') },
  { path: 'cookies', element: screen(() => import('@/routes/cookies'), 'cookies') },
  { path: 'copyright', element: screen(() => import('@/routes/copyright'), 'copyright') },
  { path: 'brand', element: screen(() => import('@/routes/brand'), 'brand') },
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
          'commands',
          'forms',
          'network',
          'notifications',
          'passkeys',
          'push',
        ),
      },
      { path: 'settings/privacy', element: screen(() => import('@/routes/settings-privacy'), 'settings') },
      { path: 'settings/feed', element: screen(() => import('@/routes/settings-feed'), 'feeds') },
      {
        path: 'welcome',
        element: screen(() => import('@/routes/welcome'), 'welcome', 'focus', 'network', 'communities'),
      },
      { path: 'notifications', element: screen(() => import('@/routes/notifications'), 'notifications') },
      {
        path: 'moderation',
        element: screen(() => import('@/routes/moderation'), 'moderation', 'pages', 'reports'),
      },
      // With the texts of the 404 screen, for a member who is no steward.
      {
        path: 'school/members',
        element: screen(() => import('@/routes/school-members'), 'verification', 'pages'),
      },
      { path: 'appeals/:id', element: screen(() => import('@/routes/appeal'), 'moderation') },
      { path: 'network', element: screen(() => import('@/routes/network'), 'network') },
      {
        path: 'saved-items',
        element: screen(
          () => import('@/routes/saved-items'),
          'saved',
          'posts',
          'network',
          'jobs',
          'news',
          'resources',
          'events',
        ),
      },
      // A single route: the list keeps its state while threads change.
      {
        path: 'messages/:id?',
        element: screen(() => import('@/routes/messages'), 'messages', 'network', 'posts'),
      },
    ],
  },
  { path: '*', element: screen(() => import('@/routes/not-found'), 'pages') },
]);

// biome-ignore lint/style/noDefaultExport: React.lazy takes the default export.
export default function Screens() {
  return useRoutes(screens);
}
