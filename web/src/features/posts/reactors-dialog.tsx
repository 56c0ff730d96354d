// The members who reacted to a post or comment, newest first, with their reaction.
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { commentLikesQuery, likesQuery } from '@/api/comments';
import type { MemberLike } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { Avatar } from '@/ui/avatar';
import { Dialog } from '@/ui/dialog';
import { PagedList } from '@/ui/paged-list';
import { LoadingRows } from '@/ui/skeleton';
import { VerifiedMark } from '@/ui/verified-mark';
import { reactionIcon } from './reactions';

export type ReactorsQuery = ReturnType<typeof likesQuery> | ReturnType<typeof commentLikesQuery>;

interface ReactorsDialogProps {
  query: ReactorsQuery;
  open: boolean;
  onClose: () => void;
}

export function ReactorsDialog({ query, open, onClose }: ReactorsDialogProps) {
  const { t } = useTranslation('posts');
  // Each opening shows the current list.
  const list = useInfiniteQuery({ ...(query as ReturnType<typeof likesQuery>), refetchOnMount: 'always' });
  return (
    <Dialog open={open} onOpenChange={onClose} title={t('reactions')}>
      <div className="pb-5">
        <PagedList
          query={list}
          skeleton={<Rows />}
          failed={t('reactionsFailed')}
          empty={<p className="text-ui text-muted-foreground">{t('noReactions')}</p>}
          more={t('moreReactions')}
        >
          {(likes) => (
            <ul className="space-y-3">
              {likes.map((like) => (
                <Reactor key={like.userId} like={like} />
              ))}
            </ul>
          )}
        </PagedList>
      </div>
    </Dialog>
  );
}

function Reactor({ like: { user, type } }: { like: MemberLike }) {
  const { t } = useTranslation('posts');
  const Icon = reactionIcon(type);
  return (
    <li className="flex items-center gap-3">
      <Avatar user={user} size={40} decorative />
      <p className="min-w-0 flex-1">
        <span className="flex min-w-0 items-center gap-1">
          <Link to={paths.profile(user.id)} className="block truncate text-ui font-semibold hover:underline">
            {user.fullName}
          </Link>
          <VerifiedMark member={user} />
        </span>
        {user.headline && (
          <span className="block truncate text-caption text-muted-foreground">{user.headline}</span>
        )}
      </p>
      <span className="flex shrink-0 items-center gap-1.5 text-caption text-muted-foreground">
        <Icon className="icon-sm text-gold-text" />
        {t(`reaction.${type}`)}
      </span>
    </li>
  );
}

function Rows() {
  return (
    <LoadingRows
      className="space-y-3"
      row="flex items-center gap-3"
      bars={['size-10 shrink-0 rounded-full!', 'h-4 w-40']}
    />
  );
}
