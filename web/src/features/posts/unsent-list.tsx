// Posts or comments that wait for the network, or were refused, with their state, Retry and Discard.
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from '@/i18n/use-translation';
import { discardPosting, parsePostings, retryPosting, type UnsentPosting } from './postings-outbox';

export interface UnsentPlace {
  /** The post of the comments; if absent, posts. */
  postId?: string;
  /** The community of the posts; if absent, all posts. */
  communityId?: string;
  className: string;
}

interface UnsentListProps extends UnsentPlace {
  memberId: string;
  /** The outbox as it is stored. */
  text: string;
}

/** Needs the texts of `posts` and `unsent`. */
export function UnsentList({ memberId, text, postId, communityId, className }: UnsentListProps) {
  const { t } = useTranslation(['unsent', 'posts']);
  const queryClient = useQueryClient();
  const isHere = ({ posting }: UnsentPosting) =>
    posting.kind === 'comment'
      ? posting.postId === postId
      : !postId && (!communityId || posting.body.communityId === communityId);
  const items = parsePostings(text).filter(isHere);
  if (items.length === 0) return null;
  const action = 'link reach font-medium';
  return (
    <ul className={`space-y-3 ${className}`} aria-label={t(postId ? 'comments' : 'posts')}>
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

function State({ of: { posting, failure, refusal } }: { of: UnsentPosting }) {
  const { t } = useTranslation(['posts', 'unsent']);
  if (failure === null) return <span role="status">{t('unsent:sending')}</span>;
  // A later one waits behind the one that failed.
  if (failure === 'offline' || refusal === null)
    return <span role="status">{t(failure === 'offline' ? 'unsent:offline' : 'unsent:waiting')}</span>;
  return (
    <span role="alert" className="text-destructive-text">
      {t(posting.kind === 'post' ? 'createFailed' : 'commentFailed', { message: refusal })}
    </span>
  );
}
