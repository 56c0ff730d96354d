// The frame with home in it; the list of all other screens (screens.tsx) comes when one of them is visited.
import { lazy } from 'react';
import { BrowserRouter, type RouteObject, useRoutes } from 'react-router';
import { Component as Home } from '@/routes/home';
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

/** Everything, inside a router of any kind: the browser's, or one in memory for tests. */
export function Client() {
  return useRoutes(client);
}

export function Router() {
  // A visit that starts elsewhere than at home need not wait for the first render to ask.
  if (window.location.pathname !== '/') void loadScreens();
  return (
    <BrowserRouter>
      <Client />
    </BrowserRouter>
  );
}
