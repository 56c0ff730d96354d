// 'N new posts' above a list: new posts wait until the member asks for them.
import { useInfiniteQuery, useIsMutating, useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowUp } from 'lucide-react';
import { type RefObject, useEffect, useRef } from 'react';
import {
  findNewPosts,
  hasCommunities,
  listsOnScreen,
  newPostsQuery,
  type PostListName,
  publishKey,
  showNewPosts,
} from '@/api/new-posts';
import { itemsOf } from '@/api/pages';
import type { postsQuery } from '@/api/queries';
import type { topicPostsQuery } from '@/api/topics';
import { useTranslation } from '@/i18n/use-translation';
import { type Topic, useLiveTopic } from '@/live/interests';
import { useAuth } from '@/session/auth';
import { lazy } from '@/ui/lazy';

const OwnCommunities = lazy(
  async () => (await import('@/features/feed-control/own-communities')).OwnCommunities,
);

type PostsOptions = ReturnType<typeof postsQuery> | ReturnType<typeof topicPostsQuery>;

/** Returns the topic that the gateway names in the event of new posts of a list. */
function topicOf(list: PostListName): Topic {
  const [kind, id] = list.split(':');
  return kind === 'community' || kind === 'member' ? `${kind} ${id}` : 'feed';
}

/** Watches a waiting post, so that it changes and disappears like a shown one. */
function Waiting({ id }: { id: string }) {
  useLiveTopic(`post ${id}`);
  return null;
}

interface NewPostsProps {
  list: PostListName;
  query: PostsOptions;
  /** The list, which the focus moves to. */
  focus: RefObject<HTMLElement | null>;
}

export function NewPosts({ list, query, focus }: NewPostsProps) {
  const { t } = useTranslation('posts');
  const { user } = useAuth();
  const queryClient = useQueryClient();
  // The two kinds of lists have equal data.
  const { data: posts, isFetching } = useInfiniteQuery(query as ReturnType<typeof postsQuery>);
  const isPublishing = useIsMutating({ mutationKey: publishKey }) > 0;
  const { data: fresh } = useQuery(newPostsQuery(list));
  useLiveTopic(topicOf(list));
  // A list that was read on an earlier visit: events since then were missed.
  useEffect(() => {
    const shown = listsOnScreen(queryClient).find((one) => one.list === list);
    if (shown?.isOld) void findNewPosts(queryClient, list, shown.since).catch(() => undefined);
  }, [queryClient, list]);

  const cached = new Set(itemsOf(posts).map(({ id }) => id));
  // A post that this tab publishes will be in the list in a moment; one from another device waits like others.
  const own = isPublishing || isFetching ? user?.id : null;
  const waiting = fresh?.page.items.filter(({ id, user: author }) => !cached.has(id) && author.id !== own);
  const count = waiting?.length ?? 0;
  const pressed = useRef(false);
  const show = () => {
    pressed.current = true;
    showNewPosts(queryClient, list, query.queryKey);
  };
  // After the posts are drawn: otherwise the browser keeps the scroll position relative to the old ones.
  useEffect(() => {
    if (!posts || !pressed.current) return;
    pressed.current = false;
    const calm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    const behavior = calm ? 'auto' : 'smooth';
    // The posts of a member begin far below the top of the profile.
    if (list.startsWith('member:')) focus.current?.scrollIntoView?.({ behavior });
    else window.scrollTo({ top: 0, behavior });
    // The button disappears.
    focus.current?.focus({ preventScroll: true });
  }, [posts, focus, list]);
  return (
    <div
      role="status"
      className="pointer-events-none sticky top-[calc(var(--header-height)+1.875rem)] z-(--z-sticky) flex h-0 justify-center"
    >
      {hasCommunities(list) && <OwnCommunities />}
      {waiting?.map(({ id }) => (
        <Waiting key={id} id={id} />
      ))}
      {count > 0 && (
        <button
          type="button"
          onClick={show}
          className="pointer-events-auto flex h-8 shrink-0 -translate-y-[62%] items-center gap-1.5 rounded-full bg-primary px-4 text-ui font-medium whitespace-nowrap text-primary-foreground shadow-lg"
        >
          <ArrowUp className="icon-sm" />
          {t(fresh?.more ? 'newPostsAtLeast' : 'newPosts', { count })}
        </button>
      )}
    </div>
  );
}
