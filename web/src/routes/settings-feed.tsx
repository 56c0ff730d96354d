// Feed settings: muted words, members and communities, followed members, and hidden posts.
import { ArrowLeft } from 'lucide-react';
import { Link } from 'react-router';
import { FollowsSection } from '@/features/feed-control/follows-section';
import { HiddenPostsSection } from '@/features/feed-control/hidden-posts-section';
import { MutesSections } from '@/features/feed-control/mutes-sections';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { Page, PageHeading } from '@/ui/page';
import { PageMeta } from '@/ui/page-meta';

export function Component() {
  const { t } = useTranslation('feeds');
  return (
    <Page>
      <PageMeta page="feedSettings" />
      <Link
        to={paths.settings}
        className="link mb-3 inline-flex min-h-6 items-center gap-1 text-caption font-medium"
      >
        <ArrowLeft className="icon-sm" />
        {t('settings.back')}
      </Link>
      <PageHeading title={t('settings.title')} lead={t('settings.lead')} />
      <p className="-mt-2 mb-6 max-w-measure text-body text-pretty text-muted-foreground">
        {t('mutePlaces')}
      </p>
      <div className="space-y-8">
        <MutesSections />
        <FollowsSection />
        <HiddenPostsSection />
      </div>
    </Page>
  );
}
