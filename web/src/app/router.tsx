// The layout with the home screen; the list of all other screens (screens.tsx) loads on the first visit to one of them.
import { lazy } from 'react';
import { BrowserRouter, type RouteObject, useRoutes } from 'react-router';
import { Component as Home } from '@/routes/home';
// Before the router mounts.
import '@/ui/history-guard';
import { Layout } from './layout';

const loadScreens = () => import('./screens');
const Screens = lazy(loadScreens);

const client: RouteObject[] = [
  {
    element: <Layout />,
    children: [
      { index: true, element: <Home /> },
      { path: '*', element: <Screens /> },
    ],
  },
];

/** The whole client, inside any router: the browser router, or a memory router in tests. */
export function Client() {
  return useRoutes(client);
}

export function Router() {
  // Starts loading before the first render, unless the visit starts at home.
  if (window.location.pathname !== '/') void loadScreens();
  return (
    <BrowserRouter>
      <Client />
    </BrowserRouter>
  );
}
