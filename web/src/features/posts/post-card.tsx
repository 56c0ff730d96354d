// A post: author, time, content, counts, four actions, comments (DESIGN.md, section 5, Post card).
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { MessageCircle, Send, ThumbsUp } from 'lucide-react';
import { memo, type SyntheticEvent, useRef, useState } from 'react';
import { Link } from 'react-router';
import { likesQuery } from '@/api/comments';
import { rereadPost } from '@/api/posts';
import type { Post } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { useLiveTopic } from '@/live/interests';
import { paths } from '@/paths';
import { useAuth } from '@/session/auth';
import { Avatar } from '@/ui/avatar';
import { lazy } from '@/ui/lazy';
import { RelativeTime } from '@/ui/relative-time';
import { toast } from '@/ui/toast';
import { catchTyping } from '@/ui/type-ahead';
import { useOpening } from '@/ui/use-opening';
import { VerifiedMark } from '@/ui/verified-mark';
import { CommentDraft } from './comment-draft';
import { CommentBox, loadCommentBox } from './comment-fields';
import { Comments } from './comments';
import { EditMark } from './edit-mark';
import { PostAction } from './post-action';
import { PostBody } from './post-body';
import { PostMenu } from './post-menu';
import { ReactionControl } from './reaction-control';
import { reactionIcon, reactions } from './reactions';
import { Reactors } from './reactors';
import { ShareAction } from './share-action';
import { Unsent } from './unsent';
import { type Reaction, usePostReaction } from './use-reaction';

interface PostCardProps {
  post: Post;
  /** On its own page: an article with its full text, and the whole conversation with an open box. */
  whole?: boolean;
  /** The id of the comment that the address of the page names. */
  linked?: string;
}

/** Needs the texts of `posts`, `network` and `saved`. */
export const PostCard = memo(function PostCard({ post, whole, linked }: PostCardProps) {
  const { t } = useTranslation('posts');
  const { user } = useAuth();
  const queryClient = useQueryClient();
  const [commenting, setCommenting] = useState(false);
  useLiveTopic(`post ${post.id}`);
  const reaction = usePostReaction(post);
  const box = useRef<HTMLTextAreaElement>(null);
  const isOpen = whole || commenting;
  // The author of a post who left its community still sees it, and nothing more.
  const isOutside = post.community?.name === '';
  const discussed = post.commentCount > 0 || (isOpen && user && !isOutside);

  const openComment = () => {
    if (user && whole) box.current?.focus();
    else if (user) {
      catchTyping();
      setCommenting(true);
    } else toast({ title: t('signInRequired'), description: t('signInToComment'), variant: 'info' });
  };

  return (
    <article
      className="card"
      aria-labelledby={`post-${post.id}`}
      tabIndex={-1}
      data-post={post.id}
      onErrorCapture={(event) => renewExpired(queryClient, post.id, event)}
    >
      <Header post={post} />
      <PostBody post={post} whole={whole} />
      <Counts post={post} reaction={reaction} />
      {!isOutside && (
        <div className="mx-2 grid grid-cols-[repeat(4,auto)] border-t sm:grid-cols-4 py-1 md:mx-3">
          <ReactionAction mine={reaction.mine} set={reaction.set} />
          <PostAction
            icon={MessageCircle}
            aria-expanded={whole ? undefined : commenting}
            data-shortcut="comment"
            onPointerEnter={() => void loadCommentBox()}
            onFocus={() => void loadCommentBox()}
            onClick={openComment}
          >
            {t('comment')}
          </PostAction>
          <ShareAction post={post} />
          <SendAction post={post} />
        </div>
      )}
      {!isOpen && <CommentDraft postId={post.id} onOpen={openComment} />}
      {discussed && (
        <div className="space-y-3 border-t px-4 py-3.5 md:px-5">
          {commenting && user && <CommentBox post={post} user={user} onClose={() => setCommenting(false)} />}
          <Comments post={post} whole={whole} linked={linked} />
          {/* After the newest comment, where the new one appears. */}
          {whole && user && !isOutside && <CommentBox post={post} user={user} field={box} />}
        </div>
      )}
      {user && <Unsent postId={post.id} className="border-t px-4 py-3.5 md:px-5" />}
    </article>
  );
});

