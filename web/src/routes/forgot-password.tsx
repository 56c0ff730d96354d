// Password reset: this server has no way to do it yet, and the screen says so.
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { AuthLayout } from '@/features/auth/auth-layout';
import { paths } from '@/paths';
import { PageMeta } from '@/ui/page-meta';

export function Component() {
  const { t } = useTranslation('auth');
  return (
    <AuthLayout>
      <PageMeta page="forgotPassword" />
      <h1 className="font-serif text-title">{t('forgot.title')}</h1>
      <p className="mt-4 text-body">{t('forgot.unavailable')}</p>
      <p className="mt-1 text-body text-muted-foreground">{t('forgot.hint')}</p>
      <Link to={paths.auth} className="link mt-6 inline-block text-ui font-medium">
        {t('forgot.back')}
      </Link>
    </AuthLayout>
  );
}
