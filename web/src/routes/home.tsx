// The home screen: a spinner while the session resolves, then the landing page or the feed.
import { useAuth } from '@/session/auth';
import { lazy } from '@/ui/lazy';
import { HomeMeta } from '@/ui/meta-tags';
import { PageSpinner } from '@/ui/spinner';

const Landing = lazy(async () => (await import('@/features/landing/landing')).Landing, 'essential');

const Feed = lazy(async () => {
  const texts = import('@/i18n/load-texts').then(({ loadTexts }) =>
    loadTexts('home', 'network', 'posts', 'saved'),
  );
  const [{ Feed }] = await Promise.all([import('@/features/home/feed'), texts]);
  return Feed;
}, 'essential');

export function Component() {
  const { user, isLoading } = useAuth();
  const spinner = <PageSpinner />;
  return (
    <>
      <HomeMeta />
      {isLoading ? spinner : user ? <Feed user={user} fallback={spinner} /> : <Landing fallback={spinner} />}
    </>
  );
}
