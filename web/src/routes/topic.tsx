// The posts with a topic, and the button to follow it. A path that is no topic is the 404 screen.
import { useInfiniteQuery } from '@tanstack/react-query';
import { Hash } from 'lucide-react';
import { useRef } from 'react';
import { useParams } from 'react-router';
import { topicPostsQuery } from '@/api/topics';
import { NewPosts } from '@/features/posts/new-posts';
import { PostCard } from '@/features/posts/post-card';
import { PostSkeletons } from '@/features/posts/post-skeleton';
import { topicOf } from '@/features/posts/text/topic-text';
import { FollowButton } from '@/features/topics/follow-button';
import { useTranslation } from '@/i18n/use-translation';
import { EmptyCard } from '@/ui/empty';
import { NamedMeta } from '@/ui/named-meta';
import { Page, PageHeading } from '@/ui/page';
import { PagedList } from '@/ui/paged-list';
import { Component as NotFound } from './not-found';

export function Component() {
  const { topic: raw = '' } = useParams();
  const topic = topicOf(raw.normalize('NFC'));
  return topic === null ? <NotFound /> : <TopicPage key={topic} topic={topic} />;
}

function TopicPage({ topic }: { topic: string }) {
  const { t } = useTranslation(['topics', 'posts']);
  const options = topicPostsQuery(topic);
  const query = useInfiniteQuery(options);
  const list = useRef<HTMLDivElement>(null);
  return (
    <Page width="reading">
      <NamedMeta page="topic" name={`#${topic}`} />
      <PageHeading
        title={
          <span dir="auto" className="wrap-anywhere">
            #{topic}
          </span>
        }
        action={<FollowButton topic={topic} />}
      />
      <div ref={list} tabIndex={-1} className="outline-none">
        <NewPosts list={`topic:${topic}`} query={options} focus={list} />
        <PagedList
          query={query}
          skeleton={<PostSkeletons />}
          failed={t('posts:loadFailed')}
          more={t('posts:more')}
          inSlices
          empty={<EmptyCard icon={Hash} title={t('noPosts')} hint={t('noPostsHint', { topic })} />}
        >
          {(posts) => posts.map((post) => <PostCard key={post.id} post={post} />)}
        </PagedList>
      </div>
    </Page>
  );
}
