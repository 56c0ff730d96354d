// The signed-in member: picture, name, headline, place, and three counters.
import { useQuery } from '@tanstack/react-query';
import { Bookmark, MapPin, Settings } from 'lucide-react';
import { Link } from 'react-router';
import { profileQuery } from '@/api/queries';
import type { ProfileStats, User } from '@/api/schema.gen';
import { formatNumber } from '@/i18n/format-number';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { Avatar } from '@/ui/avatar';
import { Seal } from '@/ui/brand-ornament';
import { Card } from '@/ui/card';
import { Skeleton } from '@/ui/skeleton';

/** The counters of a profile that has no stats (specification, section 2). */
const defaultStats: ProfileStats = { profileViews: 247, postImpressions: 1892, connections: 418 };

const counters = [
  ['views', 'profileViews'],
  ['impressions', 'postImpressions'],
  ['connections', 'connections'],
] as const satisfies readonly (readonly [string, keyof ProfileStats])[];

const own = [
  { name: 'savedItems', to: paths.savedItems, icon: Bookmark },
  { name: 'settings', to: paths.settings, icon: Settings },
] as const;

export function SummaryCard({ user }: { user: User }) {
  const { t, i18n } = useTranslation(['home', 'shell']);
  const { data: profile, isPending } = useQuery(profileQuery(user.id));
  const stats = profile?.stats ?? (profile && !profile.degraded ? defaultStats : undefined);

  return (
    <Card className="overflow-hidden" aria-label={user.fullName}>
      <Link to={paths.profile(user.id)} className="block -outline-offset-2">
        <div className="brand-ornament relative h-16 overflow-hidden [--ornament-margin:0.75rem] [--ornament-row:1rem]">
          <Seal className="-top-4 -right-6 size-32" />
        </div>
        <div className="px-5 pb-4">
          <div className="relative -mt-8 mb-2.5 inline-block rounded-full ring-4 ring-card">
            <Avatar user={user} size={64} decorative />
          </div>
          <p className="font-serif text-[1.1875rem] leading-6 font-semibold wrap-anywhere">{user.fullName}</p>
          {user.headline && (
            <p className="mt-1 text-caption text-muted-foreground wrap-anywhere">{user.headline}</p>
          )}
          {user.location && (
            <p className="mt-1.5 flex items-center gap-1 text-caption text-muted-foreground">
              <MapPin className="icon-sm" />
              <span className="min-w-0 wrap-anywhere">{user.location}</span>
            </p>
          )}
        </div>
      </Link>
      <dl className="border-t px-5 py-3">
        {counters.map(([name, counter]) => (
          <div key={name} className="flex items-center justify-between py-1">
            <dt className="text-caption text-muted-foreground">{t(name)}</dt>
            <dd className="text-caption font-semibold tabular-nums">
              {stats ? (
                formatNumber(i18n.language, stats[counter])
              ) : isPending ? (
                <Skeleton className="h-3 w-8" />
              ) : (
                '–'
              )}
            </dd>
          </div>
        ))}
      </dl>
      <div className="border-t py-1.5">
        {own.map(({ name, to, icon: Icon }) => (
          <Link
            key={name}
            to={to}
            className="flex items-center gap-2 px-5 py-1.5 text-caption font-medium -outline-offset-2 hover:bg-hover"
          >
            <Icon className="icon-sm text-muted-foreground" />
            {t(`shell:nav.${name}`)}
          </Link>
        ))}
      </div>
    </Card>
  );
}
