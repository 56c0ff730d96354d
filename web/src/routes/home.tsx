// The home screen: a spinner while the session resolves, then the landing page or the feed.
import { lazy, Suspense } from 'react';
import { useAuth } from '@/session/auth';
import { HomeMeta } from '@/ui/meta-tags';
import { PageSpinner } from '@/ui/spinner';

const Landing = lazy(async () => ({ default: (await import('@/features/landing/landing')).Landing }));

const Feed = lazy(async () => {
  const texts = import('@/i18n/load-texts').then(({ loadTexts }) =>
    loadTexts('home', 'network', 'posts', 'saved'),
  );
  const [{ Feed }] = await Promise.all([import('@/features/home/feed'), texts]);
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
