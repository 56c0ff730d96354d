// One post with everything under it.
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { postQuery } from '@/api/queries';
import { PostCard } from '@/features/posts/post-card';
import { PostSkeletons } from '@/features/posts/post-skeleton';
import { ErrorPanel } from '@/ui/error-panel';
import { Page } from '@/ui/page';
import { PageMeta } from '@/ui/page-meta';

export function Component() {
  const { t } = useTranslation('pages');
  const { id = '' } = useParams();
  const { data: post, isPending } = useQuery(postQuery(id));
  return (
    <Page className="max-w-[44rem]!">
      <PageMeta page="post" />
      <h1 className="sr-only">{t('post.title')}</h1>
      {isPending ? (
        <PostSkeletons count={1} />
      ) : post ? (
        <PostCard post={post} />
      ) : (
        <ErrorPanel>{t('post.failed')}</ErrorPanel>
      )}
    </Page>
  );
}
