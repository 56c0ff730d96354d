// A removed item of the member, the reason, and the appeal.
import { useQuery } from '@tanstack/react-query';
import { Scale } from 'lucide-react';
import { useParams } from 'react-router';
import { ApiError } from '@/api/error';
import { removalQuery } from '@/api/moderation';
import { CaseSkeletons } from '@/features/moderation/case-skeletons';
import { RemovalNotice } from '@/features/moderation/removal-notice';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { DetailFallback } from '@/ui/detail-fallback';
import { Page, PageHeading } from '@/ui/page';
import { PageMeta } from '@/ui/page-meta';

export function Component() {
  const { t } = useTranslation('moderation');
  const { id = '' } = useParams();
  const query = useQuery(removalQuery(id));
  return (
    <Page width="reading">
      <PageMeta page="appeal" />
      {query.data ? (
        <>
          <PageHeading title={t(`removedTitle.${query.data.kind === 'comment' ? 'comment' : 'post'}`)} />
          <RemovalNotice of={query.data} />
        </>
      ) : (
        <DetailFallback
          heading={t('appealTitle')}
          query={query}
          skeleton={<CaseSkeletons />}
          gone={query.error instanceof ApiError && query.error.status === 404}
          unknown={{ icon: Scale, title: t('removalUnknown'), hint: t('removalUnknownHint') }}
          others={{ to: paths.notifications, label: t('toNotifications') }}
          failed={t('removalFailed')}
        />
      )}
    </Page>
  );
}
