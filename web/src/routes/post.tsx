// The page of a post with all its comments; an article with its full text.
import { useQuery } from '@tanstack/react-query';
import { FileQuestion } from 'lucide-react';
import { useParams, useSearchParams } from 'react-router';
import { isUnknown } from '@/api/error';
import { postQuery } from '@/api/queries';
// The page shows the box at once.
import '@/features/posts/comment-box';
import { PostCard } from '@/features/posts/post-card';
import { PostSkeletons } from '@/features/posts/post-skeleton';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { DetailFallback } from '@/ui/detail-fallback';
import { NamedMeta } from '@/ui/named-meta';
import { Page } from '@/ui/page';
import { PageMeta } from '@/ui/page-meta';

export function Component() {
  const { t } = useTranslation(['posts', 'shell']);
  const { id = '' } = useParams();
  const linked = useSearchParams()[0].get('comment') ?? undefined;
  const query = useQuery(postQuery(id));
  const post = query.data;
  return (
    <Page key={id} width="reading">
      {post?.title ? (
        <NamedMeta page="post" name={post.title} about={post.content} type="article" />
      ) : (
        <PageMeta page="somePost" />
      )}
      {post ? (
        <>
          {!post.title && <h1 className="sr-only">{t('onePost')}</h1>}
          <PostCard post={post} whole linked={linked} />
        </>
      ) : (
        <DetailFallback
          heading={t('onePost')}
          query={query}
          skeleton={<PostSkeletons count={1} />}
          gone={isUnknown(query.error)}
          unknown={{ icon: FileQuestion, title: t('postGone'), hint: t('postGoneHint') }}
          others={{ to: paths.home, label: t('shell:nav.home') }}
          failed={t('postFailed')}
        />
      )}
    </Page>
  );
}
