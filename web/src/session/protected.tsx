// The gate of a screen that needs a member: spinner while the session resolves, then the screen or /auth.
import { Navigate, Outlet, useNavigation } from 'react-router';
import { paths } from '@/paths';
import { PageSpinner } from '@/ui/spinner';
import { useAuth } from './auth';

export function Protected() {
  const { user, isLoading } = useAuth();
  const leaving = useNavigation().state !== 'idle';
  if (user) return <Outlet />;
  if (isLoading || leaving) return <PageSpinner />;
  return <Navigate to={paths.auth} replace />;
}
