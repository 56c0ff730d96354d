// Login and registration; redirects a signed-in member home.

import { Navigate } from 'react-router';
import { AuthLayout } from '@/features/auth/auth-layout';
import { AuthTabs } from '@/features/auth/auth-tabs';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { useAuth } from '@/session/auth';
import { PageMeta } from '@/ui/page-meta';
import { PageSpinner } from '@/ui/spinner';

export function Component() {
  const { t } = useTranslation('auth');
  const { user, isLoading } = useAuth();
  if (isLoading) return <PageSpinner />;
  if (user) return <Navigate to={paths.home} replace />;
  return (
    <AuthLayout>
      <PageMeta page="auth" />
      <h1 className="sr-only">{t('tabs')}</h1>
      <AuthTabs />
    </AuthLayout>
  );
}
