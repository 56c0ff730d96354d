// The topics that the member follows, and the topics of the last week.
import { useQuery } from '@tanstack/react-query';
import { topicsQuery } from '@/api/topics';
import { TopicList } from '@/features/topics/topic-list';
import { useTranslation } from '@/i18n/use-translation';
import { useAuth } from '@/session/auth';
import { ErrorPanel } from '@/ui/error-panel';
import { Page, PageHeading } from '@/ui/page';
import { PageMeta } from '@/ui/page-meta';
import { Loading } from '@/ui/skeleton';

export function Component() {
  const { t } = useTranslation('topics');
  const { user } = useAuth();
  const { data: topics, isPending, refetch } = useQuery(topicsQuery);
  return (
    <Page width="reading">
      <PageMeta page="topics" />
      <PageHeading title={t('title')} lead={t('lead')} />
      {topics ? (
        <div className="space-y-4">
          {user && (
            <TopicList
              title={t('followed')}
              topics={topics.followed.map((topic) => ({ topic }))}
              empty={t('followedNone')}
            />
          )}
          <TopicList
            title={t('trending')}
            topics={topics.trending.map(({ topic, memberCount }) => ({
              topic,
              about: t('members', { count: memberCount }),
            }))}
            empty={t('trendingNone')}
          />
        </div>
      ) : isPending ? (
        <Loading bars={['h-64']} />
      ) : (
        <ErrorPanel onRetry={() => void refetch()}>{t('failed')}</ErrorPanel>
      )}
    </Page>
  );
}
