// The recent activity of a member: posts, comments and reactions with links to their posts.
import { useInfiniteQuery } from '@tanstack/react-query';
import { Activity as ActivityIcon, type LucideIcon, MessageCircle, Newspaper, ThumbsUp } from 'lucide-react';
import { Link } from 'react-router';
import { activityQuery } from '@/api/queries';
import type { Activity, User } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { EmptyCard } from '@/ui/empty';
import { PagedCard } from '@/ui/paged-list';
import { RelativeTime } from '@/ui/relative-time';
import { Bars, LoadingRows, Skeleton } from '@/ui/skeleton';

const icons: Record<Activity['type'], LucideIcon> = {
  post: Newspaper,
  comment: MessageCircle,
  reaction: ThumbsUp,
};

export function ActivityList({ user }: { user: User }) {
  const { t } = useTranslation('profile');
  return (
    <PagedCard
      query={useInfiniteQuery(activityQuery(user.id))}
      skeleton={<ActivitySkeleton />}
      failed={t('activityFailed')}
      more={t('moreActivity')}
      empty={<EmptyCard icon={ActivityIcon} title={t('noActivity')} />}
      label={t('activity')}
    >
      {(activity) => <ActivityRow key={keyOf(activity)} activity={activity} user={user} />}
    </PagedCard>
  );
}

/** The key of an activity: a comment has its own id, and a member creates or reacts to a post only once. */
function keyOf({ type, post, comment }: Activity): string {
  return `${type} ${comment?.id ?? post.id}`;
}

function ActivityRow({ activity, user }: { activity: Activity; user: User }) {
  const { type, at, post, comment } = activity;
  const Icon = icons[type];
  return (
    <li className="relative flex gap-3.5 px-4 py-4 first:rounded-t-lg last:rounded-b-lg hover:bg-hover md:px-5">
      <span className="grid size-10 shrink-0 place-items-center rounded-md bg-muted text-muted-foreground">
        <Icon className="icon" />
      </span>
      <div className="min-w-0 flex-1 wrap-anywhere">
        <p className="text-ui font-semibold">
          {/* The whole row is the link; the sentence is its name. */}
          <Link to={paths.post(post.id)} className="after:absolute after:inset-0 hover:underline">
            <Sentence activity={activity} own={post.author.id === user.id} />
          </Link>
        </p>
        {comment && (
          <p dir="auto" className="mt-1 line-clamp-3 whitespace-pre-line text-ui">
            {comment.content}
          </p>
        )}
        <p
          dir="auto"
          className={`mt-1 line-clamp-2 whitespace-pre-line ${comment ? 'border-l-2 pl-2.5 text-caption text-muted-foreground' : 'text-ui text-muted-foreground'}`}
        >
          {post.excerpt}
        </p>
        <p className="mt-1 text-micro text-muted-foreground">
          <RelativeTime at={at} />
        </p>
      </div>
    </li>
  );
}

function Sentence({
  activity: { type, post, reaction = 'like' },
  own,
}: {
  activity: Activity;
  own: boolean;
}) {
  const { t } = useTranslation('profile');
  const name = post.author.fullName;
  if (type === 'post') return t('did.post');
  if (type === 'comment') return own ? t('did.commentOwn') : t('did.comment', { name });
  return own ? t(`did.${reaction}Own`) : t(`did.${reaction}`, { name });
}

function ActivitySkeleton() {
  return (
    <LoadingRows className="card divide-y" row="flex gap-3.5 px-5 py-4">
      <Skeleton className="size-10" />
      <Bars className="flex-1 space-y-2 pt-0.5" of={['h-3.5 w-48 max-w-full', 'h-3.5 w-[95%]', 'h-3 w-20']} />
    </LoadingRows>
  );
}
