// Privacy settings.
import { ArrowLeft } from 'lucide-react';
import { Link } from 'react-router';
import { PrivacySettingsForm } from '@/features/account/privacy-settings';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { useAuth } from '@/session/auth';
import { Page, PageHeading } from '@/ui/page';
import { PageMeta } from '@/ui/page-meta';

export function Component() {
  const { t } = useTranslation('settings');
  const { user } = useAuth();
  if (!user) return null;
  return (
    <Page>
      <PageMeta page="privacySettings" />
      <Link
        to={paths.settings}
        className="link mb-3 inline-flex min-h-6 items-center gap-1 text-caption font-medium"
      >
        <ArrowLeft className="icon-sm" />
        {t('privacy.back')}
      </Link>
      <PageHeading title={t('privacy.title')} lead={t('privacy.lead')} />
      <PrivacySettingsForm user={user} />
    </Page>
  );
}