function Header({ post }: { post: Post }) {
  const { t } = useTranslation('posts');
  const { id, user, createdAt, editedAt, community, repost } = post;
  // A headline separates the links; without it each must be 24 px high.
  const height = user.headline ? '' : 'inline-block leading-6';
  return (
    <header className="flex items-start gap-3 px-4 pt-4 md:px-5">
      <Link to={paths.profile(user.id)} tabIndex={-1} aria-hidden="true">
        <Avatar user={user} size={44} decorative />
      </Link>
      <div className="min-w-0 flex-1">
        <p className="flex text-ui font-semibold">
          <Link
            id={`post-${id}`}
            to={paths.profile(user.id)}
            dir="auto"
            className="truncate leading-6 hover:underline"
          >
            {user.fullName}
          </Link>
          <VerifiedMark member={user} className="mt-1 ml-1" />
        </p>
        {user.headline && (
          <p dir="auto" className="truncate text-caption text-muted-foreground">
            {user.headline}
          </p>
        )}
        <p className="text-micro text-muted-foreground wrap-anywhere">
          {repost && `${t('repostMark')} · `}
          <Link to={paths.post(id)} className={`hover:underline ${height}`}>
            <RelativeTime at={createdAt} />
          </Link>
          {editedAt && (
            <>
              {' · '}
              <EditMark at={editedAt} />
            </>
          )}
          {community && (
            <>
              {' · '}
              {/* The author of the post who left the community is not told its name. */}
              {community.name ? (
                <Link to={paths.community(community.id)} className="font-medium hover:underline">
                  {community.name}
                </Link>
              ) : (
                t('formerCommunity')
              )}
            </>
          )}
        </p>
      </div>
      <PostMenu post={post} className="-mt-1 -mr-2" />
    </header>
  );
}

/** The maximum number of reaction icons before the count. */
const kindsShown = 3;

interface CountsProps {
  post: Post;
  reaction: Reaction;
}

function Counts({ post: { id, commentCount, shareCount }, reaction: { likes, likeCount } }: CountsProps) {
  const { t } = useTranslation('posts');
  const kinds = reactions.filter(([type]) => likes.some((like) => like.type === type)).slice(0, kindsShown);
  const icons = kinds.length > 0 ? kinds.map(([, Icon]) => Icon) : [ThumbsUp];
  return (
    <div className="flex flex-wrap items-center gap-x-1.5 px-4 pt-2.5 pb-2 text-micro whitespace-nowrap text-muted-foreground tabular-nums md:px-5">
      {likeCount > 0 && (
        <span className="flex -space-x-1">
          {icons.map((Icon) => (
            <span
              key={Icon.displayName}
              className="grid size-[1.125rem] place-items-center rounded-full bg-gold text-gold-foreground ring-1 ring-card"
            >
              <Icon className="size-2.5 stroke-2" />
            </span>
          ))}
        </span>
      )}
      {likeCount > 0 ? (
        <Reactors query={likesQuery(id)} className="-my-1 min-h-6 cursor-pointer rounded-sm hover:underline">
          {t('likes', { count: likeCount })}
        </Reactors>
      ) : (
        <span>{t('likes', { count: likeCount })}</span>
      )}
      <span className="ml-auto">
        {t('comments', { count: commentCount })} · {t('shares', { count: shareCount })}
      </span>
    </div>
  );
}

function ReactionAction({ mine, set }: Pick<Reaction, 'mine' | 'set'>) {
  const { t } = useTranslation('posts');
  return (
    <ReactionControl mine={mine} set={set} openerClassName="right-0">
      {(button) => (
        <PostAction
          icon={reactionIcon(mine ?? 'like')}
          iconClassName={mine ? 'animate-like fill-gold/30' : ''}
          data-shortcut="like"
          {...button}
        >
          {t(`reaction.${mine ?? 'like'}`)}
        </PostAction>
      )}
    </ReactionControl>
  );
}

const SendDialog = lazy(async () => (await import('./send-dialog')).SendDialog);

/** Sends the post's address in a conversation. */
function SendAction({ post }: { post: Post }) {
  const { t } = useTranslation('posts');
  const { user } = useAuth();
  const sending = useOpening();
  const press = () => {
    if (user) sending.open();
    else toast({ title: t('signInRequired'), description: t('signInToSend'), variant: 'info' });
  };
  return (
    <>
      <PostAction icon={Send} aria-haspopup={user ? 'dialog' : undefined} onClick={press}>
        {t('send')}
      </PostAction>
      {user && sending.nr > 0 && (
        <SendDialog key={sending.nr} post={post} me={user} open={sending.isOpen} onClose={sending.close} />
      )}
    </>
  );
}

const renewed = new Set<string>();

/**
 * For the errors of all pictures within the card. Signed addresses expire in communities, and elsewhere with the key that signed
 * them: a picture that then fails to load reads its post again, which has the next one.
 */
function renewExpired(queryClient: QueryClient, postId: string, { target }: SyntheticEvent): void {
  if (!(target instanceof HTMLImageElement)) return;
  const { searchParams } = new URL(target.src);
  const expires = searchParams.get('expires');
  const isInvalid = expires ? Number(expires) * 1000 < Date.now() : searchParams.has('signature');
  // Once for each address: the picture may be gone.
  if (!isInvalid || renewed.has(target.src)) return;
  renewed.add(target.src);
  void rereadPost(queryClient, postId);
}
