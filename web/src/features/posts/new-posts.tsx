// 'N new posts' above a list: new posts wait until the member asks for them.
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowUp } from 'lucide-react';
import { lazy, type RefObject, Suspense, useEffect, useRef } from 'react';
import {
  findNewPosts,
  hasCommunities,
  listsOnScreen,
  newPostsQuery,
  type PostListName,
  showNewPosts,
} from '@/api/new-posts';
import { itemsOf } from '@/api/pages';
import { type PostFilter, postsQuery } from '@/api/queries';
import { useTranslation } from '@/i18n/use-translation';
import { useLiveTopic } from '@/live/interests';
import { useAuth } from '@/session/auth';

const OwnCommunities = lazy(async () => ({
  default: (await import('@/features/feed-control/own-communities')).OwnCommunities,
}));

interface NewPostsProps {
  list: PostListName;
  filter: PostFilter;
  /** The list, which the focus moves to. */
  focus: RefObject<HTMLElement | null>;
}

export function NewPosts({ list, filter, focus }: NewPostsProps) {
  const { t } = useTranslation('posts');
  const { user } = useAuth();
  const queryClient = useQueryClient();
  const { data: posts } = useInfiniteQuery(postsQuery(filter));
  const { data: fresh } = useQuery(newPostsQuery(list));
  useLiveTopic(list.startsWith('feed') ? 'feed' : `community ${list.slice('community:'.length)}`);
  // A list that was read on an earlier visit: events since then were missed.
  useEffect(() => {
    const shown = listsOnScreen(queryClient).find((one) => one.list === list);
    if (shown?.isOld) void findNewPosts(queryClient, list, shown.since).catch(() => undefined);
  }, [queryClient, list]);

  const cached = new Set(itemsOf(posts).map(({ id }) => id));
  // The member's own posts are in the list as soon as they are published.
  const waiting = fresh?.page.items.filter(
    ({ id, user: author }) => !cached.has(id) && author.id !== user?.id,
  );
  const count = waiting?.length ?? 0;
  const pressed = useRef(false);
  const show = () => {
    pressed.current = true;
    showNewPosts(queryClient, list, filter);
  };
  // After the posts are drawn: otherwise the browser keeps the scroll position relative to the old ones.
  useEffect(() => {
    if (!posts || !pressed.current) return;
    pressed.current = false;
    const calm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    window.scrollTo({ top: 0, behavior: calm ? 'auto' : 'smooth' });
    // The button disappears.
    focus.current?.focus({ preventScroll: true });
  }, [posts, focus]);
  return (
    <div
      role="status"
      className="pointer-events-none sticky top-[calc(var(--header-height)+1.875rem)] z-(--z-sticky) flex h-0 justify-center"
    >
      {hasCommunities(list) && (
        <Suspense>
          <OwnCommunities />
        </Suspense>
      )}
      {count > 0 && (
        <button
          type="button"
          onClick={show}
          className="pointer-events-auto flex h-8 shrink-0 -translate-y-[62%] items-center gap-1.5 rounded-full bg-primary px-4 text-ui font-medium whitespace-nowrap text-primary-foreground shadow-lg"
        >
          <ArrowUp className="icon-sm" aria-hidden="true" />
          {t(fresh?.more ? 'newPostsAtLeast' : 'newPosts', { count })}
        </button>
      )}
    </div>
  );
}
