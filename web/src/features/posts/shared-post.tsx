// A post shared in a conversation: its author, its beginning, and a link.
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { postQuery } from '@/api/queries';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { Avatar } from '@/ui/avatar';
import { Skeleton } from '@/ui/skeleton';
import { VerifiedMark } from '@/ui/verified-mark';

const frame = 'my-1 w-72 max-w-full rounded-md border bg-card p-3 text-foreground';

export function SharedPost({ id }: { id: string }) {
  const { t } = useTranslation('messages');
  const { data: post, isPending } = useQuery(postQuery(id));
  if (isPending)
    return (
      <div className={frame}>
        <Skeleton className="h-16" />
      </div>
    );
  if (!post) return <p className={`${frame} text-caption text-muted-foreground`}>{t('sharedGone')}</p>;
  const { user, title, content, repost } = post;
  const words = content || repost?.content;
  return (
    <div className={frame}>
      <div className="flex items-center gap-2.5">
        <Avatar user={user} size={32} decorative />
        <p className="min-w-0 truncate text-caption font-semibold">{user.fullName}</p>
        <VerifiedMark member={user} className="-ml-1.5" />
      </div>
      {title && (
        <p dir="auto" className="mt-2 font-serif text-body font-semibold">
          {title}
        </p>
      )}
      {words && (
        <p dir="auto" className="mt-1.5 line-clamp-4 text-caption whitespace-pre-line">
          {words}
        </p>
      )}
      <Link
        to={paths.post(id)}
        aria-label={t('seeSharedBy', { name: user.fullName })}
        className="link reach mt-1.5 inline-block text-caption font-medium"
      >
        {t('seeShared')}
      </Link>
    </div>
  );
}
