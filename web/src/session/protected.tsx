// The route guard: a spinner while the session resolves, then the screen or a redirect to /auth.
import { Navigate, Outlet } from 'react-router';
import { paths } from '@/paths';
import { PageSpinner } from '@/ui/spinner';
import { useAuth } from './auth';

export function Protected() {
  const { user, isLoading, isLeaving } = useAuth();
  if (user) return <Outlet />;
  if (isLoading || isLeaving) return <PageSpinner />;
  return <Navigate to={paths.auth} replace />;
}
