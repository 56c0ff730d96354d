// The route guard: a spinner while the session resolves, then the screen or a redirect to /auth, which explains it.
import { Navigate, Outlet, useLocation } from 'react-router';
import { paths } from '@/paths';
import { PageSpinner } from '@/ui/spinner';
import { useAuth } from './auth';
import type { ReturnAddress } from './return-address';

export function Protected() {
  const { user, isLoading, isLeaving, hasEnded } = useAuth();
  const { pathname, search, hash } = useLocation();
  if (user) return <Outlet />;
  if (isLoading || isLeaving) return <PageSpinner />;
  const state: ReturnAddress = { returnTo: `${pathname}${search}${hash}`, hasEnded };
  return <Navigate to={paths.auth} replace state={state} />;
}
