// The empty state of a feed of the member, with a way on.
import { School, UserPlus2, UsersRound } from 'lucide-react';
import { Link } from 'react-router';
import type { User } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { Button, buttonClass } from '@/ui/button';
import { EmptyCard } from '@/ui/empty';

const icons = {
  following: UserPlus2,
  school: School,
  community: UsersRound,
};

interface EmptyFeedProps {
  feed: keyof typeof icons;
  user: User;
  onAll: () => void;
}

export function EmptyFeed({ feed, user, onAll }: EmptyFeedProps) {
  const { t } = useTranslation('feeds');
  const ways = { following: paths.network, school: paths.profile(user.id), community: paths.communities };
  const noSchool = feed === 'school' && !user.school;
  return (
    <EmptyCard
      icon={icons[feed]}
      title={t(noSchool ? 'empty.school.noSchoolTitle' : `empty.${feed}.title`)}
      hint={t(noSchool ? 'empty.school.noSchoolHint' : `empty.${feed}.hint`)}
      action={
        <div className="flex flex-wrap justify-center gap-2">
          {(feed !== 'school' || noSchool) && (
            <Link to={ways[feed]} className={buttonClass({ variant: 'outline' })}>
              {t(`empty.${feed}.action`)}
            </Link>
          )}
          <Button variant="ghost" onClick={onAll}>
            {t('empty.all')}
          </Button>
        </div>
      }
    />
  );
}
