// Posts or comments that wait for the network, failed, were refused, or may be posted already, with their state, Retry and Discard.
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from '@/i18n/use-translation';
import type { Unsent } from '@/session/outbox';
import { discardPosting, parsePostings, retryPosting, type UnsentPosting } from './postings-outbox';

export interface UnsentPlace {
  /** The post of the comments; if absent, posts. */
  postId?: string;
  /** The community of the posts; if absent, all posts, and the comments of all posts that failed. */
  communityId?: string;
  className: string;
}

interface UnsentListProps extends UnsentPlace {
  memberId: string;
  /** The outbox as it is stored. */
  text: string;
}

export function UnsentList({ memberId, text, postId, communityId, className }: UnsentListProps) {
  const { t } = useTranslation(['unsent', 'posts']);
  const queryClient = useQueryClient();
  const isHere = (item: UnsentPosting) => {
    const { posting } = item;
    if (postId) return posting.kind === 'comment' && posting.postId === postId;
    if (posting.kind === 'post') return !communityId || posting.body.communityId === communityId;
    // Its post may be deleted or far down, and posts may wait behind it.
    return !communityId && (hasFailed(item) || item.failure === 'uncertain');
  };
  const items = parsePostings(text).filter(isHere);
  if (items.length === 0) return null;
  const hasComments = items.some(({ posting }) => posting.kind === 'comment');
  const label = postId ? 'comments' : hasComments ? 'postsAndComments' : 'posts';
  const action = 'link reach font-medium';
  return (
    <ul className={`space-y-3 ${className}`} aria-label={t(label)}>
      {items.map((item) => (
        <li key={item.key}>
          <p dir="auto" className="line-clamp-6 text-ui whitespace-pre-line wrap-anywhere">
            {item.shown.trim() || t('posts:repost')}
          </p>
          <p className="mt-1 flex flex-wrap items-center gap-x-4 gap-y-1 text-caption text-muted-foreground">
            <State of={item} />
            {item.failure !== null && item.failure !== 'offline' && (
              <button
                type="button"
                className={action}
                onClick={() => retryPosting(memberId, queryClient, item.key)}
              >
                {t('retry')}
              </button>
            )}
            {item.failure !== null && (
              <button type="button" className={action} onClick={() => discardPosting(memberId, item.key)}>
                {t('discard')}
              </button>
            )}
          </p>
        </li>
      ))}
    </ul>
  );
}

/** Itself: a later one, which waits behind it, has no reason. */
const hasFailed = ({ failure, refusal }: Unsent) =>
  failure !== null && failure !== 'offline' && refusal !== null;

function State({ of: item }: { of: UnsentPosting }) {
  const { t } = useTranslation(['unsent', 'posts']);
  const { posting, failure, refusal } = item;
  if (hasFailed(item))
    return (
      // A refusal is a toast as well, which screen readers announce.
      <span role={failure === 'refused' ? undefined : 'alert'} className="text-destructive-text">
        {t(posting.kind === 'post' ? 'posts:createFailed' : 'posts:commentFailed', { message: refusal })}
      </span>
    );
  if (failure === 'offline' || failure === 'uncertain') return <span role="status">{t(failure)}</span>;
  return <span role="status">{t(failure === null ? 'sending' : 'waiting')}</span>;
}
