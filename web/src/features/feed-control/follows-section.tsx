// Feed settings: the members that the member follows.
import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { Link } from 'react-router';
import { followsQuery } from '@/api/feed-control';
import type { Author } from '@/api/schema.gen';
import { SettingsSection } from '@/features/account/settings-section';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { Avatar } from '@/ui/avatar';
import { Button } from '@/ui/button';
import { PagedList } from '@/ui/paged-list';
import { Loading } from '@/ui/skeleton';
import { useFollowing } from './use-following';

export function FollowsSection() {
  const { t } = useTranslation('feeds');
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <SettingsSection title={t('settings.people')} about={t('settings.peopleAbout')} headingRef={heading}>
      <PagedList
        query={useInfiniteQuery(followsQuery)}
        skeleton={<Loading bars={['my-2 h-4 w-40']} />}
        failed={t('settings.peopleFailed')}
        empty={<p className="text-body text-muted-foreground">{t('settings.peopleNone')}</p>}
        more={t('settings.more')}
      >
        {(follows) => (
          <ul className="-my-2 divide-y">
            {follows.map(({ user }) => (
              <FollowRow key={user.id} person={user} onUnfollowed={() => heading.current?.focus()} />
            ))}
          </ul>
        )}
      </PagedList>
    </SettingsSection>
  );
}

function FollowRow({ person, onUnfollowed }: { person: Author; onUnfollowed: () => void }) {
  const { t } = useTranslation('feeds');
  const following = useFollowing(person);
  return (
    <li className="flex flex-wrap items-center gap-3 py-2.5">
      <Avatar user={person} size={40} decorative />
      <Link
        to={paths.profile(person.id)}
        className="min-h-6 min-w-0 flex-1 basis-32 text-ui font-semibold wrap-anywhere hover:underline"
      >
        {person.fullName}
      </Link>
      <Button
        variant="outline"
        size="sm"
        className="ml-auto"
        aria-label={t('unfollowNamed', { name: person.fullName })}
        busy={following.isPending}
        onClick={() => following.mutate(false, { onSuccess: onUnfollowed })}
      >
        {t('settings.unfollow')}
      </Button>
    </li>
  );
}
