// A post: who and when, the text, the counts, four actions, the comments (DESIGN.md, section 5, Post card).
import { MessageCircle, Send, Share2, ThumbsUp } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Post } from '@/api/types';
import { PersonMenu } from '@/features/network/person-menu';
import { paths } from '@/paths';
import { useAuth } from '@/session/auth';
import { Avatar } from '@/ui/avatar';
import { RelativeTime } from '@/ui/relative-time';
import { toast } from '@/ui/toast';
import { CommentBox } from './comment-box';
import { Comments } from './comments';
import { LikeAction } from './like-action';
import { sayNotYet } from './not-yet';
import { PostAction } from './post-action';
import { PostImage } from './post-image';

export function PostCard({ post }: { post: Post }) {
  const { t } = useTranslation('posts');
  const { user } = useAuth();
  const [commenting, setCommenting] = useState(false);
  const discussed = post.commentCount > 0 || (commenting && user);

  const openComment = () => {
    if (user) setCommenting(true);
    else toast({ title: t('signInRequired'), description: t('signInToComment'), variant: 'info' });
  };

  return (
    <article className="card" aria-labelledby={`post-${post.id}`}>
      <Header post={post} />
      <p className="px-4 pt-3 pb-3 whitespace-pre-line text-body wrap-anywhere md:px-5">{post.content}</p>
      {post.imageUrl && <PostImage src={post.imageUrl} />}
      <Counts post={post} />
      <div className="mx-2 grid grid-cols-4 border-t py-1 md:mx-3">
        <LikeAction post={post} />
        <PostAction icon={MessageCircle} aria-expanded={commenting} onClick={openComment}>
          {t('comment')}
        </PostAction>
        <PostAction icon={Share2} onClick={() => sayNotYet(t)}>
          {t('share')}
        </PostAction>
        <PostAction icon={Send} onClick={() => sayNotYet(t)}>
          {t('send')}
        </PostAction>
      </div>
      {discussed && (
        <div className="space-y-3 border-t px-4 py-3.5 md:px-5">
          {commenting && user && <CommentBox post={post} user={user} onClose={() => setCommenting(false)} />}
          <Comments post={post} />
        </div>
      )}
    </article>
  );
}

function Header({ post: { id, user, createdAt, community } }: { post: Post }) {
  return (
    <header className="flex items-start gap-3 px-4 pt-4 md:px-5">
      <Link to={paths.profile(user.id)} tabIndex={-1} aria-hidden="true">
        <Avatar user={user} size={44} decorative />
      </Link>
      <div className="min-w-0 flex-1">
        <p className="truncate text-ui font-semibold">
          <Link id={`post-${id}`} to={paths.profile(user.id)} className="hover:underline">
            {user.fullName}
          </Link>
        </p>
        {user.headline && <p className="truncate text-caption text-muted-foreground">{user.headline}</p>}
        <p className="text-micro text-muted-foreground wrap-anywhere">
          <RelativeTime at={createdAt} />
          {community && (
            <>
              {' · '}
              <Link to={paths.community(community.id)} className="font-medium hover:underline">
                {community.name}
              </Link>
            </>
          )}
        </p>
      </div>
      <PersonMenu person={user} connects size="sm" className="-mt-1 -mr-2" />
    </header>
  );
}

function Counts({ post: { likeCount, commentCount } }: { post: Post }) {
  const { t } = useTranslation('posts');
  return (
    <div className="flex items-center gap-1.5 px-4 pt-2.5 pb-2 text-micro text-muted-foreground tabular-nums md:px-5">
      {likeCount > 0 && (
        <span className="grid size-[1.125rem] place-items-center rounded-full bg-gold text-gold-foreground">
          <ThumbsUp className="size-2.5 fill-current stroke-2" aria-hidden="true" />
        </span>
      )}
      <span>{t('likes', { count: likeCount })}</span>
      <span className="ml-auto">
        {t('comments', { count: commentCount })} · {t('shares')}
      </span>
    </div>
  );
}
