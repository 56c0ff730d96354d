// Login and registration; redirects a signed-in member home, or back to the screen that asked for the sign-in.
import { Info } from 'lucide-react';
import { Navigate, useLocation } from 'react-router';
import { AuthLayout } from '@/features/auth/auth-layout';
import { AuthTabs } from '@/features/auth/auth-tabs';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { useAuth } from '@/session/auth';
import { returnAddressOf } from '@/session/return-address';
import { PageMeta } from '@/ui/page-meta';
import { PageSpinner } from '@/ui/spinner';

export function Component() {
  const { t } = useTranslation('auth');
  const { user, isLoading } = useAuth();
  const back = returnAddressOf(useLocation().state);
  if (isLoading) return <PageSpinner />;
  if (user) return <Navigate to={back?.returnTo ?? paths.home} replace />;
  return (
    <AuthLayout>
      <PageMeta page="auth" />
      <h1 className="sr-only">{t('tabs')}</h1>
      {back && (
        <p className="mb-5 flex items-start gap-2.5 rounded-lg bg-muted p-4 text-ui text-pretty">
          <Info className="icon mt-px text-muted-foreground" />
          {t(back.hasEnded ? 'why.ended' : 'why.members')}
        </p>
      )}
      <AuthTabs />
    </AuthLayout>
  );
}
