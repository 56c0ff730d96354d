// The home screen: a spinner while the session resolves, then the landing page or the feed.
import { lazy, Suspense } from 'react';
import { loadTexts } from '@/i18n/i18n';
import { useAuth } from '@/session/auth';
import { HomeMeta } from '@/ui/page-meta';
import { PageSpinner } from '@/ui/spinner';

const Landing = lazy(async () => {
  const [{ Landing }] = await Promise.all([import('@/features/landing/landing'), loadTexts('landing')]);
  return { default: Landing };
});

const Feed = lazy(async () => {
  const [{ Feed }] = await Promise.all([import('@/features/home/feed'), loadTexts('home', 'posts')]);
  return { default: Feed };
});

export function Component() {
  const { user, isLoading } = useAuth();
  return (
    <>
      <HomeMeta />
      <Suspense fallback={<PageSpinner />}>
        {isLoading ? <PageSpinner /> : user ? <Feed user={user} /> : <Landing />}
      </Suspense>
    </>
  );
}
